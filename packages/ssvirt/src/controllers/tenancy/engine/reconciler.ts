/**
 * `Reconciler` handles one claimed entity: reads what exists in the cluster and what is desired, acts, ends the claim,
 * and translates failures for the waiting tasks.
 */
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import { KubeError } from '@ssvirt/kube/errors';
import { openTasks, reportTasks } from '../../../db/work-queue/claimed-tasks.ts';
import {
  endClaim,
  failClaim,
  LostClaim,
  underClaim,
  type Claim,
  type ReconciledKind,
} from '../../../db/work-queue/reconciliations.ts';
import type { Tables } from '../../../db/schema/schema.ts';
import { LeasedClient } from './leased-client.ts';
import { idsOf, type Context, type Outcome, type Result, type WorkParts } from './context.ts';
import { isRace, Refused, refusalOf } from './failures.ts';
import { Lease } from './lease.ts';
import { pauseAfter } from './pauses.ts';

/** The part of the work that differs between kinds. */
export interface KindOfWork<Seen> {
  readonly kind: ReconciledKind;
  /** Reads the cluster first, then the desired state; undefined if there is nothing left to do. */
  look(context: Context): Promise<Seen | undefined>;
  /** Must end the claim. */
  act(context: Context, seen: Seen): Promise<Result>;
  /** Must end the claim. `seen` is undefined if even reading failed. */
  refused(context: Context, seen: Seen | undefined, refused: Refused): Promise<Outcome>;
}

export class AttemptTooLong extends Error {
  override readonly name = 'AttemptTooLong';

  constructor(afterMs: number) {
    super(`it was aborted after ${afterMs / 1000} s`);
  }
}

/** The first pause after a race. After several in a row the failure no longer counts as a race. */
const raceMs = 50;
const racesInARow = 4;

export class Reconciler<Seen> {
  readonly #parts: WorkParts;
  readonly #work: KindOfWork<Seen>;

  constructor(parts: WorkParts, work: KindOfWork<Seen>) {
    this.#parts = parts;
    this.#work = work;
  }

  /** Throws only if the database does not answer; then the claim expires. */
  async reconcile(claim: Claim, takenAt: number, signal: AbortSignal): Promise<Outcome> {
    const { db, cluster, settings, clock } = this.#parts;
    const { kind } = this.#work;
    const lease = new Lease(claim, { db, clock, takenAt, leaseMs: settings.leaseMs });
    const client = new LeasedClient({ cluster, lease, signal, requestMs: settings.requestMs });
    const log = this.#parts.log.child({ [kind]: claim.entityId, attempt: claim.attempt });
    const context: Context = { ...this.#parts, claim, client, log };
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

  /** Another write came first, or the cluster does not answer: schedules a retry and reports it to the tasks. */
  async #wait({ claim, cluster, settings, log, db }: Context, error: unknown, signal: AbortSignal): Promise<Outcome> {
    const stops = signal.aborted && !(signal.reason instanceof AttemptTooLong);
    const raced = isRace(error) && claim.failures < racesInARow;
    // A cluster that stays unreachable is logged as a warning only once; the rows say what they wait for.
    const level = stops || raced || claim.failures > 0 ? 'debug' : 'warn';
    log[level]({ err: error }, 'cannot apply desired state to the cluster, retrying');
    const message = stops || raced ? '' : `waits for cluster "${cluster.name}": ${reasonOf(error, signal)}`;
    // A process that is stopping leaves the work to other replicas at once.
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

/** Also if the loss was found right before a request was sent. */
function isLost(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof LostClaim) return true;
  return false;
}

/** Any other error comes from the database or is a defect. */
function isOfCluster(error: unknown): boolean {
  return error instanceof KubeError || error instanceof Refused;
}
