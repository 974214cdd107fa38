/** One claimed entity, from what stands in the cluster and what is asked for to the end of the claim; and what a failure means for those who wait. */
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import { ApiError } from '../../kube/errors.ts';
import { openTasks, reportTasks } from '../../db/claimed-tasks.ts';
import {
  endClaim,
  failClaim,
  LostClaim,
  underClaim,
  type Claim,
  type ReconciledKind,
} from '../../db/reconciliations.ts';
import type { Tables } from '../../db/schema.ts';
import { ClusterHand } from './cluster-hand.ts';
import { idsOf, type Context, type Outcome, type Result, type WorkParts } from './context.ts';
import { isRace, Refused, refusalOf } from './failures.ts';
import { Lease } from './lease.ts';
import { pauseAfter } from './pauses.ts';

/** What is of one kind in the work on it. */
export interface KindOfWork<Seen> {
  readonly kind: ReconciledKind;
  /** What stands in the cluster first, and what is asked for then; undefined where there is nothing to work on any more. */
  look(context: Context): Promise<Seen | undefined>;
  /** To the end of the claim. */
  act(context: Context, seen: Seen): Promise<Result>;
  /** What is seen is undefined where it could not even be looked. To the end of the claim. */
  refused(context: Context, seen: Seen | undefined, refused: Refused): Promise<Outcome>;
}

export class AttemptTooLong extends Error {
  override readonly name = 'AttemptTooLong';

  constructor(afterMs: number) {
    super(`it was given up after ${afterMs / 1000} s`);
  }
}

/** The first pause after a race; one that is lost again and again is no race. */
const raceMs = 50;
const racesInARow = 4;

export class Reconciler<Seen> {
  readonly #parts: WorkParts;
  readonly #work: KindOfWork<Seen>;

  constructor(parts: WorkParts, work: KindOfWork<Seen>) {
    this.#parts = parts;
    this.#work = work;
  }

  /** Throws only where the database does not answer: the claim ends by itself then. */
  async reconcile(claim: Claim, takenAt: number, signal: AbortSignal): Promise<Outcome> {
    const { db, cluster, settings, clock } = this.#parts;
    const { kind } = this.#work;
    const lease = new Lease(claim, { db, clock, takenAt, leaseMs: settings.leaseMs });
    const hand = new ClusterHand({ cluster, lease, signal, requestMs: settings.requestMs });
    const log = this.#parts.log.child({ [kind]: claim.entityId, attempt: claim.attempt });
    const context: Context = { ...this.#parts, claim, hand, log };
    let seen: Seen | undefined;
    try {
      seen = await this.#work.look(context);
      if (seen !== undefined) return await this.#work.act(context, seen);
      await endClaim(db, claim);
      return 'gone';
    } catch (error) {
      if (isLost(error)) return lost(log);
      if (!isOfCluster(error)) throw error;
      const refused = refusalOf(error, cluster.name);
      if (refused === undefined) return await this.#wait(context, error, signal);
      log.warn({ err: refused.cause ?? refused }, 'cluster refused an operation');
      return await unlessLost(log, this.#work.refused(context, seen, refused));
    }
  }

  /** Somebody was quicker, or the cluster does not answer: it is tried again, and those who wait are told. */
  async #wait({ claim, cluster, settings, log, db }: Context, error: unknown, signal: AbortSignal): Promise<Outcome> {
    const stops = signal.aborted && !(signal.reason instanceof AttemptTooLong);
    const raced = isRace(error) && claim.failures < racesInARow;
    // Once is enough for a cluster that stays away; the rows say what they wait for.
    const level = stops || raced || claim.failures > 0 ? 'debug' : 'warn';
    log[level]({ err: error }, 'cannot apply desired state to the cluster, retrying');
    const message = stops || raced ? '' : `waits for cluster "${cluster.name}": ${reasonOf(error, signal)}`;
    // One that only stops leaves the work to the others at once.
    const firstMs = stops ? 0 : raced ? raceMs : settings.retryMs;
    const retryInMs = pauseAfter(claim.failures, firstMs, settings.maxRetryMs);
    const written = underClaim(db, claim, async (tx) => {
      if (message !== '') await reportWaiting(tx, claim);
      await failClaim(tx, claim, { message, retryInMs });
      return raced ? ('raced' as const) : ('unreachable' as const);
    });
    return unlessLost(log, written);
  }
}

async function reportWaiting(tx: Transaction<Tables>, claim: Claim): Promise<void> {
  const idle = (await openTasks(tx, claim)).filter(({ status }) => status !== 'running');
  await reportTasks(tx, claim, idsOf(idle), { step: 'waiting for the cluster', progress: 0 });
}

function lost(log: Logger): 'lost' {
  log.info('claim lost to another replica, attempt ended');
  return 'lost';
}

async function unlessLost(log: Logger, outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } catch (error) {
    if (isLost(error)) return lost(log);
    throw error;
  }
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
