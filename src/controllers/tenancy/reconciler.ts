/** One claimed virtual data center, from what stands in the cluster and what is asked for to the end of the claim. */
import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../kube/clock.ts';
import type { Cluster } from '../../kube/cluster.ts';
import { ApiError } from '../../kube/errors.ts';
import { endTasks, reportTasks } from '../../db/claimed-tasks.ts';
import { endClaim, failClaim, completeClaim, LostClaim, underClaim, type Claim } from '../../db/reconciliations.ts';
import type { Tables, TaskId } from '../../db/schema.ts';
import { recordFault } from '../../db/vdc-applied.ts';
import { undoVdc } from '../../db/vdc-removal.ts';
import { namespaceOf, readVdcWork, type OpenTask } from '../../db/vdc-work.ts';
import { childKinds, childNames } from '../../virt/vdc/objects.ts';
import { makeAbsent } from './absent.ts';
import { type Attempt, type Live, type Result } from './attempt.ts';
import { ClusterHand } from './cluster-hand.ts';
import type { ClusterWatch } from './cluster-watch.ts';
import { isRace, Refused, refusalOf } from './failures.ts';
import { Lease } from './lease.ts';
import { pauseAfter } from './pauses.ts';
import { makePresent } from './present.ts';
import type { TenancySettings } from './settings.ts';

export interface ReconcilerParts {
  readonly db: Kysely<Tables>;
  readonly cluster: Cluster;
  readonly watch: ClusterWatch;
  readonly settings: TenancySettings;
  readonly clock: Clock;
  readonly log: Logger;
}

export class AttemptTooLong extends Error {
  override readonly name = 'AttemptTooLong';

  constructor(afterMs: number) {
    super(`it was given up after ${afterMs / 1000} s`);
  }
}

export type Outcome = Result | 'unreachable' | 'refused' | 'raced' | 'lost';

/** The first pause after a race; one that is lost again and again is no race. */
const raceMs = 50;
const racesInARow = 4;

export class Reconciler {
  readonly #parts: ReconcilerParts;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /** Throws only where the database does not answer: the claim ends by itself then. */
  async reconcile(claim: Claim, takenAt: number, signal: AbortSignal): Promise<Outcome> {
    const { db, cluster, settings, clock } = this.#parts;
    const lease = new Lease(claim, { db, clock, takenAt, leaseMs: settings.leaseMs });
    const hand = new ClusterHand({ cluster, lease, signal, requestMs: settings.requestMs });
    const log = this.#parts.log.child({ vdc: claim.entityId, attempt: claim.attempt });
    let attempt: Attempt | undefined;
    try {
      const live = await this.#look(claim, hand);
      const work = await readVdcWork(db, claim.entityId);
      if (work === undefined || work.vdc.deleted_at !== null) {
        await endClaim(db, claim);
        return 'gone';
      }
      attempt = { db, claim, hand, live, work, settings, log };
      return await (work.vdc.desired_state === 'absent' ? makeAbsent(attempt) : makePresent(attempt));
    } catch (error) {
      return this.#failed(claim, attempt, error, signal, log);
    }
  }

  /** Out of the cache where it is there; what is not is asked for, since a cache may be behind, and all is after a failure. */
  async #look(claim: Claim, hand: ClusterHand): Promise<Live> {
    const { db, watch } = this.#parts;
    const name = await namespaceOf(db, claim.entityId);
    if (name === undefined) return {};
    const isTrusted = claim.failures === 0;
    const find = async (...[kind, key]: Parameters<ClusterHand['get']>): ReturnType<ClusterHand['get']> =>
      (isTrusted ? watch.cached(kind, key) : undefined) ?? hand.get(kind, key);
    // How far the end of a namespace has come is not news to the cache.
    const cached = await find('Namespace', { name });
    const namespace = cached?.isEnding === true ? await hand.get('Namespace', { name }) : cached;
    if (namespace === undefined) return {};
    const live: { -readonly [Kind in keyof Live]: Live[Kind] } = { Namespace: namespace };
    if (namespace.isEnding) return live;
    for (const kind of childKinds) {
      const found = await find(kind, { namespace: name, name: childNames[kind] });
      if (found !== undefined) live[kind] = found;
    }
    return live;
  }

  async #failed(
    claim: Claim,
    attempt: Attempt | undefined,
    error: unknown,
    signal: AbortSignal,
    log: Logger,
  ): Promise<Outcome> {
    const { cluster, settings } = this.#parts;
    if (isLost(error)) {
      log.info('another process has taken over; nothing more is done here');
      return 'lost';
    }
    if (!isOfCluster(error)) throw error;
    const refused = refusalOf(error, cluster.name);
    if (refused !== undefined) return this.#refused(claim, attempt, refused, log);
    const stops = signal.aborted && !(signal.reason instanceof AttemptTooLong);
    const raced = isRace(error) && claim.failures < racesInARow;
    // Once is enough for a cluster that stays away; the rows say what they wait for.
    const level = stops || raced || claim.failures > 0 ? 'debug' : 'warn';
    log[level]({ err: error }, 'cannot bring a virtual data center to its cluster; trying again');
    const message = stops || raced ? '' : `waits for cluster "${cluster.name}": ${reasonOf(error, signal)}`;
    // One that only stops leaves the work to the others at once.
    const firstMs = stops ? 0 : raced ? raceMs : settings.retryMs;
    const retryInMs = pauseAfter(claim.failures, firstMs, settings.maxRetryMs);
    return this.#ended(raced ? 'raced' : 'unreachable', claim, async (tx) => {
      const { tasks = [] } = (await readVdcWork(tx, claim.entityId)) ?? {};
      const idle = tasks.filter(({ status }) => status !== 'running');
      if (message !== '') await reportTasks(tx, claim, idsOf(idle), { step: 'waiting for the cluster', progress: 0 });
      await failClaim(tx, claim, { message, retryInMs });
    });
  }

  /**
   * What never came to be is undone; what is there stays as it is, those who wait are told, and it is tried again slowly: somebody may change what the
   * cluster lets us do.
   */
  async #refused(claim: Claim, attempt: Attempt | undefined, refused: Refused, log: Logger): Promise<Outcome> {
    const { db, settings } = this.#parts;
    log.warn({ err: refused.cause ?? refused }, 'the cluster refuses what a virtual data center asks for');
    const work = attempt?.work ?? (await readVdcWork(db, claim.entityId));
    const neverWas = work?.applied.ready === false && work.vdc.desired_state === 'present';
    if (neverWas) return this.#undo(claim, refused);
    return this.#ended('refused', claim, async (tx) => {
      if (work !== undefined) await recordFault(tx, claim, refused.message);
      await endTasks(tx, claim, idsOf(work?.tasks ?? []), refused.failure);
      const retryInMs = pauseAfter(claim.failures, settings.refusedRetryMs, 10 * settings.refusedRetryMs);
      await failClaim(tx, claim, { message: refused.message, retryInMs });
    });
  }

  /** The row before the claim, as everywhere: so this is no transaction in that of the claim. */
  async #undo(claim: Claim, refused: Refused): Promise<Outcome> {
    const { db } = this.#parts;
    try {
      await undoVdc(db, claim, refused.failure);
      return (await completeClaim(db, claim, { dueInMs: 0, message: refused.message })) ? 'refused' : 'lost';
    } catch (error) {
      if (error instanceof LostClaim) return 'lost';
      throw error;
    }
  }

  async #ended(outcome: Outcome, claim: Claim, write: (tx: Transaction<Tables>) => Promise<void>): Promise<Outcome> {
    try {
      await underClaim(this.#parts.db, claim, write);
      return outcome;
    } catch (error) {
      if (error instanceof LostClaim) return 'lost';
      throw error;
    }
  }
}

function idsOf(tasks: readonly OpenTask[]): readonly TaskId[] {
  return tasks.map(({ id }) => id);
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  const why: unknown = signal.aborted ? signal.reason : error;
  return why instanceof Error ? why.message : String(why);
}

/** Also where it was found right before a request was sent. */
function isLost(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof LostClaim) return true;
  return false;
}

/** All else is of the database, or a defect. */
function isOfCluster(error: unknown): boolean {
  return error instanceof ApiError || error instanceof Refused;
}
