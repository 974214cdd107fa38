/**
 * A check for readiness: are the caches filled, and does anybody keep them so? A short outage of the server is none of its business; that a watch
 * is quiet is no trouble either.
 */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { ReflectorHealth } from './informer.ts';
import type { Informers } from './informers.ts';

export interface ReadyOptions {
  /** How long a cache may be without its server: two bookmarks that did not come, and some slack, unless said. */
  readonly outOfTouchMs?: number;
  readonly clock?: Clock;
}

/** Throws where one is not, and says which and why. */
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
