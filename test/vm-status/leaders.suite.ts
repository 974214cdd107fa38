/**
 * The rows when leaders, Leases and clusters come and go: no older state is written, no row is stuck, and none is
 * wrongly DELETED.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import {
  acceptIdentityAnnotation,
  kubevirtConfigs,
} from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import { inTransaction } from '../../packages/ssvirt/src/db/connection/transaction.ts';
import { leases } from '../../packages/kube/src/leader-election/lease.ts';
import { configsNamespace, uidOf } from '../fleet/harness.ts';
import { makeVapp, makeVdc } from '../database/rows.ts';
import { until } from '../runtime/until.ts';
import type { Controller } from './controllers.ts';
import { startVmStatusHarness, type VmStatusHarness } from './harness.ts';
import { startLoad } from './load.ts';
import { SmallCluster } from './small-cluster.ts';
import { namespace, vappLabel } from './tenant.ts';
import { violations } from './write-log.ts';

const lease = { namespace: 'ssvirt-system', name: 'ssvirt-vm-controller' };
const names = Array.from({ length: 8 }, (_, i) => `vm-${i}`);
/** Some waits include the start of a process, or the expiry of a Lease. */
const patience = { deadlineMs: 60_000 };
const ssvirt = fileURLToPath(new URL('../../packages/ssvirt/src/main.ts', import.meta.url));

interface ShownRow {
  readonly name: string;
  readonly status: string;
  readonly stale: boolean;
}

describe('leaders, Leases and clusters that come and go', { timeout: 400_000 }, () => {
  let harness: VmStatusHarness<SmallCluster>;
  let local: SmallCluster;
  let west: SmallCluster;
  let east: SmallCluster;

  before(async () => {
    [local, west, east] = await Promise.all([
      SmallCluster.start('local'),
      SmallCluster.start('west'),
      SmallCluster.start('east', ['shut']),
    ]);
    closed(east);
    // A restored server sends nothing to watches at later versions, so only their silence reveals the restore.
    harness = await startVmStatusHarness([local, west, east], {
      again: true,
      silenceMs: 1500,
      postgres: { synchronous_commit: 'on' },
    });
    await closedVdc();
    for (const cluster of harness.clusters)
      for (const name of names) await cluster.create(name, harness.tenant.labels(cluster.name));
    const controllers = await Promise.all([harness.controllers.start(), harness.controllers.start()]);
    for (const controller of controllers) await controller.standsBy();
    await harness.agrees();
  });
  after(() => harness?.stop());

  /** The controller may read VMs neither in all namespaces at once nor in the namespace `shut`. */
  function closed({ faults }: SmallCluster): void {
    for (const path of ['virtualmachines', 'namespaces/shut/virtualmachines'])
      faults.add({ kind: '403', path: `/apis/kubevirt.io/v1/${path}`, verbs: ['list', 'watch'] });
  }

  async function closedVdc(): Promise<void> {
    const { db } = harness.database.database;
    const vdc = await makeVdc(db, { cluster: 'east', namespace: 'shut' });
    const vapp = await makeVapp(db, { vdc_id: vdc.id });
    await east.client.create(
      { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine', plural: 'virtualmachines', namespaced: true },
      { metadata: { namespace: 'shut', name: 'hidden', labels: { [vappLabel]: vapp.id } } },
    );
  }

  async function shown(cluster: string, where = namespace): Promise<readonly ShownRow[]> {
    const { rows } = await harness.database.database.pool.query<ShownRow>(
      `SELECT v.vm_name AS name, s.status, s.stale FROM vm_status s JOIN vms v ON v.id = s.vm_id
      WHERE v.cluster = $1 AND v.namespace = $2 ORDER BY v.created_at`,
      [cluster, where],
    );
    return rows;
  }

  async function clusterIs(name: string, state: string, message = /^/): Promise<void> {
    const query = 'SELECT state, message FROM clusters WHERE name = $1';
    let found: { state: string; message: string } | undefined;
    const probe = async (): Promise<boolean> => {
      [found] = (await harness.database.database.pool.query<{ state: string; message: string }>(query, [name])).rows;
      return found?.state === state && message.test(found.message);
    };
    await until(`${name} is ${state}`, probe, patience).catch((cause: unknown) => {
      const logs = harness.controllers.all.map(({ log }) => log.slice(-3000)).join('\n---\n');
      throw new Error(`${name} is ${JSON.stringify(found)}\n${logs}`, { cause });
    });
  }

  /** The controller whose epoch is in the database. */
  async function leader(): Promise<{
    readonly leads: Controller;
    readonly standby: Controller;
    readonly epoch: number;
  }> {
    const { pool } = harness.database.database;
    const { rows } = await pool.query<{ epoch: string }>('SELECT epoch::text AS epoch FROM leaders');
    const epoch = Number(rows[0]?.epoch);
    const leads = harness.controllers.all.find(({ log }) => log.includes(`"epoch":${epoch},`));
    const standby = harness.controllers.all.find((one) => one !== leads);
    if (leads === undefined || standby === undefined) throw new Error(`nobody has said that he leads in ${epoch}`);
    return { leads, standby, epoch };
  }

  /** Checks that nothing was DELETED in the cluster since that write. */
  async function nothingDeleted(cluster: string, since: number): Promise<void> {
    const writes = await harness.writes(since);
    const deleted = writes.filter((write) => write.cluster === cluster && write.status === 'DELETED');
    assert.deepEqual(deleted, []);
  }

  const lastWrite = async (): Promise<number> => (await harness.writes()).at(-1)?.id ?? 0;

  test('a namespace that is closed to the controller is reported, and the others go on', async () => {
    const { rows } = await harness.database.database.pool.query<{ unreadable: readonly string[] }>(
      `SELECT unreadable_namespaces AS unreadable FROM clusters WHERE name = 'east'`,
    );
    assert.deepEqual(rows, [{ unreadable: ['shut'] }]);
    assert.deepEqual(await shown('east', 'shut'), []);
    await east.power('vm-3', false);
    await harness.agrees({ of: [east] });
    const { leads } = await leader();
    await leads.logs('cannot read VDC namespaces');
    east.faults.clear();
    await until(
      'the machine of the opened namespace has its row',
      async () => (await shown('east', 'shut')).length === 1,
      patience,
    );
  });

  test('a leader that was stopped until another has written writes nothing when it goes on, and ends', async () => {
    const load = startLoad(harness.clusters, names);
    const { leads, epoch } = await leader();
    const since = await lastWrite();
    const ends = leads.ends.length;
    await until('the leader writes under load', async () => (await lastWrite()) > since + 20, patience);
    leads.signal('SIGSTOP');
    const another = async (): Promise<boolean> => (await harness.writes(since)).some((write) => write.epoch > epoch);
    await until('another has written', another, patience);
    leads.signal('SIGCONT');
    assert.equal(await leads.ended(ends + 1), 1);
    await leads.standsBy();
    await load.stop();
    await harness.agrees();
    assert.deepEqual(violations(await harness.writes()), []);
  });

  test('of two that both hold a Lease only the later writes: the other is barred by the database, and ends', async () => {
    const load = startLoad(harness.clusters, names);
    const { leads, epoch } = await leader();
    const ends = leads.ends.length;
    // Raises the epoch as another leader with a Lease elsewhere would.
    const last = await raise();
    assert.equal(await leads.ended(ends + 1), 1);
    await leads.standsBy();
    const again = async (): Promise<boolean> => (await harness.writes()).some((write) => write.epoch > epoch + 1);
    await until('one leads again', again, patience);
    await load.stop();
    await harness.agrees();
    assert.deepEqual(
      (await harness.writes(last)).filter((write) => write.epoch === epoch),
      [],
    );
    assert.deepEqual(violations(await harness.writes()), []);
  });

  /** Resolves to the last write before the new epoch. */
  async function raise(): Promise<number> {
    return inTransaction(harness.database.database.db, async (tx) => {
      await sql`UPDATE leaders SET epoch = epoch + 1, round = 0`.execute(tx);
      const { rows } = await sql<{ id: number }>`SELECT max(id)::float8 AS id FROM test_writes`.execute(tx);
      return rows[0]?.id ?? 0;
    });
  }

  test('a Lease that is deleted stops nothing', async () => {
    const load = startLoad(harness.clusters, names);
    const { leads, epoch } = await leader();
    const ends = leads.ends.length;
    await local.client.delete(leases, lease);
    const since = await lastWrite();
    // Writes of the old leader prove nothing; only a later epoch proves that there is a new leader.
    const another = async (): Promise<boolean> => (await harness.writes(since)).some((write) => write.epoch > epoch);
    await until('another has written', another, patience);
    await leads.ended(ends + 1);
    await leads.standsBy();
    await until(
      'there is a Lease again',
      async () => (await local.client.get(leases, lease)).spec?.holderIdentity !== '',
      patience,
    );
    await load.stop();
    await harness.agrees();
    assert.deepEqual(violations(await harness.writes()), []);
  });

  test('what happens while PostgreSQL is unavailable is written when it is back', async () => {
    const { postgres } = harness.database;
    await postgres.kill();
    await east.remove('vm-1');
    const failed = (): boolean =>
      harness.controllers.all.some(({ log }) => log.includes('cannot write to the database'));
    await until('the leader has tried to write', failed, patience);
    await west.power('vm-1', false);
    await local.remove('vm-7');
    await local.create('vm-7', harness.tenant.labels('local'));
    await postgres.start();
    await harness.agrees();
    assert.equal((await shown('east')).find(({ name }) => name === 'vm-1')?.status, 'DELETED');
    await east.create('vm-1', harness.tenant.labels('east'));
    await harness.agrees();
    assert.deepEqual(violations(await harness.writes()), []);
  });

  test('a cluster that cannot be reached makes rows stale, never DELETED; what went meanwhile is found afterwards', async () => {
    const since = await lastWrite();
    await west.down();
    await clusterIs('west', 'stale', /cannot be read/);
    assert.ok((await shown('west')).every(({ stale, status }) => stale && status !== 'DELETED'));
    await local.power('vm-1', false);
    await harness.agrees({ of: [local, east] });
    await nothingDeleted('west', since);
    await west.elsewhere(() => west.remove('vm-0'));
    await west.up();
    await harness.agrees();
    assert.equal((await shown('west')).find(({ name }) => name === 'vm-0')?.status, 'DELETED');
    await west.create('vm-0', harness.tenant.labels('west'));
    await harness.agrees();
  });

  test('a cluster that was restored from a backup is followed back to the older state', async () => {
    await west.backUp();
    await harness.agrees();
    for (const name of names) await west.power(name, false);
    for (let i = 0; i < 50; i++) await west.power('vm-2', i % 2 === 0);
    await west.create('young', harness.tenant.labels('west'));
    for (const name of ['vm-6', 'vm-7']) await west.remove(name);
    await west.create('vm-7', harness.tenant.labels('west'));
    await harness.agrees();
    await west.restore();
    await harness.agrees();
    assert.equal((await shown('west')).find(({ name }) => name === 'young')?.status, 'DELETED');
    assert.notEqual((await shown('west')).find(({ name }) => name === 'vm-6')?.status, 'DELETED');
    await west.power('vm-2', true);
    await west.power('vm-4', false);
    await harness.agrees();
  });

  test('a member that is swapped for an empty cluster is frozen, until the old one is back', async () => {
    const since = await lastWrite();
    await west.become('other');
    await clusterIs('west', 'frozen', /kube-system uid/);
    assert.ok((await shown('west')).some(({ status }) => status !== 'DELETED'));
    assert.ok((await shown('west')).every(({ stale, status }) => stale || status === 'DELETED'));
    await local.power('vm-2', false);
    await east.power('vm-2', false);
    await harness.agrees({ of: [local, east] });
    await nothingDeleted('west', since);
    await west.become('first');
    await clusterIs('west', 'synced');
    await west.power('vm-5', false);
    await harness.agrees();
    await nothingDeleted('west', since);
  });

  test('a member that a person has accepted as another is followed, and what was in the old one is DELETED', async () => {
    await west.become('other');
    await clusterIs('west', 'frozen');
    await west.furnish();
    await west.create('new', harness.tenant.labels('west'));
    const body = { metadata: { annotations: { [acceptIdentityAnnotation]: await uidOf(west) } } };
    await local.client.patch(kubevirtConfigs, { namespace: configsNamespace, name: 'west' }, { type: 'merge', body });
    await clusterIs('west', 'synced');
    await harness.agrees();
    const live = (await shown('west')).filter(({ status }) => status !== 'DELETED');
    assert.deepEqual(live, [{ name: 'new', status: 'POWERED_ON', stale: false }]);
  });

  test('the own cluster that is swapped for an empty one is not believed until a person accepts it', async () => {
    const since = await lastWrite();
    await local.become('other');
    await local.furnish(['ssvirt-system', configsNamespace]);
    await clusterIs('local', 'frozen', /ssvirt database accept-cluster local/);
    assert.ok((await shown('local')).every(({ stale, status }) => stale || status === 'DELETED'));
    await nothingDeleted('local', since);
    await nothingDeleted('west', since);
    await local.create('new', harness.tenant.labels('local'));
    await promisify(execFile)(process.execPath, [ssvirt, 'database', 'accept-cluster', 'local', await uidOf(local)], {
      env: { ...process.env, SSVIRT_DATABASE_URL: harness.database.url },
    });
    await clusterIs('local', 'synced');
    await harness.agrees({ of: [local] });
    const live = (await shown('local')).filter(({ status }) => status !== 'DELETED');
    assert.deepEqual(live, [{ name: 'new', status: 'POWERED_ON', stale: false }]);
    await nothingDeleted('west', since);
    assert.deepEqual(violations(await harness.writes(since)), []);
  });
});
