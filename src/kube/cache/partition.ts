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
 * Where versions cannot be compared (an extension server that numbers as it likes) nothing is laid over, and own writes come by the watch.
 */
import { keyOf } from '../object.ts';
import { compareResourceVersions } from '../resource-version.ts';
import type { ListVersion } from '../reflector/sink.ts';
import { Graveyard } from './graveyard.ts';
import type { Projected } from './informer.ts';
import type { Notification } from './notification.ts';
import type { Store } from './store.ts';

export class Partition<P extends Projected> {
  readonly #store: Store<P>;
  readonly #namespace: string | undefined;
  readonly #tell: (notification: Notification<P>) => void;
  readonly #graves = new Graveyard();
  /** Key to the version up to which nothing of that name is shown: it left the selection then, or was deleted after. */
  readonly #departed = new Map<string, string>();
  #position = '';
  #synced = false;

  constructor(store: Store<P>, namespace: string | undefined, tell: (notification: Notification<P>) => void) {
    this.#store = store;
    this.#namespace = namespace;
    this.#tell = tell;
  }

  /** What is remembered beside the objects, for those who look after memory. */
  get remembered(): number {
    return this.#graves.size + this.#departed.size;
  }

  /** Whether a first list is in. */
  get synced(): boolean {
    return this.#synced;
  }

  known(): readonly P[] {
    return this.#store.list(this.#namespace);
  }

  /** An event of the watch. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: P): void {
    const { uid, resourceVersion } = object.metadata;
    const key = keyOf(object.metadata);
    if (this.#graves.has(uid)) {
      if (type === 'DELETED' && uid !== undefined) this.#graves.forget(uid);
      return;
    }
    if (isAtMost(resourceVersion, this.#departed.get(key))) return;
    if (type === 'DELETED') this.#removeBy(key, object);
    else this.#put(object);
  }

  advance(position: string): void {
    this.#position = position;
    // In the order of our writes, which is nearly that of their versions: the rest waits its turn.
    for (const [key, version] of this.#departed) {
      if (!isAtMost(version, position)) return;
      this.#departed.delete(key);
    }
  }

  /** Those of the known that a list says are gone. */
  missing(listed: ReadonlyMap<string, P>, version: ListVersion): readonly P[] {
    return this.known().filter((known) => !listed.has(keyOf(known.metadata)) && !isAhead(known, version));
  }

  /** A whole list takes the place of what was known; `kept` are keys that stay though the list does not have them. */
  replace(listed: ReadonlyMap<string, P>, version: ListVersion, kept: ReadonlySet<string>): void {
    if (version.backwards) this.#forgetOverlays();
    for (const gone of this.missing(listed, version)) {
      const key = keyOf(gone.metadata);
      if (!kept.has(key)) this.#remove(key, gone, true);
    }
    const uids = new Set<string>();
    for (const [key, object] of listed) {
      uids.add(object.metadata.uid ?? '');
      if (this.#graves.has(object.metadata.uid)) this.#removeOlder(object);
      else if (!isAtMost(object.metadata.resourceVersion, this.#departed.get(key)))
        this.#put(object, version.backwards);
    }
    this.#graves.listed((uid) => uids.has(uid), version.resourceVersion);
    this.advance(version.resourceVersion);
    this.#synced = true;
  }

  /** The answer to a write of ours. */
  written(object: P): void {
    if (!this.#isNews(object)) return;
    if (!this.#graves.has(object.metadata.uid)) {
      this.#put(object);
      return;
    }
    // Deleted by us since, and only now we hear how it was written.
    this.#removeOlder(object);
    this.#holdAgainst(keyOf(object.metadata), object.metadata.resourceVersion);
  }

  /** The answer to a write of ours that took the object out of the selection. */
  left(object: P): void {
    if (!this.#isNews(object) || this.#graves.has(object.metadata.uid)) return;
    const key = keyOf(object.metadata);
    this.#holdAgainst(key, object.metadata.resourceVersion);
    const known = this.#store.get(key);
    if (known !== undefined) this.#remove(key, object, false);
  }

  /** The answer to a deletion of ours. */
  deleted(key: string, uid: string): void {
    const known = this.#store.get(key);
    const held = known?.metadata.uid === uid ? known : undefined;
    this.#graves.bury(uid, held?.metadata.resourceVersion);
    if (held === undefined) return;
    this.#holdAgainst(key, held.metadata.resourceVersion);
    this.#remove(key, held, false);
  }

  /** A get has shown that it is gone, if it has not changed since. */
  confirmedGone({ metadata }: P): void {
    const known = this.#store.get(keyOf(metadata));
    if (known === undefined || known.metadata.uid !== metadata.uid) return;
    if (known.metadata.resourceVersion === metadata.resourceVersion) this.#remove(keyOf(metadata), known, true);
  }

  /** What has this name up to this version is not shown any more. */
  #holdAgainst(key: string, version: string | undefined): void {
    this.#departed.delete(key);
    if (version !== undefined && !isAtMost(version, this.#position)) this.#departed.set(key, version);
  }

  /** Whether it is beyond what the watch has brought, and what we know ourselves. */
  #isNews({ metadata }: P): boolean {
    const { resourceVersion } = metadata;
    const key = keyOf(metadata);
    const newerThan = (version: string | undefined): boolean =>
      version === undefined || version === '' || compareResourceVersions(resourceVersion, version) === 1;
    return (
      newerThan(this.#position) &&
      newerThan(this.#departed.get(key)) &&
      newerThan(this.#store.get(key)?.metadata.resourceVersion)
    );
  }

  #put(object: P, whatever = false): void {
    const known = this.#store.get(keyOf(object.metadata));
    if (known === undefined) {
      this.#store.set(object);
      this.#tell({ type: 'added', object, initial: !this.#synced });
      return;
    }
    if (!whatever && isAtMost(object.metadata.resourceVersion, known.metadata.resourceVersion)) return;
    this.#store.set(object);
    if (known.metadata.uid === object.metadata.uid) {
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
    if (known === undefined) return;
    if (compareResourceVersions(known.metadata.resourceVersion, metadata.resourceVersion) === -1)
      this.#remove(key, known, true);
  }

  #removeBy(key: string, last: P): void {
    const known = this.#store.get(key);
    if (
      known === undefined ||
      compareResourceVersions(last.metadata.resourceVersion, known.metadata.resourceVersion) === -1
    )
      return;
    const same = known.metadata.uid === last.metadata.uid;
    this.#remove(key, same ? last : known, !same);
  }

  #remove(key: string, last: P, finalStateUnknown: boolean): void {
    this.#store.delete(key);
    this.#tell({ type: 'deleted', object: last, finalStateUnknown });
  }

  #forgetOverlays(): void {
    this.#graves.clear();
    this.#departed.clear();
    this.#position = '';
  }
}

/** Whether the object is newer than the list, so that the list cannot know of it. */
function isAhead({ metadata }: Projected, { resourceVersion, backwards }: ListVersion): boolean {
  return !backwards && compareResourceVersions(metadata.resourceVersion, resourceVersion) === 1;
}

/** Equal versions are the same state, also where versions have no order. */
function isAtMost(version: string | undefined, than: string | undefined): boolean {
  if (version === undefined || than === undefined) return false;
  return version === than || compareResourceVersions(version, than) === -1;
}
