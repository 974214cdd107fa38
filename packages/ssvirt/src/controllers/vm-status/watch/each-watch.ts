import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { ClusterWatch } from './cluster-watch.ts';

export interface EachWatchParts {
  readonly watches: () => ReadonlyMap<string, ClusterWatch>;
  readonly clock: Clock;
}

const lookMs = 250;

/**
 * Runs `follow` once for each watch, now and for those that come, until the signal is aborted. Clusters are
 * independent: one that hangs does not delay the others. The first failure ends all, and is thrown.
 */
export async function eachWatch(
  { watches, clock }: EachWatchParts,
  signal: AbortSignal,
  follow: (watch: ClusterWatch, until: AbortSignal) => Promise<void>,
): Promise<void> {
  const running = new Map<ClusterWatch, Promise<void>>();
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  let failure: Error | undefined;
  while (!either.aborted) {
    for (const watch of watches().values()) {
      if (running.has(watch)) continue;
      const ended = follow(watch, AbortSignal.any([either, watch.cluster.signal]))
        .catch((error: unknown) => {
          failure ??= error instanceof Error ? error : new Error(String(error));
          failed.abort();
        })
        .finally(() => void running.delete(watch));
      running.set(watch, ended);
    }
    await sleep(clock, lookMs, either);
  }
  await Promise.all(running.values());
  if (failure !== undefined) throw failure;
}
