/** Observations of VMs wake only the work that waits for them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pino } from 'pino';
import { startTestDatabase, type TestDatabase } from '../../../../../../test/database/harness.ts';
import { makeVm, observe } from '../../../../../../test/database/rows.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { claimDue, completeClaim, requestReconciliation } from '../../../db/work-queue/reconciliations.ts';
import { createTask } from '../../../db/tasks/tasks.ts';
import { systemClock } from '@ssvirt/kube/clock';
import { wakeOnVms, wakeOnRequests } from './change-wakeup.ts';

suite('the feed of rows', () => {
  let harness: TestDatabase;
  let ended: Promise<unknown>;
  const stopping = new AbortController();
  const woken: (string | undefined)[] = [];
  before(async () => {
    harness = await startTestDatabase();
    const { database } = harness;
    const parts = { database, log: pino({ level: 'silent' }), clock: systemClock };
    const wake = (kind?: string): void => void woken.push(kind);
    const { signal } = stopping;
    ended = Promise.all([wakeOnRequests({ ...parts, wake }, signal), wakeOnVms({ ...parts, wake }, 10, signal)]);
    await until('both feeds have begun', () => woken.length >= 2);
  });
  after(async () => {
    stopping.abort();
    await ended;
    await harness?.stop();
  });

  test('marks a machine with a held claim as due, and wakes the work on machines alone', async () => {
    const { db } = harness.database;
    const waiting = await makeVm(db);
    const idle = await makeVm(db, { vapp_id: waiting.vapp_id });
    await requestReconciliation(db, 'vm', waiting.id, waiting.cluster);
    const request = { kind: 'vm', owner: 'one', clusters: [waiting.cluster], limit: 1, leaseMs: 60_000 } as const;
    const [claim] = await claimDue(db, request);
    assert.ok(claim);
    await completeClaim(db, claim, { dueInMs: 600_000 });
    await until('what was asked for has been told', () => woken.includes('vm'));
    woken.length = 0;
    await observe(db, idle, 'POWERED_ON');
    await observe(db, waiting, 'POWERED_ON');
    await until('it is due', async () => (await claimDue(db, request)).length === 1);
    await until('the work is woken', () => woken.length > 0);
    assert.deepEqual(new Set(woken), new Set(['vm']));
  });

  test('wakes the work of the kind that a task is made for, and not when it goes on', async () => {
    const { db } = harness.database;
    woken.length = 0;
    const vm = await makeVm(db);
    await until('its making has been told', () => woken.includes('vm'));
    woken.length = 0;
    const { organization_id, vapp_id } = vm;
    const task = { organization_id, owner_kind: 'vapp', owner_id: vapp_id, operation: 'vappPowerOn' };
    const { id } = await createTask(db, task);
    await until('the work is woken', () => woken.length > 0);
    await db.updateTable('tasks').set({ status: 'running' }).where('id', '=', id).execute();
    await createTask(db, { ...task, owner_kind: 'vm', owner_id: vm.id, operation: 'vmPowerOn' });
    await until('it is woken again', () => woken.includes('vm'));
    assert.deepEqual(woken, ['vapp', 'vm']);
  });
});
