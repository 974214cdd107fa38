/**
 * `Partition` is one scope of a cache (one namespace, or all) and the rules by which it changes: through the watch,
 * lists and own writes. Each change and its notification to handlers happen together.
 *
 * Own writes are laid over what the watch has brought, so that a writer reads its write at once. Why that is sound:
 * - Versions of one kind are ordered, and the watch brings changes in that order. `position` is the version up to which
 *   it has brought all of them.
 * - The answer to a write at or below the position adds nothing: the cache has that state or a newer one, or has seen
 *   the deletion. It is ignored.
 * - The answer to a write beyond the position is the newest known state of the object. It is put into the cache, and
 *   watch events of the object up to that version are ignored: they show older states or the same one. Events beyond it
 *   are newer and are applied.
 * - A list older than such an object proves nothing about it, whether it has an older state of it or lacks it.
 * - So the versions of an object that a handler sees only grow, and each is one that the server had: a subsequence of
 *   the truth.
 * - The answer to a deletion carries no version of its own, but a uid that is never reused. That uid is hidden for good
 *   (tombstones.ts), and so is everything older than it under the same name.
 * - A write that takes an object out of the selection of this cache removes it at once, and older states of it are
 *   ignored. A first list may be long, so it is applied in steps that yield to the event loop: nothing relies on a
 *   cache that has not synced. An own write first completes the list. Later lists change little and are applied in one
 *   step.
 *
 * Where versions cannot be compared (an aggregated API server with its own numbering) there is no overlay, and own
 * writes arrive through the watch.
 */
import { keyOf } from '../object.ts';
import { compareResourceVersions } from '../resource-version.ts';
import type { ListVersion } from '../reflector/sink.ts';
import { Tombstones } from './tombstones.ts';
import type { Projected } from './informer.ts';
import type { Notification } from './notification.ts';
import type { Store } from './store.ts';
import { sliceMs, yieldToEventLoop } from '@ssvirt/base/async/yield';

export class Partition<P extends Projected> {
  readonly #store: Store<P>;
  readonly #namespace: string | undefined;
  readonly #tell: (notification: Notification<P>) => void;
  readonly #graves = new Tombstones();
  /**
   * From key to the version of our last write, until the watch has reached it. Up to that version our own knowledge
   * counts, whether the store has the object or not (it left the selection, or was deleted later).
   */
  readonly #own = new Map<string, string>();
  #position = '';
  #synced = false;
  /** The remaining steps of a list that is being applied. */
  #arriving: Iterator<void> | undefined;

  constructor(store: Store<P>, namespace: string | undefined, tell: (notification: Notification<P>) => void) {
    this.#store = store;
    this.#namespace = namespace;
    this.#tell = tell;
  }

  /** Entries kept in addition to the objects, for tests and benchmarks. */
  get remembered(): number {
    return this.#graves.size + this.#own.size;
  }

  /** Whether a first list has been applied. */
  get synced(): boolean {
    return this.#synced;
  }

  /** The number of known objects. */
  get size(): number {
    return this.#store.count(this.#namespace);
  }

  /** Applies an event of the watch. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: P): void {
    if (this.#isPast(type, object.metadata)) return;
    if (type === 'DELETED') this.#removeBy(object.metadata, object);
    else this.#put(object);
  }

  /** Applies the deletion of an object that cannot be projected: handlers get its last known state. */
  gone(metadata: Projected['metadata']): void {
    if (!this.#isPast('DELETED', metadata)) this.#removeBy(metadata);
  }

  advance(position: string): void {
    this.#position = position;
    // Keys are in the order of our writes, which is nearly that of their versions: the rest can wait.
    for (const [key, version] of this.#own) {
      if (!isAtMost(version, position)) return;
      this.#own.delete(key);
    }
  }

  /** The known objects that a list proves gone. */
  missing(listed: ReadonlyMap<string, P>, version: ListVersion): readonly P[] {
    const missing: P[] = [];
    for (const [key, object] of this.#store.entries(this.#namespace))
      if (!listed.has(key) && (version.backwards || !isLess(version.resourceVersion, this.#own.get(key))))
        missing.push(object);
    return missing;
  }

  /** Replaces the content with a complete list; objects whose keys are in `kept` stay although the list lacks them. */
  replace(listed: ReadonlyMap<string, P>, version: ListVersion, kept: ReadonlySet<string>): void {
    this.#arriving = this.#take(listed, version, kept);
    this.#takeAll();
  }

  /** Like `replace`, but a first list is applied in steps that yield. When aborted, the rest of the list is dropped. */
  async replaceInTurns(
    listed: ReadonlyMap<string, P>,
    version: ListVersion,
    kept: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> {
    this.#arriving = this.#take(listed, version, kept);
    if (this.#synced) this.#takeAll();
    let startedAt = performance.now();
    while (this.#arriving !== undefined && !signal.aborted) {
      if (this.#arriving.next().done === true) this.#arriving = undefined;
      if (performance.now() - startedAt < sliceMs) continue;
      await yieldToEventLoop();
      startedAt = performance.now();
    }
    this.#arriving = undefined;
  }

  *#take(listed: ReadonlyMap<string, P>, version: ListVersion, kept: ReadonlySet<string>): Generator<void> {
    if (version.backwards) this.#forgetOverlays();
    for (const gone of this.missing(listed, version)) {
      const key = keyOf(gone.metadata);
      if (!kept.has(key)) this.#remove(key, gone, true);
    }
    for (const [key, object] of listed) {
      if (this.#graves.has(object.metadata.uid)) this.#removeOlder(object);
      else if (!isAtMost(object.metadata.resourceVersion, this.#own.get(key)))
        this.#put(object, key, version.backwards);
      yield;
    }
    this.#graves.listed(listed.values(), version.resourceVersion);
    this.advance(version.resourceVersion);
    this.#synced = true;
  }

  /** Applies the answer to an own write. */
  written(object: P): void {
    this.#takeAll();
    if (!this.#isNews(object)) return;
    this.#remember(object);
    // We have deleted it since; the answer to the earlier write came late.
    if (this.#graves.has(object.metadata.uid)) this.#removeOlder(object);
    else this.#put(object);
  }

  /** Applies the answer to an own write that took the object out of the selection. */
  left(object: P): void {
    this.#takeAll();
    if (!this.#isNews(object) || this.#graves.has(object.metadata.uid)) return;
    this.#remember(object);
    const key = keyOf(object.metadata);
    if (this.#store.get(key) !== undefined) this.#remove(key, object, false);
  }

  /** Applies the answer to an own deletion. */
  deleted(key: string, uid: string): void {
    this.#takeAll();
    const known = this.#store.get(key);
    const held = known?.metadata.uid === uid ? known : undefined;
    this.#graves.bury(uid, held?.metadata.resourceVersion);
    if (held !== undefined) this.#remove(key, held, false);
  }

  /** Removes an object that a get did not find, unless it has changed since. */
  confirmedGone({ metadata }: P): void {
    const known = this.#store.get(keyOf(metadata));
    if (known === undefined || known.metadata.uid !== metadata.uid) return;
    if (known.metadata.resourceVersion === metadata.resourceVersion) this.#remove(keyOf(metadata), known, true);
  }

  #takeAll(): void {
    while (this.#arriving?.next().done === false);
    this.#arriving = undefined;
  }

  /** Whether our own knowledge of the object is newer than this event. */
  #isPast(type: 'ADDED' | 'MODIFIED' | 'DELETED', metadata: Projected['metadata']): boolean {
    const { uid, resourceVersion } = metadata;
    if (this.#graves.has(uid)) {
      if (type === 'DELETED' && uid !== undefined) this.#graves.forget(uid);
      return true;
    }
    const own = this.#own.get(keyOf(metadata));
    // A deletion has a version of its own. One equal to our write's is a consequence of it: the object left a selection
    // that only the server can judge.
    return type === 'DELETED' ? isLess(resourceVersion, own) : isAtMost(resourceVersion, own);
  }

  #remember({ metadata }: P): void {
    const key = keyOf(metadata);
    this.#own.delete(key);
    this.#own.set(key, metadata.resourceVersion ?? '');
  }

  /** Whether the version is beyond both the watch's position and our last write. */
  #isNews({ metadata }: P): boolean {
    const { resourceVersion } = metadata;
    // Before the first list there is no position: any comparable version is beyond it.
    const newerThan = (version = ''): boolean =>
      version === '' || version === '0'
        ? compareResourceVersions(resourceVersion, resourceVersion) === 0
        : compareResourceVersions(resourceVersion, version) === 1;
    return newerThan(this.#position) && newerThan(this.#own.get(keyOf(metadata)));
  }

  #put(object: P, key = keyOf(object.metadata), whatever = false): void {
    const known = this.#store.get(key);
    if (known === undefined) {
      this.#store.set(object, key);
      this.#tell({ type: 'added', object, initial: !this.#synced });
      return;
    }
    const same = known.metadata.uid === object.metadata.uid;
    if (same && !whatever && known.metadata.resourceVersion === object.metadata.resourceVersion) return;
    this.#store.set(object, key);
    if (same) {
      this.#tell({ type: 'updated', before: known, after: object, resync: false });
      return;
    }
    // It was deleted and recreated between two observations: these are two objects with the same name.
    this.#tell({ type: 'deleted', object: known, finalStateUnknown: true });
    this.#tell({ type: 'added', object, initial: false });
  }

  /**
   * The object was deleted by us, and this is an earlier state of it: any older object of the same name is gone too.
   */
  #removeOlder({ metadata }: P): void {
    const key = keyOf(metadata);
    const known = this.#store.get(key);
    if (known === undefined || !isLess(known.metadata.resourceVersion, metadata.resourceVersion)) return;
    this.#remove(key, known, true);
  }

  #removeBy(metadata: Projected['metadata'], last?: P): void {
    const key = keyOf(metadata);
    const known = this.#store.get(key);
    if (known === undefined) return;
    const same = known.metadata.uid === metadata.uid;
    this.#remove(key, same ? (last ?? known) : known, !same);
  }

  #remove(key: string, last: P, finalStateUnknown: boolean): void {
    this.#store.delete(key);
    this.#tell({ type: 'deleted', object: last, finalStateUnknown });
  }

  #forgetOverlays(): void {
    this.#graves.clear();
    this.#own.clear();
    this.#position = '';
  }
}

function isLess(version: string | undefined, than: string | undefined): boolean {
  return compareResourceVersions(version, than) === -1;
}

function isAtMost(version: string | undefined, than: string | undefined): boolean {
  return than !== undefined && (version === than || isLess(version, than));
}
