import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { VmObservation, WriteResult } from '../../../db/observations/contracts.ts';
import type { Cluster } from '@ssvirt/kube/cluster';
import { FakeClock } from '@ssvirt/kube/fake-clock';
import { VmStatusMetrics } from '../metrics.ts';
import type { Mark } from './pending.ts';
import { Reports } from './reports.ts';

interface Line {
  readonly msg: string;
  readonly [field: string]: unknown;
}

class World {
  readonly clock = new FakeClock();
  readonly registry = new Registry();
  readonly events: string[] = [];
  readonly lines: Line[] = [];
  readonly unmanaged: boolean[] = [];
  readonly contested: string[] = [];
  recovered = 0;
  readonly reports: Reports;

  constructor(level = 'info') {
    const metrics = new VmStatusMetrics(this.registry, { pending: () => 0, failing: () => 0 });
    metrics.setNamespaces(new Set(['a']));
    const event = (object: { metadata: { name?: string } }, _type: string, reason: string, message: string): void =>
      void this.events.push(`${object.metadata.name} ${reason}: ${message}`);
    this.reports = new Reports({
      metrics,
      // The code under test uses only the recorder of a cluster.
      clusterOf: () => ({ recorder: { event } }) as unknown as Cluster,
      uidOf: () => 'uid',
      unmanaged: (_, isSo) => void this.unmanaged.push(isSo),
      contested: (_, uid) => void this.contested.push(uid),
      recovered: () => void this.recovered++,
      clock: this.clock,
      log: pino({ level }, { write: (text: string) => void this.lines.push(JSON.parse(text) as Line) }),
    });
  }

  write(result: WriteResult, more: Partial<Mark> = {}): void {
    const mark: Mark = { cluster: 'east', key: 'a/web', seenAt: this.clock.now(), ...more };
    this.reports.written(mark, observation, result, 5);
  }

  async count(metric: string): Promise<number> {
    const line = (await this.registry.metrics()).split('\n').find((one) => one.startsWith(metric));
    return Number(line?.split(' ').at(-1) ?? 0);
  }
}

const observation: VmObservation = {
  cluster: 'east',
  namespace: 'a',
  name: 'web',
  uid: 'uid',
  generation: 1,
  status: 'POWERED_ON',
  debouncing: false,
  busy: false,
  restartRequired: false,
  ipAddresses: [],
  disks: [],
};
const changed: WriteResult = { outcome: 'updated', vmId: 'id', oldStatus: 'POWERING_ON', newStatus: 'POWERED_ON' };

test('a change of status is counted, told and logged with its fields', async () => {
  const world = new World();
  world.write(changed);
  assert.deepEqual(world.events, ['web StatusUpdated: VM status updated to POWERED_ON']);
  const { vm, namespace, cluster, vmID, oldStatus, newStatus } = world.lines[0] ?? { msg: '' };
  assert.deepEqual(
    [vm, namespace, cluster, vmID, oldStatus, newStatus],
    ['web', 'a', 'east', 'id', 'POWERING_ON', 'POWERED_ON'],
  );
  assert.equal(await world.count('ssvirt_vm_status_updates_total'), 1);
  assert.equal(await world.count('ssvirt_vm_status_lag_seconds_count'), 1);
});

test('what changed nothing is not counted, and a change of details is no news', async () => {
  const world = new World();
  world.write({ ...changed, outcome: 'unchanged' });
  world.write({ ...changed, outcome: 'older' });
  assert.equal(await world.count('ssvirt_vm_status_updates_total'), 0);
  world.write({ ...changed, oldStatus: 'POWERED_ON' });
  assert.equal(await world.count('ssvirt_vm_status_updates_total'), 1);
  assert.deepEqual([world.events, world.lines], [[], []]);
});

test('what was there before us is no Event and no line, but a number', async () => {
  const world = new World();
  world.write({ outcome: 'bound', vmId: 'id', newStatus: 'POWERED_ON' }, { seenAt: undefined });
  assert.deepEqual([world.events, world.lines], [[], []]);
  const ending = new AbortController();
  const saying = world.reports.run(ending.signal);
  await world.clock.advance(10_000);
  assert.deepEqual(
    world.lines.map(({ msg, changes }) => `${msg} ${String(changes)}`),
    ['more VM status changes 1'],
  );
  ending.abort();
  await saying;
});

test('a change that happened while no controller watched is an Event and a line', () => {
  const world = new World();
  world.write(changed, { seenAt: undefined });
  assert.deepEqual(world.events, ['web StatusUpdated: VM status updated to POWERED_ON']);
  assert.deepEqual(
    world.lines.map(({ msg, newStatus }) => [msg, newStatus]),
    [['updated VM status', 'POWERED_ON']],
  );
});

test('many changes at once are a few Events and lines; the rest is counted', async () => {
  const world = new World();
  for (let i = 0; i < 200; i++) world.write(changed, { key: `a/vm-${i}` });
  assert.deepEqual([world.events.length, world.lines.length], [25, 50]);
  assert.equal(await world.count('ssvirt_vm_status_events_dropped_total'), 175);
  await world.clock.advance(1000);
  for (let i = 0; i < 200; i++) world.write(changed, { key: `a/vm-${i}` });
  assert.equal(world.events.length, 30, 'five a second');
});

test('one cluster that is busy takes no Events from another', () => {
  const world = new World();
  for (let i = 0; i < 100; i++) world.write(changed);
  world.write(changed, { cluster: 'west', key: 'a/other' });
  assert.equal(world.events.at(-1), 'other StatusUpdated: VM status updated to POWERED_ON');
});

test('a machine without a row is noted as such, and as one that has one later', () => {
  const world = new World();
  world.write({ outcome: 'unmanaged' });
  world.write({ outcome: 'bound', vmId: 'id', newStatus: 'POWERED_ON' });
  assert.deepEqual(world.unmanaged, [true, false]);
  assert.equal(world.events.length, 1);
});

test('a machine that is there though its row says DELETED is looked at again, and one that was overtaken is not', () => {
  const world = new World();
  world.write({ outcome: 'older', vmId: 'id', oldStatus: 'POWERED_ON' });
  assert.deepEqual(world.contested, []);
  world.write({ outcome: 'older', vmId: 'id', oldStatus: 'DELETED' });
  assert.deepEqual(world.contested, ['uid']);
});

test('a row that fails is an Event the first time and when it is put down, and counted each time', async () => {
  const world = new World();
  const mark: Mark = { cluster: 'east', key: 'a/web', seenAt: 1 };
  const type = 'database_update_refused';
  for (let attempts = 1; attempts <= 12; attempts++)
    world.reports.rowFailed(mark, { type, status: 'POWERED_ON', attempts, given: attempts === 11 });
  assert.deepEqual(world.events, [
    `web DatabaseUpdateFailed: Failed to update VM status in database: ${type}; trying again`,
    `web ReconciliationFailed: Failed to update VM status after 11 attempts: ${type}; still trying`,
  ]);
  assert.equal(await world.count('ssvirt_vm_reconcile_errors_total'), 12);
  assert.equal(await world.count('ssvirt_vm_sync_failures_total'), 1);
  const failed = 'ssvirt_vm_status_updates_total{namespace="a",status="POWERED_ON",result="error"}';
  assert.equal(await world.count(failed), 12);
});

test('an unavailable database is logged once, until it is back', () => {
  const world = new World();
  const marks: readonly Mark[] = [{ cluster: 'east', key: 'a/web', seenAt: 1 }];
  const away = Object.assign(new Error('away'), { code: '57P01' });
  for (let i = 0; i < 3; i++) world.reports.unavailable(away, marks);
  assert.deepEqual([world.lines.length, world.events.length, world.recovered], [1, 1, 0]);
  world.reports.available();
  world.reports.unavailable(away, marks);
  assert.deepEqual([world.lines.length, world.events.length, world.recovered], [3, 2, 1]);
});
