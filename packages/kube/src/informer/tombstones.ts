/**
 * `Tombstones` holds the uids of objects that this process deleted. A uid is never reused, so anything that a lagging
 * watch or list says about one is ignored. A tombstone is kept until the server itself reports the deletion. Where that
 * report may have come first, only the latest tombstones are kept.
 */
import { BoundedMap } from '../bounded-map.ts';
import { compareResourceVersions } from '../resource-version.ts';
import type { Projected } from './informer.ts';

/** Tombstones whose deletion event may already have come: more than can be in flight at once. */
const strangers = 1_000;

export class Tombstones {
  /** From uid to the version that the cache held. */
  readonly #held = new Map<string, string>();
  #others = new BoundedMap<string, true>(strangers);

  get size(): number {
    return this.#held.size + this.#others.size;
  }

  /** Adds a tombstone; `heldVersion` is undefined when the cache does not hold the object. */
  bury(uid: string, heldVersion: string | undefined): void {
    if (heldVersion === undefined) this.#others.set(uid, true);
    else this.#held.set(uid, heldVersion);
  }

  has(uid: string | undefined): boolean {
    if (uid === undefined || this.size === 0) return false;
    return this.#held.has(uid) || this.#others.get(uid) !== undefined;
  }

  /** Removes the tombstone: the server has reported the deletion. */
  forget(uid: string): void {
    this.#held.delete(uid);
    this.#others.delete(uid);
  }

  /** Removes tombstones that a list confirms: it lacks the uid and is at least as new as the held version. */
  listed(objects: Iterable<Projected>, listVersion: string): void {
    if (this.#held.size === 0) return;
    const present = new Set<string | undefined>();
    for (const { metadata } of objects) present.add(metadata.uid);
    for (const [uid, version] of this.#held)
      if (!present.has(uid) && compareResourceVersions(listVersion, version) !== -1) this.#held.delete(uid);
  }

  clear(): void {
    this.#held.clear();
    this.#others = new BoundedMap<string, true>(strangers);
  }
}
