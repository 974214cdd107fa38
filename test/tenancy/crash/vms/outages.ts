/**
 * The database or the connection to the cluster fails while VMs are created, changed and deleted: every acknowledged
 * request is fulfilled.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { until } from '../../../runtime/until.ts';
import { newName } from '../harness.ts';
import type { Replica } from '../replica.ts';
import type { MachineCrashHarness } from './harness.ts';
import { doneTwice } from './once.ts';
import { Watched } from '../stage.ts';
import { operationOf, type OperationName, type Subject } from './operations.ts';

export const outages = ['database', 'cut', 'silence'] as const;
export type Outage = (typeof outages)[number];

/** The operations in progress when the outage begins. */
const underWay: readonly OperationName[] = ['create', 'instantiate', 'create of a machine template'];

interface Heard {
  readonly name: string;
  status: number;
}

/** The outage lasts at least `awayMs`. */
export async function outageDuring(harness: MachineCrashHarness, outage: Outage, awayMs: number): Promise<void> {
  await harness.ready();
  const subjects = harness.vdcs.map((vdc): Subject => ({ name: newName('m'), vdc }));
  const { stage } = harness.replicas;
  stage.watch(
    '',
    subjects.map(({ name }) => new Watched(name, undefined)),
  );
  const heard = await Promise.all(subjects.map((subject, i) => ask(harness, subject, i)));
  assert.deepEqual(
    heard.filter(({ status }) => status !== 202),
    [],
  );
  await until('somebody works on them', () => stage.written.length > 0, { deadlineMs: 60_000 });
  await away[outage](harness, awayMs);
  await Promise.all(harness.replicas.replicas.map((replica) => replica.ready()));
  await harness.agree();
  const { rows } = await sql<{ readonly name: string }>`
    SELECT name FROM vms WHERE name = ANY (${heard.map(({ name }) => name)}::text[]) AND deleted_at IS NULL
  `.execute(harness.db);
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), heard.map(({ name }) => name).toSorted());
  assert.deepEqual(doneTwice(stage.written), []);
  await harness.clear(harness.replicas.replicas[0]);
}

async function ask(harness: MachineCrashHarness, subject: Subject, i: number): Promise<Heard> {
  const name = underWay[i % underWay.length] ?? 'create';
  const replica = harness.replicas.replicas[i % 2] as Replica;
  const { status } = await operationOf(name).ask(harness, replica, subject);
  return { name: subject.name, status };
}

async function withoutCluster(harness: MachineCrashHarness, way: 'cut' | 'silence', awayMs: number): Promise<void> {
  const { replicas } = harness.replicas;
  for (const { cluster } of replicas) cluster[way]();
  try {
    await pause(awayMs);
  } finally {
    for (const { cluster } of replicas) cluster.heal();
  }
}

const away: Readonly<Record<Outage, (harness: MachineCrashHarness, awayMs: number) => Promise<void>>> = {
  cut: (harness, awayMs) => withoutCluster(harness, 'cut', awayMs),
  silence: (harness, awayMs) => withoutCluster(harness, 'silence', awayMs),
  async database(harness, awayMs) {
    const { postgres } = harness.replicas.database;
    await postgres.kill();
    try {
      await pause(awayMs);
    } finally {
      await postgres.start();
    }
  },
};
