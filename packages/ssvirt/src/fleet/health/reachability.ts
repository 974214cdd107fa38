/**
 * The definition of "reachable" for the whole product: the cluster returns its identity, and its watches deliver. A
 * cluster that answers requests while its watches are silent is not reachable, nor is one whose watches deliver while
 * it answers nothing.
 *
 * A new watch of the namespace kube-system must deliver that namespace while it is open. Every process can check that,
 * whatever it watches, so all of them come to the same result.
 *
 * A process that keeps watches open checks these as well. Whether a watch delivers cannot be seen on the watch itself,
 * because bookmarks come only once a minute. So a second watch is opened for one second from the resource version of
 * the first. It must end in time. The first watch must receive every event that the second one receives.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import { sleep, systemClock, type Clock } from '@ssvirt/kube/clock';
import { isKind } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import { resourceName, type ResourceType } from '@ssvirt/kube/resource-type';
import { requestIdentity } from '../identity/identity-request.ts';
import { namespaces } from '../kinds.ts';

/** The watches are silent, although the cluster may answer everything else. */
export class WatchSilent extends Error {
  override readonly name = 'WatchSilent';
}

/** `OpenWatch` is a watch that another component keeps open. */
export interface OpenWatch {
  readonly type: ResourceType<KubeObject>;
  /** If absent, all namespaces. */
  readonly namespace?: string;
  /** The resource version up to which it has received events. */
  readonly resourceVersion: () => string;
}

export interface Reach {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** `reach` resolves to the identity if the cluster is reachable; rejects with the reason otherwise. */
export async function reach(client: Client, watches: readonly OpenWatch[], how: Reach): Promise<string> {
  const { signal, timeoutMs } = how;
  const request: RequestOptions = { signal, timeoutMs };
  const proofs = [
    requestIdentity(client, request),
    checkWatches(client, how),
    ...watches.map((watch) => delivers(client, watch, how)),
  ] as const;
  // All have settled, so the first in this order decides: a cluster that answers nothing is not called silent.
  await Promise.allSettled(proofs);
  const [identity] = await Promise.all(proofs);
  return identity;
}

/** `watchTrouble` resolves to why the watches of a cluster that answers deliver nothing, or to undefined if they deliver. */
export async function watchTrouble(client: Client, how: Reach): Promise<string | undefined> {
  try {
    await checkWatches(client, how);
    return undefined;
  } catch (error) {
    if (how.signal.aborted) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * At resource version 0 a watch begins with the existing object. The server keeps it open for longer than is waited
 * here: a proxy that holds back the response until its end would otherwise pass.
 */
async function checkWatches(client: Client, { timeoutMs, signal }: Reach): Promise<void> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const stream = await client.watch(namespaces, {
      fieldSelector: 'metadata.name=kube-system',
      resourceVersion: '0',
      timeoutSeconds: Math.ceil(timeoutMs / 1000) + 1,
      headersTimeoutMs: timeoutMs + 1000,
      metadataOnly: true,
      signal: AbortSignal.any([signal, late]),
    });
    try {
      for await (const batch of stream) if (batch.some(({ type }) => type !== 'BOOKMARK')) return;
    } finally {
      stream.close();
    }
  } catch (error) {
    // The rights of an older version do not include this watch. The refusal says nothing about watches.
    if (isKind(error, 'Forbidden')) return;
    if (!late.aborted || signal.aborted) throw error;
  }
  throw new WatchSilent(
    `a watch of the namespace kube-system in cluster "${client.cluster}" delivered nothing: its watches are silent`,
  );
}

/** The shortest timeout that a watch may request. */
const openSeconds = 1;
/** The first watch must receive the events of the second one within this time. */
const behindMs = 2_000;

async function delivers(
  client: Client,
  watch: OpenWatch,
  { timeoutMs, signal, clock = systemClock }: Reach,
): Promise<void> {
  const from = watch.resourceVersion();
  const news = await eventsAfter(client, watch, from, timeoutMs, signal);
  if (news === 0) return;
  const until = clock.now() + behindMs;
  while (watch.resourceVersion() === from && clock.now() < until) await sleep(clock, 50, signal);
  if (watch.resourceVersion() === from)
    throw new WatchSilent(`the watch of ${resourceName(watch.type)} is silent: ${news} events were not delivered`);
}

async function eventsAfter(
  client: Client,
  { type, namespace }: OpenWatch,
  resourceVersion: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<number> {
  const late = AbortSignal.timeout(openSeconds * 1000 + timeoutMs);
  let count = 0;
  try {
    const stream = await client.watch(type, {
      resourceVersion,
      timeoutSeconds: openSeconds,
      headersTimeoutMs: timeoutMs,
      metadataOnly: true,
      signal: AbortSignal.any([signal, late]),
      ...defined({ namespace }),
    });
    try {
      for await (const batch of stream) {
        const error = batch.find((event) => event.type === 'ERROR');
        // The resource version has expired, because nothing happened for a long time. The server has answered.
        if (error !== undefined) return count;
        count += batch.filter((event) => event.type !== 'BOOKMARK').length;
      }
    } finally {
      stream.close();
    }
  } catch (error) {
    if (isKind(error, 'Gone')) return count;
    if (late.aborted && !signal.aborted)
      throw new WatchSilent(
        `a watch of ${resourceName(type)} in cluster "${client.cluster}" did not end after ${openSeconds} s: its watches are silent`,
      );
    throw error;
  }
  return count;
}
