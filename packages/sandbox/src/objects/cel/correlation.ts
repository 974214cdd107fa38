/**
 * Finds the old value that belongs to a value of an update. Errors of unchanged values are ignored (validation
 * ratcheting). A value without a known old value is treated like the nearest enclosing one that has one.
 */
import { type Json, isObject, jsonEqual } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import { valuesOf } from './schema-types.ts';

export class Correlation {
  readonly #value: Json;
  readonly #old: Json;
  readonly #schema: Schema;
  #unchanged: boolean | undefined;
  #oldItems: ReadonlyMap<string, Json> | undefined;

  constructor(value: Json, old: Json, schema: Schema) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  get unchanged(): boolean {
    this.#unchanged ??= this.#compare();
    return this.#unchanged;
  }

  key(name: string): Correlation | undefined {
    if (!isObject(this.#value) || !isObject(this.#old)) return undefined;
    const value = this.#value[name];
    const old = this.#old[name];
    const schema = this.#schema.properties?.[name] ?? valuesOf(this.#schema);
    if (value === undefined || old === undefined || schema === undefined) return undefined;
    return new Correlation(value, old, schema);
  }

  /** Only items of lists of type map can be correlated. */
  index(place: number): Correlation | undefined {
    const { items } = this.#schema;
    if (!Array.isArray(this.#value) || !Array.isArray(this.#old) || items === undefined) return undefined;
    if (this.#schema['x-kubernetes-list-type'] !== 'map') return undefined;
    const value = this.#value[place];
    if (value === undefined) return undefined;
    this.#oldItems ??= itemsByKey(this.#old, this.#schema);
    const old = this.#oldItems.get(listKey(value, this.#schema) ?? '');
    return old === undefined ? undefined : new Correlation(value, old, items);
  }

  /** Equality, but the order of a list of type map is ignored. */
  #compare(): boolean {
    if (Array.isArray(this.#value) && Array.isArray(this.#old)) {
      if (this.#value.length !== this.#old.length) return false;
      if (this.#schema['x-kubernetes-list-type'] !== 'map') return jsonEqual(this.#value, this.#old);
      return this.#value.every((_, i) => this.index(i)?.unchanged === true);
    }
    if (!isObject(this.#value) || !isObject(this.#old)) return jsonEqual(this.#value, this.#old);
    const keys = Object.keys(this.#value).filter((key) => isObject(this.#value) && this.#value[key] !== undefined);
    const oldKeys = Object.keys(this.#old).filter((key) => isObject(this.#old) && this.#old[key] !== undefined);
    return keys.length === oldKeys.length && keys.every((key) => this.key(key)?.unchanged === true);
  }
}

/** `listKey` returns the keys of an item as one text; undefined when a key is missing. */
export function listKey(item: Json, schema: Schema): string | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (!isObject(item) || keys.length === 0) return undefined;
  const values = keys.map((key) => item[key]);
  return values.some((value) => value === undefined || typeof value === 'object') ? undefined : JSON.stringify(values);
}

export function itemsByKey(items: readonly Json[], schema: Schema): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  if (schema['x-kubernetes-list-type'] !== 'map') return found;
  for (const item of items) {
    const key = listKey(item, schema);
    if (key !== undefined && !found.has(key)) found.set(key, item);
  }
  return found;
}

/** `Ratchet` is the position of a walk: the value's old counterpart, or the nearest enclosing one. */
export class Ratchet {
  readonly #current: Correlation | undefined;
  readonly #nearest: Correlation | undefined;

  constructor(current?: Correlation, nearest?: Correlation) {
    this.#current = current;
    this.#nearest = nearest;
  }

  get forgives(): boolean {
    return (this.#current ?? this.#nearest)?.unchanged === true;
  }

  /** Errors inside an allOf are not ignored because of the value itself. */
  withoutCurrent(): Ratchet {
    return new Ratchet(undefined, this.#nearest);
  }

  key(name: string): Ratchet {
    if (this.#current === undefined) return this;
    // At the root, old and new were converted to the same version, so these two cannot be compared.
    if (this.#nearest === undefined && (name === 'apiVersion' || name === 'kind')) return new Ratchet();
    return new Ratchet(this.#current.key(name), this.#current);
  }

  index(place: number): Ratchet {
    return this.#current === undefined ? this : new Ratchet(this.#current.index(place), this.#current);
  }
}
