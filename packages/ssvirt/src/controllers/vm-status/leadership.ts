/**
 * Turns a Lease into the right to write rows: raises the epoch in PostgreSQL, and writes the heartbeat of the writer.
 */
import type { Logger } from 'pino';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { LeaderStore, WriterTerm } from '../../db/observations/contracts.ts';
import { databaseFailure } from './write/database-failure.ts';

export interface LeadershipParts {
  readonly store: LeaderStore;
  readonly name: string;
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly heartbeatMs: number;
}

/** A leader without a heartbeat for this long no longer counts. */
const leastStaleAfterMs = 30_000;

/** Undefined if the signal is aborted first. */
export async function raiseEpoch(
  parts: LeadershipParts,
  leaseEpoch: number,
  signal: AbortSignal,
): Promise<WriterTerm | undefined> {
  const { store, name, holder, clock, log, heartbeatMs } = parts;
  const staleAfterMs = Math.max(leastStaleAfterMs, 3 * heartbeatMs);
  const backoff = new Backoff({ initialMs: 100, factor: 2, maxMs: 5000, jitter: 0.5 });
  while (!signal.aborted) {
    try {
      const epoch = await store.raise({ name, leaseEpoch, holder, staleAfterMs });
      if (epoch !== undefined) {
        log.info({ epoch }, 'leadership confirmed, writing rows');
        return { name, epoch };
      }
      log.warn({ leaseEpoch }, 'another leader is alive in the database, waiting for its heartbeat to end');
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'cannot start leading, the database does not answer, retrying');
    }
    await sleep(clock, backoff.take(), signal);
  }
  return undefined;
}

/** `beat` runs until the signal is aborted. Throws `Fenced`; retries after every other failure. */
export async function beat(
  { store, holder, clock, log, heartbeatMs }: LeadershipParts,
  term: WriterTerm,
  details: () => Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<void> {
  let failing = false;
  while (!signal.aborted) {
    try {
      await store.beat(term, holder, details());
      failing = false;
    } catch (error) {
      if (databaseFailure(error) === 'fenced') throw error;
      if (!failing) log.warn({ err: error }, 'cannot write the heartbeat, retrying');
      failing = true;
    }
    await sleep(clock, heartbeatMs, signal);
  }
}
