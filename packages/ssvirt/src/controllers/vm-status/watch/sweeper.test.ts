/** Rows in a real PostgreSQL, VMs in a sandbox: what counts as gone and what does not. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { startTestDatabase, type TestDatabase } from '../../../../../../test/database/harness.ts';
import { makeVapp, makeVdc, makeVm, observe } from '../../../../../../test/database/rows.ts';
import { install, looseDefinition } from '../../../../../../test/fleet/definition.ts';
import { startMemberCluster, type MemberCluster } from '../../../../../../test/fleet/sandboxes.ts';
import { LeapClock } from '../../../../../../test/vm-status/leap-clock.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { createObservationStore } from '../../../db/observations/store.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import { Sweeper, type Swept } from './sweeper.ts';

const namespace = 'default';
let running: TestDatabase;
let cluster: MemberCluster;
before(async () => {
  [running, cluster] = await Promise.all([startTestDatabase(), startMemberCluster('local')]);
  await install(cluster.client, looseDefinition('kubevirt.io', 'v1', 'VirtualMachine', 'virtualmachines'));
});
after(async () => {
  await running?.stop();
  await cluster?.stop();
});

interface World {
  readonly clock: LeapClock;
  readonly gone: string[];
  readonly sweeper: Sweeper;
  readonly swept: Swept;
  /** Creates a row that is bound to a VM of that name, and the VM itself if it should exist. */
  readonly bind: (name: string, machine: 'there' | 'another' | 'none') => Promise<void>;
  readonly end: () => Promise<void>;
}

async function world(place: string, more: Partial<Swept> = {}): Promise<World> {
  const { db, pool } = running.database;
  const vdc = await makeVdc(db, { cluster: place, namespace });
  const vapp = await makeVapp(db, { vdc_id: vdc.id });
  const clock = new LeapClock();
  const gone: string[] = [];
  const ending = new AbortController();
  const sweeper = new Sweeper({
    store: createObservationStore(pool),
    gone: (_, key) => void gone.push(key),
    concurrency: 2,
    clock,
    log: pino({ level: 'silent' }),
  });
  sweeper.begin(ending.signal);
  const swept: Swept = {
    name: place,
    client: cluster.client,
    signal: ending.signal,
    // A ledger that contains no VM: each one is asked for.
    uidOf: () => undefined,
    covers: () => true,
    ...more,
  };
  return {
    clock,
    gone,
    sweeper,
    swept,
    async bind(name, machine) {
      const row = await makeVm(db, { vapp_id: vapp.id, name });
      const made =
        machine === 'none'
          ? undefined
          : await cluster.client.create(virtualMachines, { metadata: { namespace, name } });
      const uid = machine === 'there' ? (made?.metadata.uid ?? '') : randomUUID();
      await observe(db, row, 'POWERED_ON', { uid });
    },
    async end() {
      ending.abort();
      await sweeper.stop();
      cluster.faults.clear();
    },
  };
}

test('a machine that the server does not know is gone, and so is one whose name another has; one that is there is not', async () => {
  const { sweeper, swept, gone, bind, end } = await world('plain');
  await bind('plain-a', 'none');
  await bind('plain-b', 'another');
  await bind('plain-c', 'there');
  sweeper.sweep(swept);
  await sweeper.stop();
  assert.deepEqual([...gone].sort(), ['default/plain-a', 'default/plain-b']);
  await end();
});

test('a namespace that is not covered is not asked about', async () => {
  const { sweeper, swept, gone, bind, end } = await world('closed', { covers: () => false });
  await bind('closed-a', 'none');
  sweeper.sweep(swept);
  await sweeper.stop();
  assert.deepEqual(gone, []);
  await end();
});

test('a server that does not answer says nothing, and is asked again until it does', async () => {
  const { sweeper, swept, gone, clock, bind, end } = await world('away');
  await bind('away-a', 'none');
  const { id } = cluster.faults.add({ kind: '503', path: '/apis/kubevirt.io/**' });
  const struck = (): number => cluster.faults.list().find((rule) => rule.id === id)?.struck ?? 0;
  sweeper.sweep(swept);
  await until('it was asked', () => struck() > 0);
  assert.deepEqual(gone, []);
  const before = struck();
  await until('it is asked again', () => {
    clock.leap(60_000);
    return struck() > before;
  });
  assert.deepEqual(gone, []);
  cluster.faults.clear();
  await until('it is found', () => {
    clock.leap(60_000);
    return gone.length > 0;
  });
  await end();
});

test('a kind that is not served says "not found" of everything, and that counts for nothing', async () => {
  const empty = await startMemberCluster('empty');
  const { sweeper, swept, gone, clock, bind, end } = await world('empty', { client: empty.client });
  await bind('empty-a', 'none');
  // A fault with almost no delay, which counts the requests.
  const { id } = empty.faults.add({ kind: 'latency', delayMs: 1, path: '/apis/kubevirt.io/' });
  sweeper.sweep(swept);
  await until('it was asked, and asks again', () => {
    clock.leap(60_000);
    return (empty.faults.list().find((rule) => rule.id === id)?.struck ?? 0) > 2;
  });
  await end();
  assert.deepEqual(gone, []);
  await empty.stop();
});

test('a cluster that leaves while it is swept, and comes back as another, is swept as that', async () => {
  const leaving = new AbortController();
  const { sweeper, swept, gone, bind, end } = await world('back');
  await bind('back-a', 'none');
  const rule = cluster.faults.add({ kind: '503', path: '/apis/kubevirt.io/**' });
  sweeper.sweep({ ...swept, signal: leaving.signal });
  await until('it was asked', () => (cluster.faults.list().find(({ id }) => id === rule.id)?.struck ?? 0) > 0);
  cluster.faults.clear();
  sweeper.sweep(swept);
  leaving.abort();
  await sweeper.stop();
  assert.deepEqual(gone, ['default/back-a']);
  await end();
});
