/**
 * `Writer` writes what is pending, in batches, one after the other. The first change after a quiet time is written at
 * once; changes within the window after it are written together. A slow database leads to larger batches, not to more
 * of them.
 */
import type { Logger } from 'pino';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type {
  ObservationStore,
  WriteOutcome,
  VappObservation,
  VmDeletion,
  VmObservation,
  VmStatus,
  WriteResult,
  WriterTerm,
} from '../../../db/observations/contracts.ts';
import { databaseFailure } from './database-failure.ts';
import type { GoneMark, Mark, Pending, Taken, VappMark } from './pending.ts';

/** `Source` provides the values at the moment of writing. */
export interface Source {
  /** Undefined if the VM no longer exists or its cluster is not admitted. */
  observe(mark: Mark): VmObservation | undefined;
  observeVapp(mark: Mark): VappObservation | undefined;
}

export interface WriterReports {
  written(mark: Mark, observation: VmObservation, result: WriteResult, durationMs: number): void;
  deleted(mark: GoneMark, result: WriteResult, durationMs: number): void;
  batch(rows: number, durationMs: number): void;
  /** Every write fails. */
  unavailable(error: unknown, marks: readonly Mark[]): void;
  available(): void;
}

/** Single rows that failed: of VMs, of deleted VMs, and of vApps. */
export interface RowRetries {
  isFailing(mark: Mark | GoneMark | VappMark): boolean;
  /** The row will be marked again later. `status` is what could not be written of a VM. */
  failed(mark: Mark | GoneMark | VappMark, error: unknown, status?: VmStatus): void;
  succeeded(mark: Mark | GoneMark | VappMark): void;
  /** There is nothing left to write for the row. */
  dropped(mark: Mark | VappMark): void;
}

export interface WriterParts {
  readonly store: ObservationStore;
  readonly pending: Pending;
  readonly source: Source;
  readonly retries: RowRetries;
  readonly reports: WriterReports;
  readonly clock: Clock;
  readonly log: Logger;
  /** Changes within this time are written together. */
  readonly windowMs: number;
  readonly maxBatch: number;
}

interface Item {
  readonly mark: Mark;
  readonly observation: VmObservation;
}

interface Gone {
  readonly mark: GoneMark;
  readonly deletion: VmDeletion;
}

interface VappItem {
  readonly mark: VappMark;
  readonly observation: VappObservation;
}

interface Batch {
  readonly items: readonly Item[];
  readonly gone: readonly Gone[];
}

/** Marks without a change (a first list, a resync) wait a little longer, which costs less. */
const unhurriedWindowMs = 100;

export class RowLocked extends Error {
  override readonly name = 'RowLocked';
  readonly code = '55P03';
}

function rowLocked(): RowLocked {
  return new RowLocked('the row is locked by another session');
}

export class Writer {
  readonly #parts: WriterParts;
  readonly #backoff = new Backoff({ initialMs: 200, factor: 2, maxMs: 5000, jitter: 0.5 });
  #sequence = 0;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Runs until the signal is aborted; `lost` cancels a running statement. Throws `Fenced`. */
  async run(term: WriterTerm, signal: AbortSignal, lost: AbortSignal): Promise<void> {
    const { pending, clock, windowMs, maxBatch } = this.#parts;
    let nextAt = 0;
    while (!signal.aborted) {
      await pending.work(signal);
      await sleep(clock, nextAt - clock.now(), signal);
      if (signal.aborted) return;
      const startedAt = clock.now();
      const taken = pending.take(maxBatch);
      const awaited = [...taken.machines, ...taken.gone, ...taken.vapps].some(({ seenAt }) => seenAt !== undefined);
      const pauseMs = await this.#attempt(term, taken, lost).finally(() => pending.settled());
      // After a full batch more is pending.
      const window = pending.size >= maxBatch ? 0 : awaited ? windowMs : unhurriedWindowMs;
      nextAt = pauseMs > 0 ? clock.now() + pauseMs : startedAt + window;
    }
  }

  /** Resolves to the pause before the next batch; zero if the database works. */
  async #attempt(term: WriterTerm, taken: Taken, lost: AbortSignal): Promise<number> {
    const { pending, reports } = this.#parts;
    try {
      await this.#write(term, taken, lost);
    } catch (error) {
      pending.giveBack(taken);
      if (lost.aborted || databaseFailure(error) === 'fenced') throw error;
      reports.unavailable(error, [...taken.machines, ...taken.gone, ...taken.vapps]);
      return this.#backoff.take();
    }
    if (this.#backoff.attempts > 0) reports.available();
    this.#backoff.reset();
    return 0;
  }

  async #write(term: WriterTerm, taken: Taken, lost: AbortSignal): Promise<void> {
    const { source, retries } = this.#parts;
    const items = taken.machines.flatMap((mark): Item[] => {
      const observation = source.observe(mark);
      if (observation === undefined) retries.dropped(mark);
      return observation === undefined ? [] : [{ mark, observation }];
    });
    const gone = taken.gone.map((mark): Gone => ({ mark, deletion: { cluster: mark.cluster, uid: mark.uid } }));
    // Rows that failed before are sent alone, because they would fail the others.
    const failing = items.filter(({ mark }) => retries.isFailing(mark));
    const failingGone = gone.filter(({ mark }) => retries.isFailing(mark));
    await this.#send(
      term,
      {
        items: items.filter(({ mark }) => !retries.isFailing(mark)),
        gone: gone.filter(({ mark }) => !retries.isFailing(mark)),
      },
      lost,
    );
    for (const one of failingGone) await this.#send(term, { items: [], gone: [one] }, lost);
    for (const one of failing) await this.#send(term, { items: [one], gone: [] }, lost);
    await this.#writeVapps(term, taken.vapps, lost);
  }

  async #send(term: WriterTerm, batch: Batch, lost: AbortSignal): Promise<void> {
    const { items, gone } = batch;
    const { store, clock, reports } = this.#parts;
    if (items.length + gone.length === 0) return;
    const startedAt = clock.now();
    try {
      const result = await store.write(
        term,
        ++this.#sequence,
        {
          observations: items.map(({ observation }) => observation),
          deletions: gone.map(({ deletion }) => deletion),
        },
        lost,
      );
      const durationMs = clock.now() - startedAt;
      reports.batch(items.length + gone.length, durationMs);
      for (const [i, item] of items.entries()) this.#settleItem(item, result.observations[i], durationMs);
      for (const [i, one] of gone.entries()) this.#settleGone(one, result.deletions[i], durationMs);
    } catch (error) {
      if (databaseFailure(error) !== 'rows') throw error;
      await this.#split(term, batch, error, lost);
    }
  }

  /**
   * One bad row must not block the others: halves the batch until it is alone. Deletions go first, as within a
   * statement.
   */
  async #split(term: WriterTerm, { items, gone }: Batch, error: unknown, lost: AbortSignal): Promise<void> {
    const { retries } = this.#parts;
    const [item] = items;
    const [one] = gone;
    if (items.length === 1 && item !== undefined && gone.length === 0)
      return retries.failed(item.mark, error, item.observation.status);
    if (gone.length === 1 && one !== undefined && items.length === 0) return retries.failed(one.mark, error, 'DELETED');
    const halfGone = Math.ceil(gone.length / 2);
    const halfItems = Math.ceil(items.length / 2);
    const parts: readonly Batch[] =
      items.length > 0 && gone.length > 0
        ? [
            { items: [], gone },
            { items, gone: [] },
          ]
        : [
            { items: items.slice(0, halfItems), gone: gone.slice(0, halfGone) },
            { items: items.slice(halfItems), gone: gone.slice(halfGone) },
          ];
    for (const part of parts) await this.#send(term, part, lost);
  }

  #settleItem({ mark, observation }: Item, result: WriteResult | undefined, durationMs: number): void {
    const { retries, reports } = this.#parts;
    if (result === undefined) throw new Error('the database answered for fewer VMs than were sent');
    if (result.outcome === 'locked') return retries.failed(mark, rowLocked(), observation.status);
    retries.succeeded(mark);
    reports.written(mark, observation, result, durationMs);
  }

  #settleGone({ mark }: Gone, result: WriteResult | undefined, durationMs: number): void {
    const { retries, reports } = this.#parts;
    if (result === undefined) throw new Error('the database answered for fewer VMs than were sent');
    if (result.outcome === 'locked') return retries.failed(mark, rowLocked(), 'DELETED');
    retries.succeeded(mark);
    reports.deleted(mark, result, durationMs);
  }

  async #writeVapps(term: WriterTerm, marks: readonly VappMark[], lost: AbortSignal): Promise<void> {
    const { source, retries } = this.#parts;
    const items = marks.flatMap((mark): VappItem[] => {
      const observation = source.observeVapp(mark);
      if (observation === undefined) retries.dropped(mark);
      return observation === undefined ? [] : [{ mark, observation }];
    });
    const failing = items.filter(({ mark }) => retries.isFailing(mark));
    await this.#sendVapps(
      term,
      items.filter(({ mark }) => !retries.isFailing(mark)),
      lost,
    );
    for (const one of failing) await this.#sendVapps(term, [one], lost);
  }

  async #sendVapps(term: WriterTerm, items: readonly VappItem[], lost: AbortSignal): Promise<void> {
    const { store, retries } = this.#parts;
    const [first] = items;
    if (first === undefined) return;
    const observations = items.map(({ observation }) => observation);
    try {
      const outcomes = await store.writeVapps(term, ++this.#sequence, observations, lost);
      for (const [i, item] of items.entries()) this.#settleVapp(item, outcomes[i]);
    } catch (error) {
      if (databaseFailure(error) !== 'rows') throw error;
      if (items.length === 1) return retries.failed(first.mark, error);
      const half = Math.ceil(items.length / 2);
      for (const part of [items.slice(0, half), items.slice(half)]) await this.#sendVapps(term, part, lost);
    }
  }

  #settleVapp({ mark, observation }: VappItem, outcome: WriteOutcome | undefined): void {
    const { retries, log } = this.#parts;
    if (outcome === 'locked') return retries.failed(mark, rowLocked());
    retries.succeeded(mark);
    if (outcome === 'updated' || outcome === 'created')
      log.debug(
        { cluster: mark.cluster, templateInstance: mark.key, creation: observation.creation },
        'following template instance',
      );
  }
}
