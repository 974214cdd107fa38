/**
 * Rows that could not be written, each with its own growing pauses: 1 s to 5 min unless configured. After so many tries in a row the failure is put
 * where people see it (a row in sync_failures, an Event, a metric); it is tried on, slowly, and what was put there is taken back when it succeeds.
 */
import type { Logger } from 'pino';
import type { Clock, Timer } from '../../kube/clock.ts';
import { parseKey } from '../../kube/object.ts';
import { RetryDelay } from '../../kube/queue/retry-delay.ts';
import type { SyncFailure, SyncFailureStore, WriterTerm } from '../../db/observations/contracts.ts';
import { errorType } from './database-failure.ts';
import type { GoneMark, Mark, Pending } from './pending.ts';
import type { RowRetries } from './writer.ts';

export interface RetriesParts {
  readonly store: SyncFailureStore;
  readonly pending: Pending;
  readonly clock: Clock;
  readonly log: Logger;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxRetries: number;
  /** Each failure, and whether it is the one with which it has failed too often. */
  readonly failed: (
    mark: Mark,
    failure: { readonly type: string; readonly attempts: number; readonly given: boolean },
  ) => void;
  readonly random?: () => number;
}

export class Retries implements RowRetries {
  readonly #parts: RetriesParts;
  readonly #delay: RetryDelay;
  readonly #timers = new Map<string, Timer>();
  /** Those that stand in sync_failures. */
  readonly #recorded = new Set<string>();
  readonly #writing = new Set<Promise<void>>();
  #term: WriterTerm | undefined;

  constructor(parts: RetriesParts) {
    this.#parts = parts;
    const { clock, baseDelayMs, maxDelayMs, random } = parts;
    this.#delay = new RetryDelay(clock, {
      initialMs: baseDelayMs,
      maxMs: maxDelayMs,
      jitter: 0.2,
      ...(random === undefined ? {} : { random }),
    });
  }

  /** How many rows fail just now. */
  get failing(): number {
    return this.#delay.size;
  }

  /** Takes over what an earlier leader has recorded: it is taken back when it succeeds. */
  async begin(term: WriterTerm): Promise<void> {
    this.#term = term;
    for (const { cluster, namespace, vmName } of await this.#parts.store.open())
      this.#recorded.add(`${cluster} ${namespace}/${vmName}`);
  }

  isFailing(mark: Mark): boolean {
    return this.#delay.failures(idOf(mark)) > 0;
  }

  failed(mark: Mark, error: unknown, gone?: GoneMark): void {
    const { clock, pending, maxRetries, failed, log } = this.#parts;
    const id = idOf(mark);
    const delayMs = this.#delay.next(id);
    const attempts = this.#delay.failures(id);
    const type = errorType(error);
    const given = attempts === maxRetries + 1;
    failed(mark, { type, attempts, given });
    const { namespace, name } = parseKey(mark.key);
    const fields = { cluster: mark.cluster, namespace, vm: name, err: error, attempts, again: Math.round(delayMs) };
    if (attempts === 1 || given)
      log.warn(fields, given ? 'a VM cannot be written for long' : 'a VM cannot be written; trying again');
    if (attempts > maxRetries) this.#record(mark, error, type, attempts);
    this.#timers.get(id)?.cancel();
    const again = (): void => {
      this.#timers.delete(id);
      if (gone === undefined) pending.machine(mark.cluster, mark.key, mark.seenAt);
      else pending.gone(gone.cluster, gone.key, gone.uid, gone.seenAt);
    };
    this.#timers.set(id, clock.after(delayMs, again));
  }

  succeeded(mark: Mark): void {
    const id = idOf(mark);
    if (this.#delay.failures(id) > 0) {
      this.#delay.forget(id);
      this.#timers.get(id)?.cancel();
      this.#timers.delete(id);
      const { namespace, name } = parseKey(mark.key);
      this.#parts.log.info({ cluster: mark.cluster, namespace, vm: name }, 'a VM that could not be written is written');
    }
    if (this.#recorded.delete(id))
      this.#do(
        (term) => this.#parts.store.resolve(term, keyOf(mark)),
        () => this.#recorded.add(id),
      );
  }

  /** Resolves when what was to be recorded is, or has failed. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    await Promise.allSettled(this.#writing);
  }

  #record(mark: Mark, error: unknown, type: string, attempts: number): void {
    this.#recorded.add(idOf(mark));
    const message = error instanceof Error ? error.message : String(error);
    const failure: SyncFailure = { ...keyOf(mark), errorType: type, message: message.slice(0, 1000), attempts };
    this.#do((term) => this.#parts.store.record(term, failure));
  }

  /** Apart from the batches: the database that refuses one row may be slow with this one, too. */
  #do(write: (term: WriterTerm) => Promise<void>, undo?: () => void): void {
    const term = this.#term;
    if (term === undefined) return;
    const writing = write(term).catch((error: unknown) => {
      undo?.();
      this.#parts.log.warn({ err: error }, 'cannot put down a failure to synchronise');
    });
    const tracked = writing.finally(() => this.#writing.delete(tracked));
    this.#writing.add(tracked);
  }
}

function idOf({ cluster, key }: Mark): string {
  return `${cluster} ${key}`;
}

function keyOf({ cluster, key }: Mark): Pick<SyncFailure, 'cluster' | 'namespace' | 'vmName'> {
  const { namespace = '', name } = parseKey(key);
  return { cluster, namespace, vmName: name };
}
