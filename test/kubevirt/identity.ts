/**
 * Maps objects of a live run to objects of a recording. Both have generated parts in their names, so an object is
 * identified by its kind, its name without these parts, and its place in the order of creation.
 */
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';

/** Such as `Pod virt-launcher-vm1-* #1`. */
export type Identity = string;

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Kubernetes cuts the base of a generated name, so that five characters fit behind it. */
const longestPrefix = 58;

/** The name without generated parts: placeholders in a recording, uids and generated suffixes in a live run. */
export function bareName(object: JsonObject): string {
  const { name = '', generateName } = object['metadata'] as { name?: string; generateName?: string };
  const prefix = generateName?.slice(0, longestPrefix);
  const generated = prefix !== undefined && name.startsWith(prefix) ? `${prefix}*` : name;
  return generated.replaceAll(/<[^>]*>/g, '*').replaceAll(uuid, '*');
}

/** Gives each object its identity, in the order of appearance. */
export class Roll {
  readonly #ordinals = new Map<string, number>();
  readonly #current = new Map<string, Identity>();

  /** The identity of an object; `fresh` at its first appearance. */
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
