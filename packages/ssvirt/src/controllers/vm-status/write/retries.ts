/**
 * `Retries` retries rows that could not be written, each with its own growing pauses (1 s to 5 min by default). After
 * too many attempts in a row the failure is reported (a row in sync_failures, an Event, a metric). Slow retries
 * continue, and the report is withdrawn after a success.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import type { Clock, Timer } from '@ssvirt/kube/clock';
import { parseKey } from '@ssvirt/kube/object';
import { RetryDelay } from '@ssvirt/kube/queue/retry-delay';
import type {
  FailureToRecord,
  SyncFailure,
  SyncFailureStore,
  VmStatus,
  WriterTerm,
} from '../../../db/observations/contracts.ts';
import { errorType } from './database-failure.ts';
import type { GoneMark, Mark, Pending, VappMark } from './pending.ts';
import { RowLocked, type RowRetries } from './writer.ts';

export interface RetriesParts {
  readonly store: SyncFailureStore;
  readonly pending: Pending;
  readonly clock: Clock;
  readonly log: Logger;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxRetries: number;
  /** Called for each failure of a VM. `given` marks the one that exceeds `maxRetries`. */
  readonly failed: (mark: Mark, failure: RowFailure) => void;
  readonly random?: () => number;
}

export interface RowFailure {
  readonly type: string;
  /** The status that could not be written. */
  readonly status: VmStatus | undefined;
  readonly attempts: number;
  readonly given: boolean;
}

/** Retries keep the type of the mark. */
type Retried = Mark | GoneMark | VappMark;

/**
 * A row lock is usually released within milliseconds, because an API request holds it. These retries come first and do
 * not count or get reported as failures.
 */
const heldDelaysMs: readonly number[] = [50, 100, 200, 400, 800];

export class Retries implements RowRetries {
  readonly #parts: RetriesParts;
  readonly #delay: RetryDelay;
  /** For each failing row: the timer until it is marked again; undefined when it is marked. */
  readonly #timers = new Map<string, Timer | undefined>();
  /** The failing rows whose timer runs. */
  readonly #waiting = new Map<string, Retried>();
  /** How often each row was locked without counting as a failure. */
  readonly #held = new Map<string, number>();
  /** When each failing row failed for the first time. */
  readonly #since = new Map<string, number>();
  /** The rows that are in sync_failures. */
  readonly #recorded = new Set<string>();
  readonly #records: Recording[] = [];
  #recording: Promise<void> | undefined;
  #stopping = false;
  #term: WriterTerm | undefined;

  constructor(parts: RetriesParts) {
    this.#parts = parts;
    const { clock, baseDelayMs, maxDelayMs, random } = parts;
    this.#delay = new RetryDelay(clock, {
      initialMs: baseDelayMs,
      maxMs: maxDelayMs,
      jitter: 0.2,
      ...defined({ random }),
    });
  }

  /** How many rows fail now. */
  get failing(): number {
    return this.#delay.size;
  }

  /** Takes over the failures that an earlier leader recorded, so that they are withdrawn after a success. */
  async begin(term: WriterTerm): Promise<void> {
    this.#term = term;
    for (const { cluster, namespace, vmName } of await this.#parts.store.open())
      this.#recorded.add(machineId({ cluster, key: `${namespace}/${vmName}` }));
  }

  isFailing(mark: Retried): boolean {
    return this.#delay.failures(idOf(mark)) > 0;
  }

  failed(mark: Retried, error: unknown, status?: VmStatus): void {
    const { maxRetries, failed, log } = this.#parts;
    const id = idOf(mark);
    const heldMs = this.#heldDelay(id, error);
    if (heldMs !== undefined) return this.#later(mark, heldMs);
    const delayMs = this.#delay.next(id);
    this.#since.set(id, this.#since.get(id) ?? this.#parts.clock.now());
    const attempts = this.#delay.failures(id);
    const type = errorType(error);
    const given = attempts === maxRetries + 1;
    const what = { ...fieldsOf(mark), err: error, attempts, again: Math.round(delayMs) };
    if (attempts === 1 || given)
      log.warn(what, given ? 'status keeps failing to be written, backing off' : 'cannot write status, retrying');
    if (!isVapp(mark)) {
      failed(mark, { type, status, attempts, given });
      if (attempts > maxRetries) this.#record(mark, error, type, attempts);
    }
    this.#later(mark, delayMs);
  }

  succeeded(mark: Retried): void {
    const id = idOf(mark);
    if (this.#held.has(id) && this.#delay.failures(id) === 0) this.#forget(id);
    if (this.#delay.failures(id) > 0) {
      this.#forget(id);
      this.#parts.log.info(fieldsOf(mark), 'status written after earlier failures');
    }
    if (isVapp(mark)) return;
    this.#resolve(mark, id);
    if (!isGone(mark)) return;
    // The failure recorded for the VM ends with the VM. Another VM may have its name by now, and has failures of its
    // own.
    this.#resolve(mark, machineId(mark));
    if (this.#delay.failures(machineId(mark)) > 0) this.#parts.pending.machine(mark.cluster, mark.key);
  }

  /** Ends the pauses of a VM, and of predecessors that are gone. */
  retryNow(cluster: string, key: string): void {
    for (const [id, mark] of this.#waiting) {
      if (mark.cluster !== cluster || mark.key !== key || isVapp(mark)) continue;
      this.#timers.get(id)?.cancel();
      this.#fire(id, mark);
    }
  }

  dropped(mark: Mark | VappMark): void {
    this.#forget(idOf(mark));
  }

  /** The cluster has left: values can no longer be derived. Deletions remain true. */
  forget(cluster: string): void {
    for (const id of this.#timers.keys()) if (id.startsWith(`${cluster} `) && !id.includes(goneSign)) this.#forget(id);
  }

  /** Resolves when the outstanding records are written or have failed. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.values()) timer?.cancel();
    this.#stopping = true;
    await this.#recording;
    this.#stopping = false;
  }

  /** Undefined if the error counts as a failure. */
  #heldDelay(id: string, error: unknown): number | undefined {
    if (!(error instanceof RowLocked) || this.#delay.failures(id) > 0) return undefined;
    const times = this.#held.get(id) ?? 0;
    this.#held.set(id, times + 1);
    return heldDelaysMs[times];
  }

  #later(mark: Retried, delayMs: number): void {
    const id = idOf(mark);
    this.#timers.get(id)?.cancel();
    this.#waiting.set(id, mark);
    this.#timers.set(
      id,
      this.#parts.clock.after(delayMs, () => this.#fire(id, mark)),
    );
  }

  #fire(id: string, mark: Retried): void {
    this.#timers.set(id, undefined);
    this.#waiting.delete(id);
    this.#again(mark);
  }

  #forget(id: string): void {
    this.#delay.forget(id);
    this.#held.delete(id);
    this.#since.delete(id);
    this.#waiting.delete(id);
    this.#timers.get(id)?.cancel();
    this.#timers.delete(id);
  }

  #again(mark: Retried): void {
    const { pending } = this.#parts;
    const { cluster, key, seenAt } = mark;
    if (isVapp(mark)) pending.vapp(cluster, key, seenAt);
    else if (isGone(mark)) pending.gone(cluster, key, mark.uid, seenAt);
    else pending.machine(cluster, key, seenAt);
  }

  #record(mark: Mark, error: unknown, type: string, attempts: number): void {
    this.#recorded.add(idOf(mark));
    const message = error instanceof Error ? error.message : String(error);
    const firstAgoMs = this.#parts.clock.now() - (this.#since.get(idOf(mark)) ?? this.#parts.clock.now());
    const failure: FailureToRecord = {
      ...placeOf(mark),
      errorType: type,
      message: message.slice(0, 1000),
      attempts,
      firstAgoMs,
    };
    this.#put({ write: (term) => this.#parts.store.record(term, failure), undo: () => undefined });
  }

  #resolve(mark: Mark, id: string): void {
    if (!this.#recorded.delete(id)) return;
    this.#put({
      write: (term) => this.#parts.store.resolve(term, placeOf(mark)),
      undo: () => this.#recorded.add(id),
    });
  }

  /**
   * Records are written apart from the batches, and one at a time: thousands of failures would otherwise use all
   * connections and leave none for the batches.
   */
  #put(recording: Recording): void {
    this.#records.push(recording);
    this.#recording ??= this.#putAll().finally(() => (this.#recording = undefined));
  }

  async #putAll(): Promise<void> {
    for (let next = this.#records.shift(); next !== undefined; next = this.#records.shift()) {
      if (this.#term === undefined) continue;
      try {
        await next.write(this.#term);
      } catch (error) {
        next.undo();
        this.#parts.log.warn({ err: error }, 'cannot record a sync failure');
        // The process is about to end, and each remaining record may take as long as this one.
        if (this.#stopping) this.#records.length = 0;
      }
    }
  }
}

interface Recording {
  readonly write: (term: WriterTerm) => Promise<void>;
  readonly undo: () => void;
}

function isVapp(mark: Retried): mark is VappMark {
  return 'isVapp' in mark;
}

function isGone(mark: Retried): mark is GoneMark {
  return 'uid' in mark;
}

const goneSign = ' gone ';

/** The deletion of a VM and a new VM of its name may both fail, so each has its own key and pauses. */
function idOf(mark: Retried): string {
  if (isVapp(mark)) return `${machineId(mark)} vapp`;
  return isGone(mark) ? `${machineId(mark)}${goneSign}${mark.uid}` : machineId(mark);
}

function machineId({ cluster, key }: Pick<Mark, 'cluster' | 'key'>): string {
  return `${cluster} ${key}`;
}

function placeOf({ cluster, key }: Mark): Pick<SyncFailure, 'cluster' | 'namespace' | 'vmName'> {
  const { namespace = '', name } = parseKey(key);
  return { cluster, namespace, vmName: name };
}

function fieldsOf(mark: Retried): Readonly<Record<string, unknown>> {
  const { namespace, name } = parseKey(mark.key);
  return { cluster: mark.cluster, namespace, [isVapp(mark) ? 'templateInstance' : 'vm']: name };
}
