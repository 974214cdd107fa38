/** A case that the conformance suite cannot cover: a state larger than what the server buffers for a slow reader. */
import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { startSandbox } from '../aggregation/testdata/sandbox.ts';
import type { KubeObject } from '../../values/json.ts';

const path = '/api/v1/namespaces/default/configmaps';
const megabyte = 'x'.repeat(900_000);
const count = 45; // more than the 32 MiB after which a slow watcher is disconnected

test('initial events of any size reach a reader that takes its time, and what happened meanwhile follows once', async (t) => {
  const sandbox = await startSandbox();
  t.after(() => sandbox.stop());
  const create = async (name: string, data: string): Promise<void> => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { data } };
    assert.equal((await sandbox.call('POST', path, body)).code, 201);
  };
  for (let i = 0; i < count; i++) await create(`large-${String(i).padStart(2, '0')}`, megabyte);
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const answer = await sandbox.open(`${path}?${query}`);
  // The stream is open and nothing was read from it, so the server cannot have sent everything.
  await create('meanwhile', 'small');
  const seen: string[] = [];
  for await (const line of createInterface({ input: answer })) {
    const { type, object } = JSON.parse(line) as { type: string; object: KubeObject };
    seen.push(`${type} ${object.metadata.name ?? JSON.stringify(object.metadata.annotations)}`);
    if (object.metadata.name === 'meanwhile') break;
  }
  answer.destroy();
  assert.equal(seen.filter((text) => text.startsWith('ADDED large-')).length, count);
  assert.deepEqual(seen.slice(-2), ['BOOKMARK {"k8s.io/initial-events-end":"true"}', 'ADDED meanwhile']);
});
