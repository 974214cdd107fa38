import type { Schemas } from '@ssvirt/api-client/client';
import { WebSocket } from 'ws';
import type { ApiClient } from '../api/client.ts';
import { trust, unreachable } from '../api/connection.ts';
import { dataOf } from '../api/data-of.ts';
import { refusalOf } from '../api/refusal.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

export async function ticketFor(
  client: ApiClient,
  { id: vmId }: Schemas['Vm'],
  kind: 'serial' | 'vnc',
): Promise<Schemas['ConsoleTicket']> {
  return dataOf(
    client.api.POST('/cloudapi/1.0.0/vms/{vmId}/consoleTicket', { params: { path: { vmId } }, body: { kind } }),
  );
}

/**
 * Opens a websocket at the server's configured address, which may differ from the address that the server itself
 * reports.
 */
export async function openStream(client: ApiClient, { ticket }: Schemas['ConsoleTicket']): Promise<WebSocket> {
  const { server } = client.connection;
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/console/${ticket}/stream`, {
    ...trust(server),
    handshakeTimeout: 30_000,
    perMessageDeflate: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  socket.once('open', () => resolve(socket));
  socket.once('error', (error) => reject(unreachable(server, error)));
  socket.once('unexpected-response', (_request, response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    response.on('end', () => reject(refusalOf(response.statusCode ?? 500, text)));
  });
  return promise;
}

/** `endOf` explains why a console ended, in the server's words if it sent any. */
export function endOf(code: number, reason: string): CliFailure | undefined {
  if (code === 1000 || code === 1005) return undefined;
  const text = reason === '' ? `the console was closed (${code}).` : reason;
  return new CliFailure(
    text,
    code === 1001 || code === 1006 || code === 4503 ? exitCodes.unavailable : exitCodes.failed,
  );
}
