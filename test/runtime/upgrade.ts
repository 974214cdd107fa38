/** Websockets through the fault proxy: forwards bytes both ways, until one side ends. */
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Credentials } from '../cluster/cluster.ts';

export interface Upgrade {
  readonly incoming: IncomingMessage;
  readonly client: Duplex;
  /** What the client sent directly after its request. */
  readonly head: Buffer;
  readonly upstream: Credentials;
  readonly authorization: string | undefined;
}

export function forwardUpgrade({ incoming, client, head, upstream, authorization }: Upgrade): void {
  client.on('error', () => undefined);
  const outgoing = httpsRequest(`${upstream.url}${incoming.url}`, {
    ca: upstream.ca,
    agent: false,
    headers: withoutEmpty({ ...incoming.headers, authorization }),
  });
  outgoing.once('error', () => client.destroy());
  outgoing.once('response', (answer) => {
    client.write(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nConnection: close\r\n\r\n`);
    answer.pipe(client);
  });
  outgoing.once('upgrade', (answer, server, rest) => {
    server.on('error', () => client.destroy());
    const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`);
    client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    client.write(rest);
    server.write(head);
    client.pipe(server).pipe(client);
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  });
  outgoing.end();
}

export function withoutEmpty(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  );
}
