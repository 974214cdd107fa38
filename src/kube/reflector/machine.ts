/**
 * What a reflector does next, as a table: `next(machine, event)` is pure, reflector.ts carries it out.
 *
 * Which version a list is asked for decides what may be concluded from it. That an object is gone may be inferred only from a list that is no older
 * than what we know of that object:
 * - The first list may come out of the server's watch cache (version 0) and be old: nothing was known before, so nothing is inferred.
 * - A later list is asked for "not older than" the last version that we saw. What we knew then and is not in it is gone.
 * - After 410, and after a server that cannot know our version (a restored etcd), the version is unset: the newest that there is.
 * - An answer that is older than what we saw all the same (a replica that lags) is refused, and the next one is asked for with the version unset.
 *   If that one is older too, the server's time itself went back, as after a restore: now it is believed, or we would wait for ever.
 *
 * Beyond the table of states that this implements:
 * - A 410 right after a list backs off.
 * - A list that cannot be read is asked for in pages: a cache answers with all at once, which may be too much for us, and would be each time.
 * - An event that is older than what was seen is the server's time going back too.
 * - A second silence in a row leads to a list: a watch from a version that a restored server has not reached yet is silent for as long as it takes.
 * - A stream that is cut, and a server that is not there for the moment, resume the watch: if that takes too long, 410 says so.
 */
import { compareResourceVersions } from '../resource-version.ts';

/** What a reflector can be busy with. */
export type Phase = 'streaming' | 'listing' | 'watching';

export type Failure =
  /** The server does not know watch-lists. */
  | 'unsupported'
  /** 410, or a version that the server has not reached. */
  | 'expired'
  /** 429, refused, unreachable, 503: later. */
  | 'unavailable'
  | 'unauthorized'
  | 'forbidden'
  /** 404: no such kind, yet. */
  | 'absent'
  /** 500 */
  | 'internal'
  /** A line or an answer that cannot be understood. */
  | 'malformed'
  /** Older than what was seen. */
  | 'stale'
  | 'other';

export type ReflectorEvent =
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  /** The pause is over. */
  | { readonly type: 'timer' }
  /** A whole list is in the store: by pages, or up to the bookmark that ends the initial events. */
  | { readonly type: 'synced'; readonly resourceVersion: string }
  /** An event or a bookmark of the watch. */
  | { readonly type: 'progress'; readonly resourceVersion: string }
  /** The stream ended; `short` when at once and without having moved. */
  | { readonly type: 'ended'; readonly short: boolean }
  | { readonly type: 'silence' }
  | { readonly type: 'failed'; readonly failure: Failure };

export interface Machine {
  readonly state: 'idle' | Phase | 'backoff' | 'stopped';
  /** Where a backoff leads to. */
  readonly resume: Phase;
  /** The last version that was seen; empty before the first list. */
  readonly resourceVersion: string;
  /** The next list is asked for with the version unset. */
  readonly unset: boolean;
  /** Answers in a row that were refused because they were older than what was seen. */
  readonly doubts: number;
  /** Silences in a row. */
  readonly silences: number;
  /** Nothing has come since the last list. */
  readonly fresh: boolean;
  /** Whether watch-lists may be tried. */
  readonly watchList: boolean;
}

export function createMachine(watchList: boolean): Machine {
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

export function next(machine: Machine, event: ReflectorEvent): Machine {
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

/** Whether an answer at this version must be refused. */
export function isStale(machine: Machine, resourceVersion: string): boolean {
  return goesBack(machine, resourceVersion) && !(machine.unset && machine.doubts > 0);
}

/** Whether the answer is older than what was seen. */
export function goesBack(machine: Machine, resourceVersion: string): boolean {
  return compareResourceVersions(resourceVersion, machine.resourceVersion) === -1;
}

function fromStreaming(machine: Machine, event: ReflectorEvent): Machine {
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

function fromListing(machine: Machine, event: ReflectorEvent): Machine {
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

function fromWatching(machine: Machine, event: ReflectorEvent): Machine {
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

function failedWatch(machine: Machine, failure: Failure): Machine {
  switch (failure) {
    case 'expired':
      // Too old though it was just listed: a server that says so each time would be asked without end.
      return machine.fresh ? backOff(machine, relist(machine)) : goTo(machine, relist(machine));
    case 'unavailable':
    case 'unauthorized':
    case 'internal':
      return backOff(machine, 'watching');
    // A kind that went and came, or a scope that was taken away and given back: what happened meanwhile, only a list says.
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

function failedList(machine: Machine, failure: Failure, again: 'streaming' | 'listing'): Machine {
  switch (failure) {
    case 'expired':
      // Asked for the newest and still too old: no reason to ask at once once more.
      return machine.unset ? backOff(machine, again) : goTo({ ...machine, unset: true }, again);
    case 'stale':
      return backOff({ ...machine, unset: true, doubts: machine.doubts + 1 }, again);
    case 'malformed':
      // At a version all of it comes in one answer, which may be more than can be read: with the version unset it comes in pages.
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

function synced(machine: Machine, resourceVersion: string): Machine {
  return goTo({ ...machine, resourceVersion, unset: false, doubts: 0, silences: 0, fresh: true }, 'watching');
}

function progressed(machine: Machine, resourceVersion: string): Machine {
  return {
    ...machine,
    silences: 0,
    fresh: false,
    resourceVersion: goesBack(machine, resourceVersion) ? machine.resourceVersion : resourceVersion,
  };
}

function relist(machine: Machine): 'streaming' | 'listing' {
  return machine.watchList ? 'streaming' : 'listing';
}

function goTo(machine: Machine, phase: Phase): Machine {
  return { ...machine, state: phase };
}

function backOff(machine: Machine, resume: Phase): Machine {
  return { ...machine, state: 'backoff', resume };
}
