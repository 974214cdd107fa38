/** What counts as reachable, tested with a sandbox and its faults. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { startMemberCluster, type MemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { reach } from './reachability.ts';

const configMaps: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

let cluster: MemberCluster;
const how = { timeoutMs: 1_000, signal: new AbortController().signal };
before(async () => {
  cluster = await startMemberCluster('reached');
});
afterEach(() => cluster.faults.clear());
after(() => cluster?.stop());

async function version(): Promise<string> {
  return (await cluster.client.list(configMaps)).resourceVersion;
}

async function keptAt(resourceVersion: string): Promise<string> {
  return reach(cluster.client, [{ type: configMaps, resourceVersion: () => resourceVersion }], how);
}

test('a cluster that answers and whose watches deliver is reachable, and says who it is', async () => {
  assert.match(await keptAt(await version()), /^[0-9a-f-]{36}$/);
});

test('one whose watch missed an event that another watch got is not', async () => {
  const from = await version();
  await cluster.client.create(configMaps, { metadata: { namespace: 'default', name: 'news' } });
  await assert.rejects(keptAt(from), /the watch of configmaps is silent: 1 events were not delivered/);
  // The first watch receives the event a moment later.
  let asked = 0;
  const late = { type: configMaps, resourceVersion: () => (asked++ < 2 ? from : 'later') };
  await reach(cluster.client, [late], how);
});

test('a process that keeps no watch of its own comes to the same result', async () => {
  const alone = (): Promise<string> => reach(cluster.client, [], how);
  await alone();
  const { id } = cluster.faults.add({ kind: 'silence', verbs: ['watch'] });
  await assert.rejects(alone(), /kube-system .* delivered nothing: its watches are silent/);
  cluster.faults.remove(id);
  await alone();
});

test('one whose watches are cut before they deliver anything is not', async () => {
  const { id } = cluster.faults.add({ kind: 'reset', verbs: ['watch'] });
  await assert.rejects(reach(cluster.client, [], how));
  cluster.faults.remove(id);
});

test('an account that may not watch the namespace is no reason to call the watches silent', async () => {
  const { id } = cluster.faults.add({ kind: '403', verbs: ['watch'], path: '/api/v1/namespaces' });
  await keptAt(await version());
  cluster.faults.remove(id);
});

for (const [what, verbs, message] of [
  ['answers, and whose watches are silent,', ['watch'], /watches are silent/],
  ['does not answer, whatever its watches do,', ['get'], /kube-system/],
] as const)
  test(`one that ${what} is not`, async () => {
    const from = await version();
    const { id } = cluster.faults.add({ kind: 'silence', verbs: [...verbs] });
    await assert.rejects(keptAt(from), message);
    cluster.faults.remove(id);
    await keptAt(from);
  });
