/** Wakes readers of the change log: LISTEN on a connection of its own, which is reopened whenever it is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Connections } from '../connection/connections.ts';

/** Changes of the desired state, and observations of clusters. The migrations define the names. */
export type Channel = 'ssvirt_changes' | 'ssvirt_observations';
const firstDelayMs = 100;
const longestDelayMs = 5_000;
/** Detects a peer that is gone without closing the connection. */
const pingMs = 15_000;

/**
 * Calls `wake` at each notification and after each connect, because notifications in between were lost. Runs until
 * aborted.
 */
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

/** Runs until the connection is lost or the signal is aborted; resolves to whether it was ever up. */
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
    // The connection was lost, never came up, or is no longer wanted. Readers of the log see a failure through the
    // pool, and the caller connects again.
  } finally {
    client.end().catch(() => undefined); // it may be dead already, and no caller waits for it
  }
  return isUp;
}

/**
 * Resolves to the answer, or rejects when the signal is aborted first. A connection that dies does not settle all its
 * pending queries.
 */
async function unless<T>(over: AbortSignal, answer: Promise<T>): Promise<T> {
  const given = Promise.withResolvers<never>();
  const giveUp = (): void => given.reject(new Error('the connection that listens for changes is given up'));
  over.addEventListener('abort', giveUp, { once: true });
  if (over.aborted) giveUp();
  try {
    return await Promise.race([answer, given.promise]);
  } finally {
    over.removeEventListener('abort', giveUp);
    answer.catch(() => undefined); // thrown above, or abandoned
  }
}
