import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { until } from '../runtime/until.ts';
import { FailedRequests } from './failed-requests.ts';
import { ProcessMetrics } from './process-metrics.ts';
import { StoryError } from './wait.ts';

const started = (at: number, ...codes: readonly string[]): string =>
  [
    `process_start_time_seconds ${at}`,
    ...codes.map((code) => `rest_client_failed_requests_total{code="${code}",method="GET",resource="secrets"} 1`),
    '',
  ].join('\n');
const refused = (code: string): string => `x was answered ${code} to GET secrets`;

const servers: Server[] = [];
/** What the process reports now. */
let text: string;
let failed: FailedRequests;
beforeEach(() => {
  text = started(1);
  failed = new FailedRequests();
});
after(() => servers.forEach((server) => server.closeAllConnections()));

/** A process that serves its metrics until `end` is called. */
async function serving(): Promise<{ readonly metrics: ProcessMetrics; readonly end: () => Promise<void> }> {
  const server = createServer((_request, response) => void response.end(text)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const end = async (): Promise<void> => void (await new Promise((done) => server.close(done)));
  return { metrics: new ProcessMetrics('x', `http://127.0.0.1:${port}/metrics`, failed), end };
}

const unexpected = (): readonly string[] => failed.unexpected([]);

test('what a process reports only for a while counts, and so does its restart', async () => {
  const { metrics, end } = await serving();
  await metrics.follow();
  text = started(1, '403');
  await until('it is read', () => unexpected().length === 1);
  text = started(2);
  await until('the restart is seen', () => unexpected().length === 2);
  await metrics.readUntilEnd(end);
  assert.deepEqual(unexpected(), [refused('403'), 'x was restarted']);
});

test('what is refused to a process while it ends counts', async () => {
  const { metrics, end } = await serving();
  await metrics.follow();
  await metrics.readUntilEnd(async () => {
    text = started(1, '409');
    await until('it is read', () => unexpected().length === 1);
    await end();
  });
  assert.deepEqual(unexpected(), [refused('409')]);
});

test('a process that does not report its metrics is a failure', async () => {
  const { metrics, end } = await serving();
  await metrics.read();
  await end();
  await assert.rejects(
    metrics.read(),
    (error) => error instanceof StoryError && /x does not answer/.test(error.message),
  );
});
