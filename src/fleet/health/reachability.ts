/**
 * The definition of "reachable" for the whole product: the cluster returns its identity, and its watches deliver. A
 * cluster that answers requests while its watches are silent is not reachable, nor is one whose watches deliver while
 * it answers nothing.
 *
 * Whether a watch delivers cannot be seen on the watch itself, because bookmarks come only once a minute. So a second
 * watch is opened for one second from the resource version of the first. It must end in time. The first watch must
 * receive every event that the second one receives.
 */
import type { Client, RequestOptions } from '../../kube/client/client.ts';
import { sleep, systemClock, type Clock } from '../../kube/clock.ts';
import { isKind } from '../../kube/errors.ts';
import type { KubeObject } from '../../kube/object.ts';
import { resourceName, type ResourceType } from '../../kube/resource-type.ts';
import { requestIdentity } from '../identity/identity-request.ts';

/** The watches are silent, although the cluster may answer everything else. */
export class WatchSilent extends Error {
  override readonly name = 'WatchSilent';
}

/** A watch that another component keeps open. */
export interface KeptWatch {
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

/** Resolves to the identity if the cluster is reachable; rejects with the reason otherwise. */
export async function reach(client: Client, watches: readonly KeptWatch[], how: Reach): Promise<string> {
  const { signal, timeoutMs } = how;
  const request: RequestOptions = { signal, timeoutMs };
  const [identity] = await Promise.all([
    requestIdentity(client, request),
    ...watches.map((watch) => delivers(client, watch, how)),
  ]);
  return identity;
}

/** The shortest timeout that a watch may request. */
const openSeconds = 1;
/** The first watch must receive the events of the second one within this time. */
const behindMs = 2_000;

async function delivers(
  client: Client,
  watch: KeptWatch,
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
  { type, namespace }: KeptWatch,
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
      ...(namespace === undefined ? {} : { namespace }),
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
