/**
 * Decides what a reflector does next, as a table: `next(machine, event)` is pure, reflector.ts carries it out.
 *
 * The version that a list is requested with decides what may be concluded from it. An object may be considered gone
 * only by a list that is at least as new as what we know of that object:
 * - The first list may come from the server's watch cache (version 0) and be old: nothing was known before, so nothing
 *   is concluded.
 * - A later list is requested "not older than" the last seen version. What we knew then and is not in it is gone.
 * - After 410, and after a server that cannot know our version (a restored etcd), the version is unset: a consistent
 *   read.
 * - An answer that is nevertheless older than what we saw (a lagging replica) is refused, and the next one is requested
 *   with the version unset. If that is older too, the server's versions went backwards, as after a restore: now it is
 *   accepted, or we would wait forever.
 *
 * In addition to the published state table:
 * - A 410 right after a list backs off.
 * - A list that cannot be read is requested in pages: a cache answers with everything at once, which may be too much
 *   for us every time.
 * - An event older than what was seen means that the versions went backwards too.
 * - A second silence in a row leads to a list: a watch from a version that a restored server has not reached stays
 *   silent until it does.
 * - A cut stream, or a server that is briefly unreachable, resumes the watch: if that takes too long, the server
 *   answers 410.
 */
import { compareResourceVersions } from '../resource-version.ts';

/** `Phase` is what a reflector can be busy with. */
export type Phase = 'streaming' | 'listing' | 'watching';

export type Failure =
  /** The server does not support watch-list. */
  | 'unsupported'
  /** 410, or a version that the server has not reached. */
  | 'expired'
  /** 429, refused, unreachable, 503: retry later. */
  | 'unavailable'
  | 'unauthorized'
  | 'forbidden'
  /** 404: the kind is not served (yet). */
  | 'absent'
  /** 500. */
  | 'internal'
  /** An invalid line or answer. */
  | 'malformed'
  /** Older than what was seen. */
  | 'stale'
  | 'other';

export type ReflectorEvent =
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  /** The pause is over. */
  | { readonly type: 'timer' }
  /** A complete list is in the store: by pages, or up to the bookmark that ends the initial events. */
  | { readonly type: 'synced'; readonly resourceVersion: string }
  /** An event or a bookmark of the watch. */
  | { readonly type: 'progress'; readonly resourceVersion: string }
  /** The stream ended; `short` when it ended at once without progress. */
  | { readonly type: 'ended'; readonly short: boolean }
  | { readonly type: 'silence' }
  | { readonly type: 'failed'; readonly failure: Failure };

export interface StateMachine {
  readonly state: 'idle' | Phase | 'backoff' | 'stopped';
  /** The phase after a backoff. */
  readonly resume: Phase;
  /** The last seen version; empty before the first list. */
  readonly resourceVersion: string;
  /** The next list is requested with the version unset. */
  readonly unset: boolean;
  /** How many answers in a row were refused as older than what was seen. */
  readonly doubts: number;
  /** Silences in a row. */
  readonly silences: number;
  /** Nothing has come since the last list. */
  readonly fresh: boolean;
  /** Whether watch-list may be tried. */
  readonly watchList: boolean;
}

export function createStateMachine(watchList: boolean): StateMachine {
  return {
    state: 'idle',
    resume: 'listing',
    resourceVersion: '',
    unset: false,
    doubts: 0,
    silences: 0,
    fresh: false,
    watchList,
  };
}

export function next(machine: StateMachine, event: ReflectorEvent): StateMachine {
  if (machine.state === 'stopped') return machine;
  if (event.type === 'stop') return { ...machine, state: 'stopped' };
  switch (machine.state) {
    case 'idle':
      return event.type === 'start' ? goTo(machine, relist(machine)) : machine;
    case 'backoff':
      return event.type === 'timer' ? goTo(machine, machine.resume) : machine;
    case 'streaming':
      return fromStreaming(machine, event);
    case 'listing':
      return fromListing(machine, event);
    case 'watching':
      return fromWatching(machine, event);
  }
}

/** `isStale` returns whether an answer at this version must be refused. */
export function isStale(machine: StateMachine, resourceVersion: string): boolean {
  return goesBack(machine, resourceVersion) && !(machine.unset && machine.doubts > 0);
}

/** `goesBack` returns whether the answer is older than what was seen. */
export function goesBack(machine: StateMachine, resourceVersion: string): boolean {
  return compareResourceVersions(resourceVersion, machine.resourceVersion) === -1;
}

function fromStreaming(machine: StateMachine, event: ReflectorEvent): StateMachine {
  switch (event.type) {
    case 'synced':
      return synced(machine, event.resourceVersion);
    case 'ended':
      return backOff(machine, 'streaming');
    case 'silence':
      return goTo({ ...machine, watchList: false }, 'listing');
    case 'failed':
      if (event.failure === 'unsupported') return goTo({ ...machine, watchList: false }, 'listing');
      return failedList(machine, event.failure, 'streaming');
    case 'start':
    case 'stop':
    case 'timer':
    case 'progress':
      return machine;
  }
}

function fromListing(machine: StateMachine, event: ReflectorEvent): StateMachine {
  switch (event.type) {
    case 'synced':
      return synced(machine, event.resourceVersion);
    case 'failed':
      return failedList(machine, event.failure, 'listing');
    case 'start':
    case 'stop':
    case 'timer':
    case 'progress':
    case 'ended':
    case 'silence':
      return machine;
  }
}

function fromWatching(machine: StateMachine, event: ReflectorEvent): StateMachine {
  switch (event.type) {
    case 'progress':
      return progressed(machine, event.resourceVersion);
    case 'ended':
      return event.short ? backOff(machine, 'watching') : { ...machine, fresh: false };
    case 'silence':
      return machine.silences > 0
        ? goTo({ ...machine, unset: true, silences: 0 }, relist(machine))
        : { ...machine, silences: machine.silences + 1 };
    case 'failed':
      return failedWatch(machine, event.failure);
    case 'synced':
    case 'start':
    case 'stop':
    case 'timer':
      return machine;
  }
}

function failedWatch(machine: StateMachine, failure: Failure): StateMachine {
  switch (failure) {
    case 'expired':
      // Expired right after a list: without a pause, a server that always answers so would be asked without end.
      return machine.fresh ? backOff(machine, relist(machine)) : goTo(machine, relist(machine));
    case 'unavailable':
    case 'unauthorized':
    case 'internal':
      return backOff(machine, 'watching');
    // The kind was removed and added again, or access was revoked and granted again: only a list shows what changed
    // meanwhile.
    case 'forbidden':
    case 'absent':
    case 'malformed':
    case 'unsupported':
    case 'other':
      return backOff(machine, relist(machine));
    case 'stale':
      return backOff({ ...machine, unset: true, doubts: machine.doubts + 1 }, relist(machine));
  }
}

function failedList(machine: StateMachine, failure: Failure, again: 'streaming' | 'listing'): StateMachine {
  switch (failure) {
    case 'expired':
      // Expired even for a consistent read: there is no reason to retry at once.
      return machine.unset ? backOff(machine, again) : goTo({ ...machine, unset: true }, again);
    case 'stale':
      return backOff({ ...machine, unset: true, doubts: machine.doubts + 1 }, again);
    case 'malformed':
      // With a version, the list comes in one answer, which may be too large to read: with the version unset it comes
      // in pages.
      return backOff({ ...machine, unset: machine.unset || again === 'listing' }, again);
    case 'unsupported':
    case 'unavailable':
    case 'unauthorized':
    case 'forbidden':
    case 'absent':
    case 'internal':
    case 'other':
      return backOff(machine, again);
  }
}

function synced(machine: StateMachine, resourceVersion: string): StateMachine {
  return goTo({ ...machine, resourceVersion, unset: false, doubts: 0, silences: 0, fresh: true }, 'watching');
}

function progressed(machine: StateMachine, resourceVersion: string): StateMachine {
  return {
    ...machine,
    silences: 0,
    fresh: false,
    resourceVersion: goesBack(machine, resourceVersion) ? machine.resourceVersion : resourceVersion,
  };
}

function relist(machine: StateMachine): 'streaming' | 'listing' {
  return machine.watchList ? 'streaming' : 'listing';
}

function goTo(machine: StateMachine, phase: Phase): StateMachine {
  return { ...machine, state: phase };
}

function backOff(machine: StateMachine, resume: Phase): StateMachine {
  return { ...machine, state: 'backoff', resume };
}
