/** Wakes who reads the change log: LISTEN on a connection of its own, made again whenever it is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Connections } from './connections.ts';

/** Changes of what is asked for, and of what the clusters say; the names are the migration's. */
export type Channel = 'ssvirt_changes' | 'ssvirt_observations';
const firstDelayMs = 100;
const longestDelayMs = 5_000;
/** A peer that is gone without a word is noticed by this. */
const pingMs = 15_000;

/** Calls `wake` at each notification, and after each time it has connected: what was said in between was not heard. Runs until aborted. */
export async function listenForChanges(
  database: Pick<Connections, 'client'>,
  channels: readonly Channel[],
  wake: () => void,
  signal: AbortSignal,
): Promise<void> {
  let delay = firstDelayMs;
  while (!signal.aborted) {
    const heard = await listenOnce(database.client(), channels, wake, signal);
    if (heard) delay = firstDelayMs;
    await sleep(delay * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined); // aborted: the loop ends
    delay = Math.min(delay * 2, longestDelayMs);
  }
}

/** Until the connection is lost or the signal comes; resolves to whether it was ever up. */
async function listenOnce(
  client: pg.Client,
  channels: readonly Channel[],
  wake: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  client.on('error', () => over.abort());
  client.on('end', () => over.abort());
  client.on('notification', wake);
  let isUp = false;
  try {
    await unless(both, client.connect());
    for (const channel of channels) await unless(both, client.query(`LISTEN ${channel}`));
    isUp = true;
    wake();
    for (;;) {
      await sleep(pingMs, undefined, { signal: both });
      await unless(AbortSignal.any([both, AbortSignal.timeout(pingMs)]), client.query('SELECT'));
    }
  } catch {
    // Lost, never there, or no longer wanted: whoever reads the log by the pool gets to know, and it is tried again.
  } finally {
    client.end().catch(() => undefined); // it may be dead already, and nobody waits for it
  }
  return isUp;
}

/** The answer, or a rejection when the signal comes first: a connection that dies does not settle all that was asked of it. */
async function unless<T>(over: AbortSignal, answer: Promise<T>): Promise<T> {
  const given = Promise.withResolvers<never>();
  const giveUp = (): void => given.reject(new Error('the connection that listens for changes is given up'));
  over.addEventListener('abort', giveUp, { once: true });
  if (over.aborted) giveUp();
  try {
    return await Promise.race([answer, given.promise]);
  } finally {
    over.removeEventListener('abort', giveUp);
    answer.catch(() => undefined); // thrown above, or given up
  }
}
