/**
 * Data that is not HTTP, or is incomplete, reaches no route: the response is written directly to the connection, in the
 * usual shape.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { endSocket, isInHandshake } from '@ssvirt/base/net/end-socket';
import { badRequest } from '../errors.ts';
import { errorAnswer } from './error-answer.ts';

/** Node's codes that say more than that it is not HTTP. */
const rules: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'its headers are larger than 16 KiB; send less',
  ERR_HTTP_REQUEST_TIMEOUT: 'it did not arrive in time; send it faster',
};

export function unreadableRequests(log: Logger): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return ({ code = '' }, socket) => {
    // The client has disconnected or has not finished its TLS handshake: no response can be written.
    if (code === 'ECONNRESET' || !socket.writable || isInHandshake(socket)) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    log.info({ requestId, status: 400, code }, 'unreadable request');
    const { type, body } = errorAnswer(badRequest(`The request cannot be read: ${rules[code] ?? 'it is not HTTP'}.`));
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
