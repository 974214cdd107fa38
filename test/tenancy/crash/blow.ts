/**
 * One blow: one replica works on several objects, each is held at a step of its own, and then the replica is killed or
 * paused, or its held steps stay in flight, until the other replica has taken over.
 */
import assert from 'node:assert/strict';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../packages/ssvirt/src/db/schema/schema.ts';
import { until } from '../../runtime/until.ts';
import type { Replica } from './replica.ts';
import type { Stage, Watched, Written } from './stage.ts';

/**
 * kill: the replica is killed. pause: it is stopped, and resumes when the other is done. delay: what it has sent
 * arrives when the other is done.
 */
export const blows = ['kill', 'pause', 'delay'] as const;
export type Blow = (typeof blows)[number];

/** The setting of a blow, and the conditions that must hold afterwards. */
export interface Scene {
  readonly stage: Stage;
  readonly db: Kysely<Tables>;
  readonly replicas: readonly [Replica, Replica];
  readonly watched: readonly Watched[];
  /** Sends the tested request to one of the replicas. */
  ask(replica: Replica, i: number): Promise<{ readonly status: number }>;
  /** Whether no work is left for these. */
  hasEnded(watched: readonly Watched[]): Promise<boolean>;
  /** Resolves when rows and cluster agree, and no work is left. */
  agree(): Promise<void>;
  /** Whether a replica that wakes up may still make this write. */
  isHarmless(write: string): boolean;
  /** Called right before the blow. */
  onBlow?(): void;
  /** The claim that a write belongs to: only one replica may write under it at a time. */
  readonly claimOf: (written: Written) => string;
}

/** The answer to a request. */
export interface Answer {
  /** Undefined without an answer. */
  status?: number;
  isThere: boolean;
}

const deadline = { deadlineMs: 120_000, everyMs: 20 };

/** Resolves to the answers when everything is over. */
export async function strikeIn(scene: Scene, blow: Blow, struck: 0 | 1): Promise<readonly Answer[]> {
  const { stage, replicas, watched } = scene;
  const [victim, survivor] = [replicas[struck], replicas[struck === 0 ? 1 : 0]];
  stage.keepFromClaiming(survivor.name);
  stage.watch(victim.name, watched);
  try {
    const answers = watched.map((_, i) => ask(scene, victim, i));
    await until('each is held or done', () => allHeldOrDone(scene, answers), deadline);
    for (const one of watched) one.stepsAtBlow = one.steps.length;
    scene.onBlow?.();
    if (watched.some(({ heldAt }) => heldAt !== undefined)) await blowOf[blow](scene, victim, survivor);
    stage.letClaim(survivor.name);
    await until('each request has ended', () => answers.every(({ isThere }) => isThere), deadline);
    await scene.agree();
    requireOneAtATime(scene);
    assert.deepEqual([...victim.ends, ...survivor.ends], [], 'a replica has ended by itself');
    return answers;
  } finally {
    for (const replica of replicas) stage.letClaim(replica.name);
    for (const one of watched) one.release(false);
  }
}

/** The held steps and the logs of the replicas, for an error message. */
export function whereHeld({ watched, replicas }: Pick<Scene, 'watched' | 'replicas'>): string {
  const held = watched.map(({ name, heldAt }) => `${name} was held at ${heldAt?.slice(0, 100) ?? 'nothing'}`);
  const logs = replicas.map(({ name, log }) => `${name}:\n${log.slice(-2000)}`);
  return [...held, ...logs].join('\n');
}

const blowOf: Readonly<Record<Blow, (scene: Scene, victim: Replica, survivor: Replica) => Promise<void>>> = {
  async kill(scene, victim, survivor) {
    await victim.kill();
    for (const one of scene.watched) one.release(false);
    scene.stage.letClaim(survivor.name);
    try {
      await scene.agree();
    } finally {
      victim.start();
    }
  },

  async pause(scene, victim, survivor) {
    victim.signal('SIGSTOP');
    try {
      for (const one of scene.watched) one.release(true);
      scene.stage.letClaim(survivor.name);
      await freed(scene);
      await scene.agree();
    } finally {
      victim.signal('SIGCONT');
    }
    const before = writesOf(scene, victim);
    await victim.ready();
    await scene.agree();
    const late = writesOf(scene, victim).slice(before.length);
    const harmful = late.filter((write) => !scene.isHarmless(write));
    assert.deepEqual(harmful, [], 'it has written to the cluster after it woke up');
  },

  async delay(scene, victim, survivor) {
    scene.stage.keepFromClaiming(victim.name);
    scene.stage.letClaim(survivor.name);
    await freed(scene);
    await scene.agree();
    for (const one of scene.watched) one.release(true);
  },
};

/**
 * Resolves when PostgreSQL has released the locks of the struck replica: its uncommitted work is rolled back, and
 * cannot be committed when it wakes up.
 */
async function freed({ db, watched }: Scene): Promise<void> {
  if (watched.every(({ heldAt }) => heldAt === undefined || !isStatement(heldAt))) return;
  const { rows: now } = await sql<{ readonly at: Date }>`SELECT clock_timestamp() AS at`.execute(db);
  const struckAt = now[0]?.at ?? new Date();
  const isFree = async (): Promise<boolean> => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND xact_start < ${struckAt}
    `.execute(db);
    return rows.length === 0;
  };
  await until('nothing is locked any more', isFree, deadline);
}

export function isStatement(step: string): boolean {
  return !/^(?:POST|PUT|PATCH|DELETE) \//.test(step);
}

function writesOf({ stage, watched }: Scene, { name }: Replica): readonly string[] {
  const held = new Set(watched.filter(({ heldAt }) => heldAt !== undefined).map((one) => one.name));
  return stage.written
    .filter((one) => one.replica === name && held.has(one.subject) && !isInVain(one))
    .map(({ subject, text }) => `${subject} ${text}`);
}

/** A DELETE of a missing object needs no claim. */
function isInVain({ text, status }: Written): boolean {
  return text.startsWith('DELETE ') && status === 404;
}

function ask(scene: Scene, replica: Replica, i: number): Answer {
  const answer: Answer = { isThere: false };
  scene
    .ask(replica, i)
    .then(({ status }) => (answer.status = status))
    // The replica was killed before it could answer.
    .catch(() => undefined)
    .finally(() => (answer.isThere = true));
  return answer;
}

async function allHeldOrDone(scene: Scene, answers: readonly Answer[]): Promise<boolean> {
  const { watched } = scene;
  const others = watched.filter(({ heldAt }) => heldAt === undefined);
  if (others.length === 0) return true;
  if (others.some((one) => answers[watched.indexOf(one)]?.isThere !== true)) return false;
  return scene.hasEnded(others);
}

/**
 * First one replica writes, then the other. A delayed write comes in between, and either replica repairs its effect.
 */
function requireOneAtATime({ stage: { written }, claimOf }: Scene): void {
  for (const claim of new Set(written.map(claimOf))) {
    const all = written.filter((one) => claimOf(one) === claim && !isInVain(one));
    const firstLate = all.findIndex(({ isLate }) => isLate);
    const hands = (firstLate === -1 ? all : all.slice(0, firstLate))
      .map(({ replica }) => replica)
      .filter((replica, i, list) => replica !== list[i - 1]);
    const shown = all.map(({ replica, text, status }) => `${replica} ${text}: ${status}`);
    assert.ok(hands.length <= 2, `both wrote at once:\n${shown.join('\n')}`);
  }
}
