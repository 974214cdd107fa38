/**
 * Which object of a live run stands for which of a recording. Both have generated parts in their names, so that an object is known by its kind, its
 * name with these parts left out, and its place in the order of creation.
 */
import type { JsonObject } from '../../src/sandbox/json.ts';

/** Such as `Pod virt-launcher-vm1-* #1`. */
export type Identity = string;

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Kubernetes cuts what a name is generated from, so that five characters fit behind it. */
const longestPrefix = 58;

/** The name without what was made up: placeholders in a recording, uids and generated endings in a live run. */
export function bareName(object: JsonObject): string {
  const { name = '', generateName } = object['metadata'] as { name?: string; generateName?: string };
  const prefix = generateName?.slice(0, longestPrefix);
  const generated = prefix !== undefined && name.startsWith(prefix) ? `${prefix}*` : name;
  return generated.replaceAll(/<[^>]*>/g, '*').replaceAll(uuid, '*');
}

/** Gives each object its identity, in the order in which they are shown. */
export class Roll {
  readonly #ordinals = new Map<string, number>();
  readonly #current = new Map<string, Identity>();

  /** The identity of an object; `fresh` at the first sight of it. */
  identify(kind: string, object: JsonObject, fresh: boolean): Identity {
    const bare = `${kind} ${bareName(object)}`;
    const key = `${kind} ${String((object['metadata'] as JsonObject)['name'])}`;
    const known = this.#current.get(key);
    if (known !== undefined && !fresh) return known;
    const ordinal = (this.#ordinals.get(bare) ?? 0) + 1;
    this.#ordinals.set(bare, ordinal);
    const identity = `${bare} #${ordinal}`;
    this.#current.set(key, identity);
    return identity;
  }
}
