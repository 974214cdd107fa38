/** Renders a refusal as the Status of a Kubernetes API, never with a stack. */
import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from '@ssvirt/kube/http';
import { endSocket } from '@ssvirt/base/net/end-socket';
import type { Duplex } from 'node:stream';
import type { JsonObject } from '../../values/json.ts';
import { StatusAnswer } from './contracts.ts';

export function statusOf({ code, reason, message, details }: StatusAnswer): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}

export function sendJson(response: ServerResponse, code: number, body: JsonObject): void {
  const text = JSON.stringify(body);
  response.writeHead(code, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
}

/** If an answer has already begun, the connection is closed. */
export function refuse(response: ServerResponse, answer: StatusAnswer): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, answer.code, statusOf(answer));
}

/** `refuseUpgrade` refuses an Upgrade by writing the answer to the bare socket. */
export function refuseUpgrade(socket: Duplex, answer: StatusAnswer): void {
  const body = JSON.stringify(statusOf(answer));
  const head = [
    `HTTP/1.1 ${answer.code} ${STATUS_CODES[answer.code] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  endSocket(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

export function notFound(): StatusAnswer {
  return new StatusAnswer(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function internalError(): StatusAnswer {
  return new StatusAnswer(500, 'InternalError', 'Internal error occurred: see the log of the simulators');
}
