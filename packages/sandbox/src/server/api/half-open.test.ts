/** Clients that connect and send no request do not occupy the server for long. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openHalf } from '../../../../../test/net/half-open.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { startSandbox, type Sandbox } from '../aggregation/testdata/sandbox.ts';

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({}, { handshakeMs: 500 });
});
after(() => sandbox.stop());

test('a handshake that is not finished in time ends with the connection', async () => {
  const clients = await openHalf(Number(new URL(sandbox.cluster.url).port), 100, ['silent', 'startsHandshake']);
  try {
    await until('all are closed', () => clients.every(({ readableEnded, closed }) => readableEnded || closed));
  } finally {
    clients.forEach((client) => client.destroy());
  }
  assert.equal((await sandbox.call('GET', '/readyz')).code, 200);
});
