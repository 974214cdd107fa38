/**
 * `cachesReady` is a readiness check: are the caches filled and kept up to date? It tolerates a short outage of the
 * server and a quiet watch.
 */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { ReflectorHealth } from './informer.ts';
import type { Informers } from './informers.ts';

export interface ReadyOptions {
  /** How long a cache may be without contact to its server. Defaults to two missed bookmarks plus some slack. */
  readonly outOfTouchMs?: number;
  readonly clock?: Clock;
}

/** `cachesReady` returns a check that throws when a cache is not ready; the message names each such cache and the reason. */
export function cachesReady(informers: Pick<Informers, 'healths'>, options: ReadyOptions = {}): () => void {
  const { outOfTouchMs = 150_000, clock = systemClock } = options;
  return () => {
    const complaints = informers.healths().flatMap(({ resource, health }) => {
      const complaint = complaintAbout(health, clock.now(), outOfTouchMs);
      return complaint === undefined ? [] : [`${resource} ${complaint}`];
    });
    if (complaints.length > 0) throw new Error(complaints.join('; '));
  };
}

function complaintAbout(health: ReflectorHealth, now: number, outOfTouchMs: number): string | undefined {
  const { synced, trouble, lastActivityAt = -Infinity } = health;
  if (!synced) return trouble === 'none' ? 'has not synced' : `has not synced (${trouble})`;
  if (trouble === 'none' || now - lastActivityAt <= outOfTouchMs) return undefined;
  return `is out of touch for ${Math.round((now - lastActivityAt) / 1000)} s (${trouble})`;
}
