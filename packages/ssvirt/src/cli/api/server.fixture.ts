/** A server with scripted responses that a real server gives only rarely. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from './client.ts';

/** `clientOf` returns a client of a server with these responses. */
export async function clientOf(
  context: { after(end: () => Promise<void>): void },
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ApiClient> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new ApiClient({
    server: { url: `http://127.0.0.1:${port}` },
    token: 'a-token',
    logIn: 'ssvirt login',
  });
  context.after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return client;
}

/** `event` formats one event as it appears in the event stream. */
export const event = (id: string, name: string, data: object): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
