/** One blow while VMs and vApps are created, changed and deleted. */
import assert from 'node:assert/strict';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../../packages/ssvirt/src/db/schema/schema.ts';
import { strikeIn, whereHeld, type Blow } from '../blow.ts';
import { newName } from '../harness.ts';
import type { Replica } from '../replica.ts';
import { Watched, type Point, type Written } from '../stage.ts';
import type { MachineCrashHarness } from './harness.ts';
import { doneTwice } from './once.ts';
import {
  operationOf,
  type EndedTask,
  type Kept,
  type Operation,
  type OperationName,
  type Subject,
} from './operations.ts';

export interface MachineStrike {
  readonly operation: OperationName;
  readonly blow: Blow;
  readonly points: readonly Point[];
  /** Which replica is struck. */
  readonly struck: 0 | 1;
  /** The vm-controller is killed with it. */
  readonly alone?: boolean;
}

/** Resolves to the watched subjects: those that were held show where. */
export async function strikeMachines(
  harness: MachineCrashHarness,
  { operation: name, blow, points, struck, alone = false }: MachineStrike,
): Promise<readonly Watched[]> {
  const operation = operationOf(name);
  await harness.ready();
  const subjects = await prepared(
    harness,
    points.map(() => operation),
  );
  const watched = subjects.map((subject, i) => watchedOf(subject, points[i]));
  const { stage, db, replicas } = harness.replicas;
  const since = await nowIn(db);
  const fault = operation.isRefused === true ? refuse(harness) : undefined;
  const scene = {
    stage,
    db,
    replicas,
    watched,
    ask: (replica: Replica, i: number) => operation.ask(harness, replica, subjects[i] as Subject),
    hasEnded: (some: readonly Watched[]) => hasEnded(harness, some),
    agree: () => harness.agree(),
    isHarmless: isSweep,
    claimOf: objectOf,
    ...(alone ? { onBlow: () => harness.controller.signal('SIGKILL') } : {}),
  };
  try {
    const answers = await strikeIn(scene, blow, struck);
    for (const [i, one] of watched.entries())
      await requireKept(harness, operation, one, { since, status: answers[i]?.status });
    assert.deepEqual(doneTwice(stage.written), []);
  } catch (error) {
    throw new Error(`${name}, ${blow}:\n${whereHeld(scene)}`, { cause: error });
  } finally {
    if (fault !== undefined) harness.cluster.faults.remove(fault);
  }
  await harness.clear(replicas[struck === 0 ? 1 : 0]);
  return watched;
}

/** A subject for each operation, created in advance if the operation needs an existing object. */
export async function prepared(
  harness: MachineCrashHarness,
  operations: readonly Operation[],
): Promise<readonly Subject[]> {
  const { replicas } = harness.replicas;
  const subjects = harness.vdcs.slice(0, operations.length).map((vdc): Subject => ({ name: newName('m'), vdc }));
  if (operations.every(({ before }) => before === undefined)) return subjects;
  await Promise.all(
    subjects.map(async (subject, i) => {
      const made = await operations[i]?.before?.(harness, replicas[i % 2] as Replica, subject);
      if (made !== undefined && made.status !== 202)
        throw new Error(`cannot make what is there before: ${made.status} ${JSON.stringify(made.body)}`);
    }),
  );
  await harness.agree();
  return Promise.all(subjects.map(async (subject) => ({ ...subject, ...(await idsOf(harness, subject)) })));
}

export function watchedOf({ name, vapp, vm }: Subject, point?: Point): Watched {
  return new Watched(name, point, present(vapp, vm));
}

async function idsOf({ db }: MachineCrashHarness, { name, vdc }: Subject): Promise<Pick<Subject, 'vapp' | 'vm'>> {
  const { rows } = await sql<{ readonly vapp: string; readonly vm: string }>`
    SELECT a.id AS vapp, v.id AS vm FROM vms v JOIN vapps a ON a.id = v.vapp_id
    WHERE a.vdc_id = ${vdc.id} AND v.name = ${name} AND v.deleted_at IS NULL
  `.execute(db);
  return rows[0] ?? {};
}

function present(...ids: readonly (string | undefined)[]): readonly string[] {
  return ids.filter((id) => id !== undefined);
}

function refuse({ cluster }: MachineCrashHarness): string {
  const path = '/apis/kubevirt.io/v1/namespaces/*/virtualmachines';
  return cluster.faults.add({ kind: '403', path, verbs: ['create'] }).id;
}

async function hasEnded({ db }: MachineCrashHarness, watched: readonly Watched[]): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM tasks t WHERE t.ended_at IS NULL AND t.owner_id IN (
      SELECT id FROM vapps WHERE name = ANY (${namesOf(watched)}::text[]) UNION SELECT id FROM vms WHERE name = ANY (${namesOf(watched)}::text[])
    )
  `.execute(db);
  return rows.length === 0;
}

function namesOf(watched: readonly Watched[]): readonly string[] {
  return watched.map(({ name }) => name);
}

/**
 * A replica that wakes up may see an object whose row is deleted, and send a DELETE with its uid: that object is
 * already gone.
 */
function isSweep(write: string): boolean {
  return / DELETE \/apis\/[^ ]+\/(?:virtualmachines|templateinstances)\/[^/]+$/.test(write);
}

/** Work on a vApp is separate from work on its VMs, so the claim is that of the object. */
function objectOf({ subject, text }: Written): string {
  const [, path = ''] = text.split(' ');
  const [, plural = ''] = /\/namespaces\/[^/]+\/([^/]+)/.exec(path) ?? [];
  return `${subject} ${plural}`;
}

interface Asked {
  readonly since: Date;
  readonly status: number | undefined;
  /** A 503 is allowed even if no replica on its way was struck. */
  readonly mayWait?: boolean;
}

/** An acknowledged operation must have taken effect; any other may or may not have. */
export async function requireKept(
  { db }: MachineCrashHarness,
  { isKept, mayEnd = isWell }: Operation,
  { name, heldAt }: Watched,
  { since, status, mayWait = false }: Asked,
): Promise<void> {
  assert.ok(status === undefined || status === 202 || status === 503, `${name} was answered by ${status}`);
  if (heldAt === undefined && !(mayWait && status === 503)) assert.equal(status, 202, name);
  const tasks = await tasksOf(db, name, since);
  assert.deepEqual(
    tasks.filter((task) => !mayEnd(task)),
    [],
    name,
  );
  if (status !== 202) return;
  assert.notEqual(tasks.length, 0, `${name} was acknowledged, and has no task`);
  const kept = await keptOf(db, name);
  assert.ok(isKept(kept), `${name}: ${JSON.stringify(kept)}`);
}

function isWell({ status }: EndedTask): boolean {
  return status === 'success';
}

async function tasksOf(db: Kysely<Tables>, name: string, since: Date): Promise<readonly EndedTask[]> {
  const { rows } = await sql<EndedTask>`
    SELECT operation, status, error ->> 'message' AS message FROM tasks WHERE created_at > ${since} AND owner_id IN (
      SELECT id FROM vapps WHERE name = ${name} UNION SELECT id FROM vms WHERE name = ${name}
    )
  `.execute(db);
  return rows;
}

async function keptOf(db: Kysely<Tables>, name: string): Promise<Kept> {
  const { rows: vms } = await sql<Kept['vms'][number] & { readonly vapp_id: string }>`
    SELECT vapp_id, desired_power, cpu_count, memory_mb, spec FROM vms WHERE name = ${name} AND deleted_at IS NULL
  `.execute(db);
  const { rows: vapps } = await sql`
    SELECT FROM vapps WHERE deleted_at IS NULL AND (name = ${name} OR id = ANY (${vms.map((vm) => vm.vapp_id)}::uuid[]))
  `.execute(db);
  return { vms, vapps: vapps.length };
}

export async function nowIn(db: Kysely<Tables>): Promise<Date> {
  const { rows } = await sql<{ readonly now: Date }>`SELECT clock_timestamp() AS now`.execute(db);
  return rows[0]?.now ?? new Date();
}
