/** The common parts of all walks over a value with its schema: errors, and the identity of list items. */
import type { Json, JsonObject } from '../../values/json.ts';
import { isObject, own } from '../../values/json.ts';
import type { Atom, ListAtom } from './atom.ts';
import type { PathElement } from './path.ts';
import { item, key } from './path.ts';

/** `Typed` is a value together with its type. */
export interface Typed {
  readonly value: Json;
  readonly atom: Atom;
}

export interface ValidationError {
  readonly path: string;
  readonly message: string;
}

/** A value does not match its schema. The text is the last part of Kubernetes' own errors. */
export class TypedError extends Error {
  constructor(errors: readonly ValidationError[]) {
    const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'));
    this.name = 'TypedError';
  }
}

export const asMap = (value: Json | undefined): JsonObject | undefined => (isObject(value) ? value : undefined);
export const asList = (value: Json | undefined): Json[] | undefined => (Array.isArray(value) ? value : undefined);

export function isEmptyMap(map: JsonObject | undefined): boolean {
  if (map === undefined) return true;
  for (const name in map) if (map[name] !== undefined) return false;
  return true;
}

/** The identity of an item of an associative list, or the reason why it has none. */
export type ElementIdentity = { readonly element: PathElement } | { readonly error: string };

export function identify(list: ListAtom, value: Json): ElementIdentity {
  return list.keys.length > 0 ? identifyByKeys(list, value) : identifyByValue(value);
}

/** For walks over values that are already validated. */
export function elementOf(list: ListAtom, value: Json, index: number): PathElement {
  const identity = identify(list, value);
  if ('error' in identity) throw new TypedError([{ path: '', message: `element ${index}: ${identity.error}` }]);
  return identity.element;
}

function identifyByKeys(list: ListAtom, value: Json): ElementIdentity {
  if (value === null) return { error: 'associative list with keys may not have a null element' };
  if (!isObject(value)) return { error: 'associative list with keys may not have non-map elements' };
  const fields: [string, Json][] = [];
  for (const name of list.keys) {
    const present = own(value, name);
    if (present !== undefined) {
      fields.push([name, present]);
      continue;
    }
    const { map } = list.element();
    if (map === undefined) {
      return { error: `couldn't find default value for ${name}: associative list may not have non-map types` };
    }
    const fallback = map.field(name)?.default;
    if (fallback !== undefined && fallback !== null) fields.push([name, fallback]);
  }
  if (fields.length > 0) return { element: key(fields) };
  const names = list.keys.map((name) => JSON.stringify(name)).join(' ');
  return {
    error: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

function identifyByValue(value: Json): ElementIdentity {
  if (isObject(value)) return { error: "associative list without keys has an element that's a map type" };
  if (Array.isArray(value)) return { error: 'not supported: associative list with lists as elements' };
  if (value === null) return { error: "associative list without keys has an element that's an explicit null" };
  return { element: item(value) };
}
