/**
 * One scope of a cache (a namespace, or all), and the rules by which it changes: from the watch, from lists, and from our own writes. Each change is
 * made in one go with what handlers are told of it.
 *
 * Own writes are laid over what the watch has brought so far, so that whoever wrote reads it at once. Why that is sound:
 * - Versions of one kind are ordered, and the watch brings changes in that order. `position` is the version up to which it has brought all of them.
 * - The answer to a write at or below the position says nothing new: the cache has it, or something newer, or has seen it go. It is ignored.
 * - The answer to a write beyond the position is the newest that anyone here knows of that object. It is put into the cache, and what the watch brings
 *   of the object up to that version is ignored: those states are older, or the same one. What it brings beyond is newer, and taken.
 * - A list older than such an object, with an older state of it or without it, says nothing about it either.
 * - So the versions of an object that a handler sees only grow, each is one that the server had: a subsequence of the truth.
 * - A deletion has no version of its own in its answer, but a uid that never comes back: it is hidden for good (graveyard.ts), and so is all of that
 *   name that is older than it.
 * - A write that takes an object out of the selection of this cache takes it out at once, and older states of it are held off.
 * A first list may be long, and is taken in by turns: nobody counts on a cache that has not synced. Whatever we write meanwhile finds it whole. Later
 * lists, of which most is known already, take the place of what was known in one go.
 *
 * Where versions cannot be compared (an extension server that numbers as it likes) nothing is laid over, and own writes come by the watch.
 */
import { keyOf } from '../object.ts';
import { compareResourceVersions } from '../resource-version.ts';
import type { ListVersion } from '../reflector/sink.ts';
import { Graveyard } from './graveyard.ts';
import type { Projected } from './informer.ts';
import type { Notification } from './notification.ts';
import type { Store } from './store.ts';
import { turnMs, yieldTurn } from '../turn.ts';

export class Partition<P extends Projected> {
  readonly #store: Store<P>;
  readonly #namespace: string | undefined;
  readonly #tell: (notification: Notification<P>) => void;
  readonly #graves = new Graveyard();
  /**
   * Key to the version of our last write, for as long as the watch has not reached it: up to there our own word counts, be it an object in the store,
   * or that there is none (it left the selection, or was deleted after).
   */
  readonly #own = new Map<string, string>();
  #position = '';
  #synced = false;
  /** The rest of a list that is being taken in. */
  #arriving: Iterator<void> | undefined;

  constructor(store: Store<P>, namespace: string | undefined, tell: (notification: Notification<P>) => void) {
    this.#store = store;
    this.#namespace = namespace;
    this.#tell = tell;
  }

  /** What is remembered beside the objects, for those who look after memory. */
  get remembered(): number {
    return this.#graves.size + this.#own.size;
  }

  /** Whether a first list is in. */
  get synced(): boolean {
    return this.#synced;
  }

  /** How many objects are known. */
  get size(): number {
    return this.#store.count(this.#namespace);
  }

  /** An event of the watch. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: P): void {
    if (this.#isPast(type, object.metadata)) return;
    if (type === 'DELETED') this.#removeBy(object.metadata, object);
    else this.#put(object);
  }

  /** The deletion of an object that cannot be read: it is told as it was last known. */
  gone(metadata: Projected['metadata']): void {
    if (!this.#isPast('DELETED', metadata)) this.#removeBy(metadata);
  }

  advance(position: string): void {
    this.#position = position;
    // In the order of our writes, which is nearly that of their versions: the rest waits its turn.
    for (const [key, version] of this.#own) {
      if (!isAtMost(version, position)) return;
      this.#own.delete(key);
    }
  }

  /** Those of the known that a list says are gone. */
  missing(listed: ReadonlyMap<string, P>, version: ListVersion): readonly P[] {
    const missing: P[] = [];
    for (const [key, object] of this.#store.entries(this.#namespace))
      if (!listed.has(key) && (version.backwards || !isLess(version.resourceVersion, this.#own.get(key))))
        missing.push(object);
    return missing;
  }

  /** A whole list takes the place of what was known; `kept` are keys that stay though the list does not have them. */
  replace(listed: ReadonlyMap<string, P>, version: ListVersion, kept: ReadonlySet<string>): void {
    this.#arriving = this.#take(listed, version, kept);
    this.#takeAll();
  }

  /** The same, in turns where it is a first list. Where it is stopped, the rest of it is dropped. */
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
      if (performance.now() - startedAt < turnMs) continue;
      await yieldTurn();
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

  /** The answer to a write of ours. */
  written(object: P): void {
    this.#takeAll();
    if (!this.#isNews(object)) return;
    this.#remember(object);
    // Deleted by us since, and only now we hear how it was written.
    if (this.#graves.has(object.metadata.uid)) this.#removeOlder(object);
    else this.#put(object);
  }

  /** The answer to a write of ours that took the object out of the selection. */
  left(object: P): void {
    this.#takeAll();
    if (!this.#isNews(object) || this.#graves.has(object.metadata.uid)) return;
    this.#remember(object);
    const key = keyOf(object.metadata);
    if (this.#store.get(key) !== undefined) this.#remove(key, object, false);
  }

  /** The answer to a deletion of ours. */
  deleted(key: string, uid: string): void {
    this.#takeAll();
    const known = this.#store.get(key);
    const held = known?.metadata.uid === uid ? known : undefined;
    this.#graves.bury(uid, held?.metadata.resourceVersion);
    if (held !== undefined) this.#remove(key, held, false);
  }

  /** A get has shown that it is gone, if it has not changed since. */
  confirmedGone({ metadata }: P): void {
    const known = this.#store.get(keyOf(metadata));
    if (known === undefined || known.metadata.uid !== metadata.uid) return;
    if (known.metadata.resourceVersion === metadata.resourceVersion) this.#remove(keyOf(metadata), known, true);
  }

  #takeAll(): void {
    while (this.#arriving?.next().done === false);
    this.#arriving = undefined;
  }

  /** Whether our own word about the object is newer than this event. */
  #isPast(type: 'ADDED' | 'MODIFIED' | 'DELETED', metadata: Projected['metadata']): boolean {
    const { uid, resourceVersion } = metadata;
    if (this.#graves.has(uid)) {
      if (type === 'DELETED' && uid !== undefined) this.#graves.forget(uid);
      return true;
    }
    const own = this.#own.get(keyOf(metadata));
    // A deletion has a version of its own. At the same as our write it is its consequence: it left a selection that only the server can judge.
    return type === 'DELETED' ? isLess(resourceVersion, own) : isAtMost(resourceVersion, own);
  }

  #remember({ metadata }: P): void {
    const key = keyOf(metadata);
    this.#own.delete(key);
    this.#own.set(key, metadata.resourceVersion ?? '');
  }

  /** Whether it is beyond what the watch has brought, and what we know ourselves. */
  #isNews({ metadata }: P): boolean {
    const { resourceVersion } = metadata;
    // Before the first list there is no position: any version that has an order is beyond it.
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
    // Deleted and made anew between two looks: two objects, of which the second happens to have the first one's name.
    this.#tell({ type: 'deleted', object: known, finalStateUnknown: true });
    this.#tell({ type: 'added', object, initial: false });
  }

  /** Of an object that we deleted we hear how it once was: whoever had its name before then is gone too. */
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
