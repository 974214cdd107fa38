/**
 * The uids that we deleted ourselves. A uid never comes back, so whatever a watch or a list that lags says of one is ignored. Remembered until the
 * server's own account of the deletion has come; where it may have come before ours, only for the last few.
 */
import { BoundedMap } from '../bounded-map.ts';
import { compareResourceVersions } from '../resource-version.ts';
import type { Projected } from './informer.ts';

/** Deletions whose event may have come already: more than can be on their way at once. */
const strangers = 1_000;

export class Graveyard {
  /** uid to the version in which the cache last had it. */
  readonly #held = new Map<string, string>();
  #others = new BoundedMap<string, true>(strangers);

  get size(): number {
    return this.#held.size + this.#others.size;
  }

  /** `heldVersion` is absent where the cache does not have the object. */
  bury(uid: string, heldVersion: string | undefined): void {
    if (heldVersion === undefined) this.#others.set(uid, true);
    else this.#held.set(uid, heldVersion);
  }

  has(uid: string | undefined): boolean {
    if (uid === undefined || this.size === 0) return false;
    return this.#held.has(uid) || this.#others.get(uid) !== undefined;
  }

  /** The server says itself that it is gone. */
  forget(uid: string): void {
    this.#held.delete(uid);
    this.#others.delete(uid);
  }

  /** A list without the uid, and no older than its object was, is the server's word too. */
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
