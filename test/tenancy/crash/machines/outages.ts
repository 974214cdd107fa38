/**
 * The database or the connection to the cluster fails while VMs are created, changed and deleted: every acknowledged
 * request is fulfilled.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { until } from '../../../runtime/until.ts';
import { newName } from '../ground.ts';
import type { Replica } from '../replica.ts';
import type { MachineCrashGround } from './ground.ts';
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
export async function outageDuring(ground: MachineCrashGround, outage: Outage, awayMs: number): Promise<void> {
  await ground.ready();
  const subjects = ground.vdcs.map((vdc): Subject => ({ name: newName('m'), vdc }));
  const { stage } = ground.replicas;
  stage.watch(
    '',
    subjects.map(({ name }) => new Watched(name, undefined)),
  );
  const heard = await Promise.all(subjects.map((subject, i) => ask(ground, subject, i)));
  assert.deepEqual(
    heard.filter(({ status }) => status !== 202),
    [],
  );
  await until('somebody works on them', () => stage.written.length > 0, { deadlineMs: 60_000 });
  await away[outage](ground, awayMs);
  await Promise.all(ground.replicas.replicas.map((replica) => replica.ready()));
  await ground.agree();
  const { rows } = await sql<{ readonly name: string }>`
    SELECT name FROM vms WHERE name = ANY (${heard.map(({ name }) => name)}::text[]) AND deleted_at IS NULL
  `.execute(ground.db);
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), heard.map(({ name }) => name).toSorted());
  assert.deepEqual(doneTwice(stage.written), []);
  await ground.clear(ground.replicas.replicas[0]);
}

async function ask(ground: MachineCrashGround, subject: Subject, i: number): Promise<Heard> {
  const name = underWay[i % underWay.length] ?? 'create';
  const replica = ground.replicas.replicas[i % 2] as Replica;
  const { status } = await operationOf(name).ask(ground, replica, subject);
  return { name: subject.name, status };
}

async function withoutCluster(ground: MachineCrashGround, way: 'cut' | 'silence', awayMs: number): Promise<void> {
  const { replicas } = ground.replicas;
  for (const { cluster } of replicas) cluster[way]();
  try {
    await pause(awayMs);
  } finally {
    for (const { cluster } of replicas) cluster.heal();
  }
}

const away: Readonly<Record<Outage, (ground: MachineCrashGround, awayMs: number) => Promise<void>>> = {
  cut: (ground, awayMs) => withoutCluster(ground, 'cut', awayMs),
  silence: (ground, awayMs) => withoutCluster(ground, 'silence', awayMs),
  async database(ground, awayMs) {
    const { postgres } = ground.replicas.database;
    await postgres.kill();
    try {
      await pause(awayMs);
    } finally {
      await postgres.start();
    }
  },
};
