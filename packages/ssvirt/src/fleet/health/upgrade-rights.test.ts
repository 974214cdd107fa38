/** When a process gives up the permissions on Secrets that an upgrade from 0.1.0 left it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { startMemberCluster, type MemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { systemClock } from '@ssvirt/kube/clock';
import { clusterRoleBindings, giveUpRights, type UpgradeRights } from './upgrade-rights.ts';

const account = 'ssvirt-api-server';
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'ssvirt-api-server-0.1.0' };
const { signal } = new AbortController();

let cluster: MemberCluster;
before(async () => {
  cluster = await startMemberCluster('upgraded');
});
after(() => cluster?.stop());

async function hasBinding(): Promise<boolean> {
  const { items } = await cluster.client.list(clusterRoleBindings);
  return items.some(({ metadata }) => metadata.name === `${account}-0.1.0`);
}

function rights(unbound: UpgradeRights['unbound']): UpgradeRights {
  return { client: cluster.client, account, unbound, clock: systemClock, log: pino({ level: 'silent' }), everyMs: 10 };
}

test('rights of 0.1.0 are kept until every namespace is bound, also where that cannot be asked for a while', async () => {
  const binding = { metadata: { name: `${account}-0.1.0` }, roleRef };
  await cluster.client.create(clusterRoleBindings, binding);
  const seen: boolean[] = [];
  const unbound = async (): Promise<readonly string[]> => {
    seen.push(await hasBinding());
    if (seen.length === 1) throw new Error('the database is away');
    return seen.length < 4 ? ['acme-web'] : [];
  };
  await giveUpRights(rights(unbound), signal);
  assert.deepEqual(seen, [true, true, true, true]);
  assert.equal(await hasBinding(), false);
});

test('where there are none, it does not ask which namespaces are bound', async () => {
  let asked = 0;
  const unbound = (): Promise<readonly string[]> => {
    asked += 1;
    return Promise.resolve([]);
  };
  await giveUpRights(rights(unbound), signal);
  assert.equal(asked, 0);
});
