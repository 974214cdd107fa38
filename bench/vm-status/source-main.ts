/**
 * The process of the event source. The first line on standard input says what it serves and names the sandbox behind
 * it; each further line is a load to play. It answers with lines of JSON.
 */
import { Agent, createServer, request as httpsRequest } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';
import type { Credentials } from '../../test/cluster/cluster.ts';
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';
import type { Change } from './load.ts';
import { Source } from './source.ts';

export interface Orders {
  readonly sample: KubeObject;
  readonly count: number;
  readonly behind: Credentials;
}

export interface PlayOrder {
  /** Pairs of index and version. */
  readonly changes: readonly (readonly [number, number])[];
  readonly rate: number;
}

const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

async function serve({ sample, count, behind }: Orders): Promise<Source> {
  const source = new Source(sample, count);
  const authority = await createAuthority('bench-source');
  const serving = await authority.issue({
    commonName: 'source',
    dnsNames: ['localhost'],
    addresses: ['127.0.0.1'],
    server: true,
  });
  const agent = new Agent({ keepAlive: true, ca: behind.ca });
  const passOn = (request: IncomingMessage, response: ServerResponse): void => {
    const { method, headers } = request;
    const onward = httpsRequest(
      `${behind.url}${request.url ?? '/'}`,
      { method: method ?? 'GET', headers, agent },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };
  const server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
    if (!source.answer(request, response)) passOn(request, response);
  });
  server.requestTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  say({ event: 'serving', text: JSON.stringify({ url, ca: authority.certificate }) });
  return source;
}

let source: Source | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  if (source === undefined) {
    source = await serve(JSON.parse(line) as Orders);
    continue;
  }
  const { changes, rate } = JSON.parse(line) as PlayOrder;
  const played = await source.play(
    changes.map(([index, version]): Change => ({ index, version })),
    { rate },
  );
  say({ event: 'played', ms: played.sent, text: String(played.seconds) });
}
process.exit(0);
