/** One blow while VDCs are created, changed and deleted. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Told } from '../../processes/api-server.ts';
import { strikeIn, whereHeld, type Blow } from './blow.ts';
import { newName, type ReplicaHarness, type Vdc } from './harness.ts';
import type { Replica } from './replica.ts';
import { Watched, type Point } from './stage.ts';

export const operations = ['create', 'update', 'delete', 'forced delete'] as const;
export type Operation = (typeof operations)[number];

export interface Strike {
  readonly operation: Operation;
  readonly blow: Blow;
  readonly points: readonly Point[];
  /** Which replica is struck. */
  readonly struck: 0 | 1;
}

const asked = { vmQuota: 7, computeCapacity: { memory: { limit: 2048 } }, storageLimitMb: 4000 };

/** Resolves to the watched subjects: those that were held show where. */
export async function strike(
  harness: ReplicaHarness,
  { operation, blow, points, struck }: Strike,
): Promise<readonly Watched[]> {
  await Promise.all(harness.replicas.map((replica) => replica.ready()));
  const vdcs = operation === 'create' ? [] : await harness.made(points.length);
  if (operation === 'forced delete') for (const vdc of vdcs) await harness.addMachines(vdc);
  const watched = points.map((point, i) => new Watched(vdcs[i]?.name ?? newName(), point, idsOf(vdcs[i])));
  const { stage, db, replicas } = harness;
  const scene = {
    stage,
    db,
    replicas,
    watched,
    ask: (replica: Replica, i: number) => ask(harness, replica, operation, watched[i]?.name ?? '', vdcs[i]),
    hasEnded: (some: readonly Watched[]) => hasEnded(harness, some),
    agree: () => harness.agree(watched.map(({ name }) => name)),
    isHarmless: (write: string) => isSweep(operation, write),
    claimOf: ({ subject }: { readonly subject: string }) => subject,
  };
  try {
    const answers = await strikeIn(scene, blow, struck);
    for (const [i, one] of watched.entries()) await requireKept(harness, operation, one, answers[i]?.status);
  } catch (error) {
    throw new Error(`${operation}, ${blow}:\n${whereHeld(scene)}`, { cause: error });
  }
  return watched;
}

function idsOf(vdc: Vdc | undefined): readonly string[] {
  return vdc === undefined ? [] : [vdc.id];
}

/**
 * A replica that wakes up may still see a namespace whose row is deleted, and send a DELETE with its uid: that
 * namespace is already gone.
 */
function isSweep(operation: Operation, write: string): boolean {
  return operation.endsWith('delete') && /DELETE \/api\/v1\/namespaces\/[^/]+$/.test(write);
}

function ask(harness: ReplicaHarness, replica: Replica, operation: Operation, name: string, vdc?: Vdc): Promise<Told> {
  const path = `${harness.vdcsPath}/urn:vcloud:vdc:${vdc?.id}`;
  const requests = {
    create: () => harness.ask(replica, 'POST', harness.vdcsPath, { body: { name, ...asked } }),
    update: () => harness.ask(replica, 'PUT', path, { body: asked }),
    delete: () => harness.ask(replica, 'DELETE', path),
    'forced delete': () => harness.ask(replica, 'DELETE', `${path}?force=true`),
  };
  return requests[operation]();
}

async function hasEnded({ db }: ReplicaHarness, watched: readonly Watched[]): Promise<boolean> {
  const names = watched.map(({ name }) => name);
  const { rows } = await sql`
    SELECT FROM tasks t JOIN vdcs v ON v.id = t.owner_id WHERE v.name = ANY (${names}::text[]) AND t.ended_at IS NULL
  `.execute(db);
  return rows.length === 0;
}

/** An acknowledged operation must have taken effect; any other may or may not have. */
async function requireKept(
  { db }: ReplicaHarness,
  operation: Operation,
  { name, heldAt }: Watched,
  status: number | undefined,
): Promise<void> {
  assert.ok(status === undefined || status === 202 || status === 503, `${name} was answered by ${status}`);
  if (heldAt === undefined) assert.equal(status, 202, name);
  if (status !== 202) return;
  const row = await db
    .selectFrom('vdcs')
    .select(['deleted_at', 'vm_quota', 'memory_limit_mb', 'storage_limit_mb'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  if (operation === 'delete' || operation === 'forced delete')
    assert.notEqual(row.deleted_at, null, `${name} is there`);
  else assert.deepEqual(row, { deleted_at: null, vm_quota: 7, memory_limit_mb: 2048, storage_limit_mb: 4000 }, name);
}
