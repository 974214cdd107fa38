/**
 * One blow: several virtual data centers are under way in one replica, each is held at a step of its own, and then the replica is ended, paused, or its steps
 * stay on their way, until the other has taken over.
 */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { until } from '../../runtime/until.ts';
import { newName, type ReplicaGround, type Vdc } from './ground.ts';
import type { Replica } from './replica.ts';
import { Watched, type Point, type Written } from './stage.ts';

export const operations = ['create', 'update', 'delete', 'forced delete'] as const;
export type Operation = (typeof operations)[number];

/** kill: ended for good. pause: stopped, and woken up when the other is done. delay: what it has sent arrives when the other is done. */
export const blows = ['kill', 'pause', 'delay'] as const;
export type Blow = (typeof blows)[number];

export interface Strike {
  readonly operation: Operation;
  readonly blow: Blow;
  readonly points: readonly Point[];
  /** Which replica is struck. */
  readonly struck: 0 | 1;
}

const deadline = { deadlineMs: 120_000, everyMs: 20 };
const asked = { vmQuota: 7, computeCapacity: { memory: { limit: 2048 } }, storageLimitMb: 4000 };

interface Answer {
  /** Undefined where there was none. */
  status?: number;
  isThere: boolean;
}

/** Resolves to what was watched: those that were held show where. */
export async function strike(
  ground: ReplicaGround,
  { operation, blow, points, struck }: Strike,
): Promise<readonly Watched[]> {
  const [victim, survivor] = [ground.replicas[struck], ground.replicas[struck === 0 ? 1 : 0]];
  await Promise.all([victim.ready(), survivor.ready()]);
  const vdcs = operation === 'create' ? [] : await ground.made(points.length);
  if (operation === 'forced delete') for (const vdc of vdcs) await ground.addMachines(vdc);
  const watched = points.map((point, i) => new Watched(vdcs[i]?.name ?? newName(), point, vdcs[i]?.id));
  const names = watched.map(({ name }) => name);
  ground.stage.keepFromClaiming(survivor.name);
  ground.stage.watch(victim.name, watched);
  try {
    const answers = watched.map((one, i) => ask(ground, victim, operation, one, vdcs[i]));
    await until('each is held or done', () => allHeldOrDone(ground, watched, answers), deadline);
    if (watched.some(({ heldAt }) => heldAt !== undefined))
      await blowOf[blow]({ ground, operation, victim, survivor, watched, names });
    ground.stage.letClaim(survivor.name);
    await until('each request has ended', () => answers.every(({ isThere }) => isThere), deadline);
    await ground.agree(names);
    for (const [i, one] of watched.entries()) await requireKept(ground, operation, one, answers[i]?.status);
    requireOneAtATime(ground.stage.written);
    assert.deepEqual([...victim.ends, ...survivor.ends], [], 'a replica has ended by itself');
  } catch (error) {
    const where = watched.map(({ name, heldAt }) => `${name} was held at ${heldAt?.slice(0, 100) ?? 'nothing'}`);
    throw new Error(`${operation}, ${blow}:\n${where.join('\n')}`, { cause: error });
  } finally {
    for (const replica of ground.replicas) ground.stage.letClaim(replica.name);
    for (const one of watched) one.release(false);
  }
  return watched;
}

interface Scene {
  readonly ground: ReplicaGround;
  readonly operation: Operation;
  readonly victim: Replica;
  readonly survivor: Replica;
  readonly watched: readonly Watched[];
  readonly names: readonly string[];
}

const blowOf: Readonly<Record<Blow, (scene: Scene) => Promise<void>>> = {
  async kill({ ground, victim, survivor, watched, names }) {
    await victim.kill();
    for (const one of watched) one.release(false);
    ground.stage.letClaim(survivor.name);
    try {
      await ground.agree(names);
    } finally {
      victim.start();
    }
  },

  async pause({ ground, operation, victim, survivor, watched, names }) {
    victim.signal('SIGSTOP');
    try {
      for (const one of watched) one.release(true);
      ground.stage.letClaim(survivor.name);
      await freed(ground, watched);
      await ground.agree(names);
    } finally {
      victim.signal('SIGCONT');
    }
    const before = writesOf(ground, victim, watched);
    await victim.ready();
    await ground.agree(names);
    const late = writesOf(ground, victim, watched).slice(before.length);
    const harmful = late.filter((write) => !isSweep(operation, write));
    assert.deepEqual(harmful, [], 'it has written to the cluster after it woke up');
  },

  async delay({ ground, victim, survivor, watched, names }) {
    ground.stage.keepFromClaiming(victim.name);
    ground.stage.letClaim(survivor.name);
    await freed(ground, watched);
    await ground.agree(names);
    for (const one of watched) one.release(true);
  },
};

/** PostgreSQL has let go of what the struck one had locked: what it had not committed is undone. */
async function freed({ db }: ReplicaGround, watched: readonly Watched[]): Promise<void> {
  if (watched.every(({ heldAt }) => heldAt === undefined || !isStatement(heldAt))) return;
  const isFree = async (): Promise<boolean> => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND state_change < now() - interval '1 second'
    `.execute(db);
    return rows.length === 0;
  };
  await until('nothing is locked any more', isFree, deadline);
}

export function isStatement(step: string): boolean {
  return !/^(?:POST|PUT|PATCH|DELETE) \//.test(step);
}

/** One that wakes up may still see a namespace whose row is deleted, and asks for its end, by its uid: that one is gone. */
function isSweep(operation: Operation, write: string): boolean {
  return operation.endsWith('delete') && /DELETE \/api\/v1\/namespaces\/[^/]+$/.test(write);
}

function writesOf({ stage }: ReplicaGround, { name }: Replica, watched: readonly Watched[]): readonly string[] {
  const held = new Set(watched.filter(({ heldAt }) => heldAt !== undefined).map((one) => one.name));
  return stage.written
    .filter((one) => one.replica === name && held.has(one.vdc))
    .map(({ vdc, text }) => `${vdc} ${text}`);
}

function ask(ground: ReplicaGround, replica: Replica, operation: Operation, { name }: Watched, vdc?: Vdc): Answer {
  const answer: Answer = { isThere: false };
  const path = `${ground.vdcsPath}/urn:vcloud:vdc:${vdc?.id}`;
  const requests = {
    create: () => ground.ask(replica, 'POST', ground.vdcsPath, { body: { name, ...asked } }),
    update: () => ground.ask(replica, 'PUT', path, { body: asked }),
    delete: () => ground.ask(replica, 'DELETE', path),
    'forced delete': () => ground.ask(replica, 'DELETE', `${path}?force=true`),
  };
  requests[operation]()
    .then(({ status }) => (answer.status = status))
    // It was ended before it could answer.
    .catch(() => undefined)
    .finally(() => (answer.isThere = true));
  return answer;
}

async function allHeldOrDone(
  { db }: ReplicaGround,
  watched: readonly Watched[],
  answers: readonly Answer[],
): Promise<boolean> {
  const others = watched.filter(({ heldAt }, i) => heldAt === undefined || answers[i]?.isThere === undefined);
  if (others.length === 0) return true;
  if (others.some((one) => answers[watched.indexOf(one)]?.isThere !== true)) return false;
  const names = others.map(({ name }) => name);
  const { rows } = await sql`
    SELECT FROM tasks t JOIN vdcs v ON v.id = t.owner_id WHERE v.name = ANY (${names}::text[]) AND t.ended_at IS NULL
  `.execute(db);
  return rows.length === 0;
}

/** What was acknowledged is so; what was not may be, or not. */
async function requireKept(
  { db }: ReplicaGround,
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

/** The one writes, and then the other. What was late comes in between, and what it has done is mended by either. */
function requireOneAtATime(written: readonly Written[]): void {
  for (const vdc of new Set(written.map((one) => one.vdc))) {
    const all = written.filter((one) => one.vdc === vdc);
    const firstLate = all.findIndex(({ isLate }) => isLate);
    const hands = (firstLate === -1 ? all : all.slice(0, firstLate))
      .map(({ replica }) => replica)
      .filter((replica, i, list) => replica !== list[i - 1]);
    assert.ok(hands.length <= 2, `both wrote at once: ${JSON.stringify(all)}`);
  }
}
