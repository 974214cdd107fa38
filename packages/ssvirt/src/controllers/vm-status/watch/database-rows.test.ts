/** Changes that others make to rows, received from a real PostgreSQL. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { startTestDatabase, type TestDatabase } from '../../../../../../test/database/harness.ts';
import { makeVapp, makeVdc, makeVm, unique } from '../../../../../../test/database/rows.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { requestRetry } from '../../../db/clusters/sync-failures.ts';
import type { VmId } from '../../../db/schema/schema.ts';
import { databaseRows } from './database-rows.ts';
import type { RowChangeHandlers } from './row-changes.ts';

let running: TestDatabase;
before(async () => {
  running = await startTestDatabase();
});
after(() => running?.stop());

async function following(handlers: Partial<RowChangeHandlers>, act: () => Promise<void>): Promise<void> {
  const ending = new AbortController();
  const rows = databaseRows({ database: running.database, log: pino({ level: 'silent' }) });
  const nothing = {
    machines: () => undefined,
    vapps: () => undefined,
    vdcs: () => Promise.resolve(),
    retries: () => undefined,
  };
  const ended = rows.follow({ ...nothing, ...handlers, signal: ending.signal });
  try {
    await act();
  } finally {
    ending.abort();
    await ended;
  }
}

test('a notification that failed is sent again', async () => {
  const { db } = running.database;
  const vapp = await makeVapp(db);
  const told: string[] = [];
  let starts = 0;
  const machines: RowChangeHandlers['machines'] = (found) => {
    told.push(...found.map(({ name }) => name));
    if (told.length === 1) throw new Error('not now');
  };
  const vdcs = (): Promise<void> => Promise.resolve(void starts++);
  await following({ machines, vdcs }, async () => {
    await until('it follows', () => starts > 0);
    const { vm_name } = await makeVm(db, { vapp_id: vapp.id, name: unique('told') });
    await until('it is told twice', () => told.length >= 2);
    assert.deepEqual(told, [vm_name, vm_name]);
  });
});

test('VDCs that could not be read at the start are read again', async () => {
  let reads = 0;
  const vdcs = async (): Promise<void> => {
    if (++reads === 1) throw new Error('too many connections');
  };
  await following({ vdcs }, () => until('they are read again', () => reads === 2));
});

test('for a vApp it reports the VDC in which it came and went, and no other', async () => {
  const { db, pool } = running.database;
  const { id, cluster, namespace } = await makeVdc(db);
  await makeVdc(db);
  const told: unknown[] = [];
  let starts = 0;
  const vdcs = (): Promise<void> => Promise.resolve(void starts++);
  await following({ vapps: (places) => void told.push(places), vdcs }, async () => {
    await until('it follows', () => starts > 0);
    const vapp = await makeVapp(db, { vdc_id: id });
    await until('it is reported', () => told.length === 1);
    await pool.query('UPDATE vapps SET deleted_at = now() WHERE id = $1', [vapp.id]);
    await until('it is told again', () => told.length === 2);
    assert.deepEqual(told, [[{ cluster, namespace }], [{ cluster, namespace }]]);
  });
});

test('a request to write the state of a VM is reported with its place', async () => {
  const { db } = running.database;
  const place = { cluster: 'east', namespace: unique('ns') };
  const { id } = await db
    .insertInto('sync_failures')
    .values({ ...place, vm_name: 'web', error_type: 'x', message: 'y', attempts: 11, vm_id: null as VmId | null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const told: unknown[] = [];
  let starts = 0;
  const vdcs = (): Promise<void> => Promise.resolve(void starts++);
  await following({ retries: (places) => void told.push(...places), vdcs }, async () => {
    await until('it follows', () => starts > 0);
    await db.transaction().execute((tx) => requestRetry(tx, id));
    await until('it is reported', () => told.length === 1);
    assert.deepEqual(told, [{ ...place, name: 'web' }]);
  });
});
