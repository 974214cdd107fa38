/** All parts together, on a cluster in which nothing happens by itself, with a real PostgreSQL. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeVapp, makeVdc, unique } from '../../../../../test/database/rows.ts';
import { install, kubevirtConfigDefinition, looseDefinition } from '../../../../../test/fleet/definition.ts';
import { condition, installKubeVirt, putConfig } from '../../../../../test/fleet/harness.ts';
import { fixedSource, startMemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { LeapClock } from '../../../../../test/vm-status/leap-clock.ts';
import { Rows } from '../../../../../test/vm-status/rows.ts';
import { SmallCluster } from '../../../../../test/vm-status/small-cluster.ts';
import { createLeaderStore } from '../../db/observations/leaders.ts';
import { createObservationStore } from '../../db/observations/store.ts';
import { createSyncFailureStore } from '../../db/observations/sync-failures.ts';
import type { Vdc } from '../../db/vdcs/vdcs.ts';
import { createFleet } from '../../fleet/create-fleet.ts';
import { kubevirtConfigs } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { connectCluster } from '@ssvirt/kube/connect-cluster';
import { createMetrics, type Metrics } from '@ssvirt/kube/metrics/metrics';
import { TEMPLATE_INSTANCE_LABEL } from '../../kubevirt/facts/vm.ts';
import { ClusterWatch } from './watch/cluster-watch.ts';
import { databaseRows } from './watch/database-rows.ts';
import { dataVolumes, templateInstances, virtualMachines } from '../../fleet/kinds.ts';
import { VmStatusController, type VmStatusOptions } from './vm-status.ts';

const configs = 'kubevirt-configs';
const times = { intervalMs: 1000, deadlineMs: 10_000, probeMs: 5000, retryMs: 50 } as const;

let database: TestDatabase;
let cluster: SmallCluster;
let rows: Rows;
let labels: Record<string, string>;
let vdc: Vdc;
const clock = new LeapClock();
const running = new Set<() => Promise<void>>();

before(async () => {
  [database, cluster] = await Promise.all([startTestDatabase(), SmallCluster.start('local', [configs])]);
  await install(
    cluster.client,
    kubevirtConfigDefinition(),
    looseDefinition('template.openshift.io', 'v1', 'TemplateInstance', 'templateinstances'),
  );
  const { db, pool } = database.database;
  rows = new Rows(pool);
  vdc = await makeVdc(db, { cluster: 'local', namespace: cluster.namespace });
  labels = { 'vapp.ssvirt.io/vapp-id': (await makeVapp(db, { vdc_id: vdc.id })).id };
});

afterEach(async () => {
  for (const stop of running) await stop();
  cluster.faults.clear();
});

after(async () => {
  await database?.stop();
  await cluster?.stop();
});

interface Parts extends Partial<VmStatusOptions> {
  readonly metrics?: Metrics;
  /** It stops writing when this is aborted, and keeps watching. */
  readonly leading?: AbortSignal;
}

/** A controller of the cluster. It ends with the test. */
function control({ metrics = createMetrics(new Registry()), leading, ...more }: Parts = {}): VmStatusController {
  const log = pino({ level: process.env['SSVIRT_TEST_LOG'] === undefined ? 'silent' : 'debug' });
  const { pool } = database.database;
  const component = 'ssvirt-vm-controller';
  const local = connectCluster({ name: 'local', component, source: fixedSource(cluster), log, metrics, flushMs: 100 });
  const fleet = createFleet({ local, namespace: configs, component, userAgent: component, log, metrics, times });
  const status = new VmStatusController({
    fleet,
    observations: createObservationStore(pool),
    leaders: createLeaderStore(pool),
    syncFailures: createSyncFailureStore(pool),
    changes: databaseRows({ database: database.database, log }),
    name: component,
    holder: unique('holder'),
    registry: metrics.registry,
    log,
    clock,
    ...more,
  });
  fleet.serve(status);
  const stopping = new AbortController();
  const { signal } = stopping;
  const leads = leading === undefined ? signal : AbortSignal.any([signal, leading]);
  const work = [fleet.run({ signal }), status.watching.run({ signal }), status.writing.run({ signal: leads })];
  const stop = async (): Promise<void> => {
    running.delete(stop);
    stopping.abort();
    await Promise.all(work);
    await local.close();
  };
  running.add(stop);
  return status;
}

async function shown(name: string): Promise<string | undefined> {
  return (await rows.vms(cluster.namespace)).findLast(({ vm_name }) => vm_name === name)?.status;
}

function showing(name: string, status: string): Promise<void> {
  return until(`${name} is ${status}`, async () => (await shown(name)) === status);
}

test('what a cluster said before this process could write is written when it can', async () => {
  await cluster.create('early', labels);
  const store = createSyncFailureStore(database.database.pool);
  const answer = Promise.withResolvers<void>();
  control({
    syncFailures: {
      record: (...of) => store.record(...of),
      resolve: (...of) => store.resolve(...of),
      open: async () => {
        await answer.promise;
        return store.open();
      },
    },
  });
  await until('the cluster was admitted', async () => (await rows.cluster('local')) !== undefined);
  await until('it has been looked at once more', async () => {
    clock.leap(2000);
    return (await rows.cluster('local'))?.identity !== null;
  });
  assert.equal(await shown('early'), undefined);
  answer.resolve();
  await showing('early', 'POWERED_ON');
});

test('a machine that is made again does not inherit how long its predecessor was in trouble', async () => {
  control();
  await cluster.create('again', labels, 'ErrorUnschedulable');
  await showing('again', 'POWERING_ON');
  await until('it counts as a failure', async () => {
    clock.leap(60_000);
    return (await shown('again')) === 'FAILED';
  });
  await cluster.remove('again');
  await cluster.create('again', labels, 'ErrorUnschedulable');
  await until(
    'it has a row',
    async () => (await rows.vms(cluster.namespace)).filter(({ vm_name }) => vm_name === 'again').length === 2,
  );
  assert.equal(await shown('again'), 'POWERING_ON');
});

test('the next leader does not give a machine in trouble its whole grace period again', async () => {
  control();
  await cluster.create('long', labels, 'ErrorUnschedulable');
  await showing('long', 'POWERING_ON');
  for (const stop of running) await stop();
  // It has waited for longer than the grace period of 5 minutes.
  const backdate = `UPDATE vm_observed SET trouble_since = trouble_since - interval '301 seconds' WHERE name = 'long'`;
  await database.database.pool.query(backdate);
  control();
  await showing('long', 'FAILED');
});

test('a change of a disk reaches the machine that owns it, and others that use it', async () => {
  control();
  const { namespace, client } = cluster;
  const metadata = { namespace, labels };
  const status = { printableStatus: 'Provisioning' };
  const volumes = [{ name: 'root', dataVolume: { name: 'shared' } }];
  const dataVolumeTemplates = [{ metadata: { name: 'shared' } }];
  const template = { spec: { volumes } };
  const owner = await client.create(virtualMachines, {
    metadata: { ...metadata, name: 'owner' },
    spec: { runStrategy: 'Always', dataVolumeTemplates, template },
    status,
  });
  await client.create(virtualMachines, {
    metadata: { ...metadata, name: 'borrower' },
    spec: { runStrategy: 'Always', template },
    status,
  });
  await showing('owner', 'POWERING_ON');
  await showing('borrower', 'POWERING_ON');
  const { uid = '' } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'owner', uid }];
  await client.create(dataVolumes, {
    metadata: { namespace, name: 'shared', ownerReferences },
    status: { phase: 'ImportInProgress', restartCount: 1 },
  });
  const say = (fault: RegExp): Promise<void> =>
    until(`both say ${fault}`, async () => {
      const both = (await rows.vms(namespace)).filter(({ vm_name }) => ['owner', 'borrower'].includes(vm_name));
      return both.length === 2 && both.every((row) => fault.test(row.fault ?? ''));
    });
  await say(/failed to fill once/);
  // A second change, now that no other pending event would cause both VMs to be checked.
  await client.patch(
    dataVolumes,
    { namespace, name: 'shared' },
    { type: 'merge', body: { status: { restartCount: 2 } } },
  );
  await say(/failed to fill 2 times/);
});

test('a machine is put under the vApp of its template instance though that is seen after it', async () => {
  const { namespace, client, faults } = cluster;
  const vapp = await makeVapp(database.database.db, { vdc_id: vdc.id, name: 'shop' });
  const { metadata } = await client.create(templateInstances, { metadata: { namespace, name: 'shop' } });
  const rule = faults.add({ kind: '503', path: '/apis/template.openshift.io/**' });
  await cluster.create('from-template', { [TEMPLATE_INSTANCE_LABEL]: metadata.uid ?? '' });
  await cluster.create('last', labels);
  control();
  await showing('last', 'POWERED_ON');
  assert.equal(await shown('from-template'), undefined);
  faults.remove(rule.id);
  await showing('from-template', 'POWERED_ON');
  const row = (await rows.vms(namespace)).find(({ vm_name }) => vm_name === 'from-template');
  assert.equal(row?.vapp_id, vapp.id);
});

test('a cluster that has just left has no machines, and who asks for them is not thrown out', async () => {
  const log = pino({ level: 'silent' });
  const metrics = createMetrics(new Registry());
  const local = connectCluster({ name: 'local', component: 'test', source: fixedSource(cluster), log, metrics });
  const nothing = (): void => undefined;
  const told = { machine: nothing, gone: nothing, template: nothing, listed: nothing };
  const watch = new ClusterWatch({ cluster: local, listener: told, namespaces: () => [], clock, log });
  await cluster.create('leaving', labels);
  const key = `${cluster.namespace}/leaving`;
  await until('it is known', () => watch.scopeOf(key)?.uidOf(key) !== undefined);
  const closed = local.close();
  assert.deepEqual(
    [[...watch.keys()], [...watch.templateInstanceKeys()], watch.scopeOf(key), watch.size],
    [[], [], undefined, 0],
  );
  await closed;
});

test('a machine without a vApp gets its row when the vApp comes, in that VDC', async () => {
  control();
  const id = randomUUID();
  await cluster.create('patient', { 'vapp.ssvirt.io/vapp-id': id });
  await cluster.create('managed', labels);
  await showing('managed', 'POWERED_ON');
  assert.equal(await shown('patient'), undefined);
  await database.database.pool.query('INSERT INTO vapps (id, vdc_id, name) VALUES ($1, $2, $3)', [
    id,
    vdc.id,
    unique('late'),
  ]);
  await showing('patient', 'POWERED_ON');
});

test('a machine that is being written while its vApp comes gets its row as well', async () => {
  const id = randomUUID();
  const observations = createObservationStore(database.database.pool);
  const follows = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const changes = databaseRows({ database: database.database, log: pino({ level: 'silent' }) });
  let isLate = false;
  control({
    observations: {
      ...observations,
      // The database looked before the vApp existed; its answer arrives after the change log has reported the vApp.
      write: async (...of) => {
        const result = await observations.write(...of);
        if (isLate || !of[2].observations.some(({ name }) => name === 'crossing')) return result;
        isLate = true;
        await database.database.pool.query('INSERT INTO vapps (id, vdc_id, name) VALUES ($1, $2, $3)', [
          id,
          vdc.id,
          unique('crossing'),
        ]);
        await told.promise;
        return result;
      },
    },
    changes: {
      follow: (handlers) =>
        changes.follow({
          ...handlers,
          vapps: (vdcs) => {
            handlers.vapps(vdcs);
            if (isLate) told.resolve();
          },
          vdcs: async () => {
            await handlers.vdcs();
            follows.resolve();
          },
        }),
    },
  });
  // Waits until the namespaces of VDCs are known: when they become known, all VMs there are checked anyway.
  await follows.promise;
  await cluster.create('crossing', { 'vapp.ssvirt.io/vapp-id': id });
  await showing('crossing', 'POWERED_ON');
});

test('a machine that vanished without a watch is found though its instances cannot be read just now', async () => {
  const { faults } = cluster;
  await cluster.create('missed', labels);
  control();
  await showing('missed', 'POWERED_ON');
  for (const stop of running) await stop();
  await cluster.remove('missed');
  const rule = faults.add({ kind: '503', path: '/apis/kubevirt.io/**/virtualmachineinstances' });
  control();
  await showing('missed', 'DELETED');
  faults.remove(rule.id);
});

/** Whether a VM of the cluster is shown as stale. */
async function stale(name: string): Promise<boolean | undefined> {
  return (await rows.vms(cluster.namespace)).findLast(({ vm_name }) => vm_name === name)?.stale;
}

function becomes(name: string, isStale: boolean, why: string): Promise<void> {
  return until(`${name} is ${isStale ? 'stale' : 'current'} ${why}`, async () => (await stale(name)) === isStale, {
    deadlineMs: 60_000,
    everyMs: 50,
  });
}

const brief = { settings: { heartbeatMs: 100, staleAfterMs: 3000 } };

test('a machine is current as long as its cluster answers and its watches deliver, and stale when one of both is not so', async () => {
  control(brief);
  await cluster.create('followed', labels);
  await becomes('followed', false, 'when the cluster was reached');
  const faults = [
    ['its watches are silent', ['watch'], /its watches are silent/],
    ['nothing else is answered', ['get', 'list'], /kube-system/],
  ] as const;
  for (const [why, verbs, message] of faults) {
    const { id } = cluster.faults.add({ kind: 'silence', verbs: [...verbs] });
    await becomes('followed', true, `while ${why}`);
    await until('the cluster says why', async () => message.test((await rows.cluster('local'))?.message ?? ''));
    cluster.faults.remove(id);
    await becomes('followed', false, `after ${why}`);
  }
  // Staleness does not depend on this process's clock, so the clock may leap.
  clock.leap(3_600_000);
  await becomes('followed', false, 'after a leap of the clock');
});

/** The clusters and phases that the metric of the fleet shows. */
async function phases({ registry }: Metrics): Promise<string> {
  return registry.getSingleMetricAsString('ssvirt_fleet_cluster_phase');
}

function phaseIs(metrics: Metrics, name: string, wanted: string): Promise<void> {
  return until(`${name} is ${wanted} for the fleet`, async () =>
    (await phases(metrics)).includes(`{cluster="${name}",phase="${wanted}"} 1`),
  );
}

/** Only the watches of VMs are silent, which the probe of the fleet does not see. */
const silentVms = { kind: 'silence', verbs: ['watch'], path: '/apis/kubevirt.io/' };

test('the fleet knows that the watches of a cluster are silent for as long as the vm-controller finds that', async () => {
  const metrics = createMetrics(new Registry());
  const leading = new AbortController();
  control({ ...brief, metrics, leading: leading.signal });
  await cluster.create('noted', labels);
  await becomes('noted', false, 'when the cluster was reached');
  await phaseIs(metrics, 'local', 'Ready');
  const { id } = cluster.faults.add(silentVms);
  await phaseIs(metrics, 'local', 'Degraded');
  cluster.faults.remove(id);
  await phaseIs(metrics, 'local', 'Ready');
  // Whoever leads next may not find it silent.
  const again = cluster.faults.add(silentVms);
  await phaseIs(metrics, 'local', 'Degraded');
  leading.abort();
  await phaseIs(metrics, 'local', 'Ready');
  cluster.faults.remove(again.id);
});

test('a cluster that left while its watches were silent is reported again when it comes back and they are', async () => {
  const east = await startMemberCluster('east');
  try {
    await installKubeVirt(east);
    control(brief);
    const contacted = `SELECT contacted_at::text AS at FROM clusters WHERE name = 'east'`;
    const contact = async (): Promise<string | undefined> =>
      (await database.database.pool.query<{ at: string }>(contacted)).rows[0]?.at;
    let before: string | undefined;
    for (const credentials of [east, undefined]) {
      await putConfig(cluster, 'east', credentials);
      await until('it was reached', async () => ((await contact()) ?? before) !== before);
      const { id } = east.faults.add(silentVms);
      await condition(cluster, 'east', 'Reachable', 'False', 'WatchesSilent');
      await cluster.client.delete(kubevirtConfigs, { namespace: configs, name: 'east' });
      east.faults.remove(id);
      before = await contact();
    }
  } finally {
    for (const stop of running) await stop();
    await east.stop();
  }
});

test('where namespaces are read one by one, a single silent one is enough to make the cluster stale', async () => {
  const others = ['quiet-1', 'quiet-2', 'quiet-3'];
  for (const namespace of others) await makeVdc(database.database.db, { cluster: 'local', namespace });
  // The prefix of both kinds, in all namespaces at once.
  const forbidden = cluster.faults.add({ kind: '403', path: '/apis/kubevirt.io/v1/virtualmachine' });
  control(brief);
  await cluster.create('apart', labels);
  await becomes('apart', false, 'when the cluster was reached');
  const { id } = cluster.faults.add({ ...silentVms, path: '/apis/kubevirt.io/v1/namespaces/quiet-2/' });
  await becomes('apart', true, 'while the watches of one namespace are silent');
  cluster.faults.remove(id);
  await becomes('apart', false, 'when they deliver again');
  cluster.faults.remove(forbidden.id);
});

test('machines become stale when the vm-controller ends, with nothing written, and one that begins makes them current', async () => {
  control(brief);
  await cluster.create('left', labels);
  await showing('left', 'POWERED_ON');
  await becomes('left', false, 'while it is followed');
  for (const stop of running) await stop();
  const written = async (): Promise<unknown> =>
    (await database.database.pool.query(`SELECT xmin::text, state FROM clusters WHERE name = 'local'`)).rows[0];
  const before = await written();
  await becomes('left', true, 'without a vm-controller');
  assert.deepEqual(await written(), before);
  await cluster.remove('left');
  assert.deepEqual([await shown('left'), await stale('left')], ['POWERED_ON', true]);
  control(brief);
  await showing('left', 'DELETED');
  await becomes('early', false, 'when another one follows it');
});
