/** What is no HTTP, or never comes to its end, is no request that a route could answer: the answer is written to the connection by hand, in the shape of all others. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { endSocket, isInHandshake } from '../../net/end-socket.ts';
import { badRequest } from '../errors.ts';
import { errorAnswer } from './error-answer.ts';

/** Node's words, as far as they tell more than that it is no HTTP. */
const rules: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'its headers are larger than 16 KiB; send less',
  ERR_HTTP_REQUEST_TIMEOUT: 'it was not there in time; send it faster',
};

export function unreadableRequests(log: Logger): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return ({ code = '' }, socket) => {
    // The client is gone, or has not finished its TLS handshake: no answer can be written.
    if (code === 'ECONNRESET' || !socket.writable || isInHandshake(socket)) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    log.info({ requestId, status: 400, code }, 'unreadable request');
    const { type, body } = errorAnswer(badRequest(`The request cannot be read: ${rules[code] ?? 'it is no HTTP'}.`));
    endSocket(
      socket,
      [
        'HTTP/1.1 400 Bad Request',
        'connection: close',
        `content-type: ${type}`,
        `content-length: ${Buffer.byteLength(body)}`,
        'x-content-type-options: nosniff',
        `x-vmware-vcloud-request-id: ${requestId}`,
        '',
        body,
      ].join('\r\n'),
    );
  };
}
