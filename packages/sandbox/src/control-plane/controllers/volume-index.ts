/** Indexes volumes by the claim that they name, and the others by class, so that no lookup scans all volumes. */
import type { KubeObject } from '../../values/json.ts';
import { claimKeyOf, classOf } from './volume-match.ts';

export class VolumeIndex {
  readonly #claimOf = new Map<string, string>();
  readonly #byClaim = new Map<string, Set<string>>();
  readonly #classOf = new Map<string, string>();
  readonly #free = new Map<string, Set<string>>();

  saw(volume: KubeObject): void {
    const name = volume.metadata.name ?? '';
    this.forget(name);
    const claim = claimKeyOf(volume);
    if (claim === undefined) put(this.#free, this.#classOf, name, classOf(volume));
    else put(this.#byClaim, this.#claimOf, name, claim);
  }

  forget(name: string): void {
    drop(this.#byClaim, this.#claimOf, name);
    drop(this.#free, this.#classOf, name);
  }

  of(claimKey: string): readonly string[] {
    return [...(this.#byClaim.get(claimKey) ?? [])];
  }

  free(className: string): readonly string[] {
    return [...(this.#free.get(className) ?? [])];
  }
}

function put(groups: Map<string, Set<string>>, groupOf: Map<string, string>, name: string, group: string): void {
  groupOf.set(name, group);
  const members = groups.get(group) ?? new Set();
  members.add(name);
  groups.set(group, members);
}

function drop(groups: Map<string, Set<string>>, groupOf: Map<string, string>, name: string): void {
  const group = groupOf.get(name);
  if (group === undefined) return;
  groupOf.delete(name);
  const members = groups.get(group);
  members?.delete(name);
  if (members?.size === 0) groups.delete(group);
}
