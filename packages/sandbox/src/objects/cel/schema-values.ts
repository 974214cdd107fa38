/** Converts JSON to CEL values by its schema. Objects and lists are converted lazily. */
import { type Json, type JsonObject, isObject, jsonEqual } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import { escapeName, unescapeName } from './syntax/escape.ts';
import { parseFormatted } from './schema-formats.ts';
import { valuesOf, withTypeAndMeta } from './schema-types.ts';
import {
  EvalError,
  LibraryValue,
  ListValue,
  MapValue,
  NO_SUCH_OVERLOAD,
  PlainList,
  type Value,
  equal,
} from './values.ts';

const invalid = (what: string): EvalError => new EvalError(`invalid data, ${what}`);

export function toValue(json: Json, schema: Schema): Value {
  if (json === null) return schema.nullable === true ? null : invalid('got null for schema with nullable=false');
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(json);
  switch (schema.type) {
    case 'object':
      return isObject(json)
        ? objectValue(json, schema)
        : invalid('expected a map for the provided schema with type=object');
    case 'array':
      if (!Array.isArray(json)) return invalid('expected an array for the provided schema with type=array');
      return listValue(json, schema);
    case 'string':
      if (typeof json !== 'string') return invalid(`expected string, got ${goType(json)}`);
      return parseFormatted(json, schema.format);
    case 'number':
      return typeof json === 'number' ? json : invalid(`expected float, got ${goType(json)}`);
    case 'integer':
      return Number.isInteger(json) ? toInt(Number(json)) : invalid(`expected int, got ${goType(json)}`);
    case 'boolean':
      return typeof json === 'boolean' ? json : invalid(`expected bool, got ${goType(json)}`);
    default:
      if (schema['x-kubernetes-preserve-unknown-fields'] === true) return new PreservedValue(json);
      return new EvalError(
        'invalid type, expected object, array, number, integer, boolean or string, or no type with ' +
          `x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ''}`,
      );
  }
}

function intOrString(json: Json): Value {
  if (typeof json === 'string') return json;
  if (Number.isInteger(json)) return toInt(Number(json));
  return invalid('expected XIntOrString value to be either a string or integer');
}

const INT_MAX = 2n ** 63n - 1n;

/** JSON has rounded up the largest int64. */
const toInt = (value: number): bigint => (value >= 2 ** 63 ? INT_MAX : BigInt(value));

function goType(json: Json): string {
  switch (typeof json) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(json) ? 'int64' : 'float64';
    default:
      return Array.isArray(json) ? '[]interface {}' : 'map[string]interface {}';
  }
}

function objectValue(json: JsonObject, schema: Schema): SchemaMap {
  return new SchemaMap(json, schema['x-kubernetes-embedded-resource'] === true ? withTypeAndMeta(schema) : schema);
}

function listValue(json: readonly Json[], schema: Schema): Value {
  const { items } = schema;
  if (items === undefined) return new EvalError('invalid array type, expected Items with a non-empty Schema');
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return new SetList(json.map((item) => toValue(item, items)));
    case 'map':
      return new KeyedList(
        json.map((item) => toValue(item, items)),
        schema['x-kubernetes-list-map-keys'] ?? [],
      );
    default:
      return new SchemaList(json, items);
  }
}

/** Data without a schema: it supports only comparison. */
class PreservedValue extends LibraryValue {
  readonly typeName = 'unknown';
  readonly json: Json;

  constructor(json: Json) {
    super();
    this.json = json;
  }

  equals(other: Value): boolean {
    return other instanceof PreservedValue && jsonEqual(this.json, other.json);
  }
}

class SchemaMap extends MapValue {
  readonly json: JsonObject;
  readonly #schema: Schema;

  constructor(json: JsonObject, schema: Schema) {
    super();
    this.json = json;
    this.#schema = schema;
  }

  get size(): number {
    let size = 0;
    for (const key in this.json) if (this.json[key] !== undefined) size++;
    return size;
  }

  #schemaOf(property: string): Schema | undefined {
    const { properties } = this.#schema;
    if (properties === undefined) return valuesOf(this.#schema);
    return Object.hasOwn(properties, property) ? properties[property] : undefined;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return NO_SUCH_OVERLOAD;
    const isStruct = this.#schema.properties !== undefined;
    const property = isStruct ? unescapeName(key) : key;
    if (property === undefined || !Object.hasOwn(this.json, property)) return undefined;
    const json = this.json[property];
    // A null field is absent; a null entry of a map is not.
    if (json === undefined || (isStruct && json === null)) return undefined;
    const schema = this.#schemaOf(property);
    return schema === undefined ? undefined : toValue(json, schema);
  }

  keys(): Value[] {
    const isStruct = this.#schema.properties !== undefined;
    return Object.keys(this.json)
      .filter((key) => this.json[key] !== undefined && this.#schemaOf(key) !== undefined)
      .map((key) => (isStruct ? (escapeName(key) ?? key) : key));
  }

  override equals(other: MapValue): boolean | EvalError {
    if (this.size !== other.size) return false;
    for (const [key, json] of Object.entries(this.json)) {
      if (json === undefined) continue;
      const same = this.#schemaOf(key) === undefined ? equalUnknown(key, json, other) : this.#equalAt(key, other);
      if (same !== true) return same;
    }
    return true;
  }

  #equalAt(key: string, other: MapValue): boolean | EvalError {
    const here = this.find(key);
    const there = other.find(key);
    if (here === undefined || there === undefined) return here === there;
    return equal(here, there);
  }
}

/** A field outside the schema is compared as JSON, if the other side has it. */
function equalUnknown(key: string, json: Json, other: MapValue): boolean | EvalError {
  if (!(other instanceof SchemaMap)) return NO_SUCH_OVERLOAD;
  const there = other.json[key];
  return there === undefined || jsonEqual(json, there);
}

class SchemaList extends ListValue {
  readonly #json: readonly Json[];
  readonly #items: Schema;

  constructor(json: readonly Json[], items: Schema) {
    super();
    this.#json = json;
    this.#items = items;
  }

  get size(): number {
    return this.#json.length;
  }

  get(index: number): Value {
    return toValue(this.#json[index] ?? null, this.#items);
  }
}

/** `x-kubernetes-list-type: set`: the order is ignored, and `+` is a union. */
class SetList extends PlainList {
  #has(value: Value): boolean {
    return this.values.some((own) => equal(own, value) === true);
  }

  override equals(other: ListValue): boolean {
    return this.size === other.size && other.items().every((item) => this.#has(item));
  }

  override concat(other: ListValue): ListValue {
    const added: Value[] = [];
    for (const item of other.items()) {
      if (!this.#has(item) && !added.some((known) => equal(known, item) === true)) added.push(item);
    }
    return new SetList([...this.values, ...added]);
  }
}

/** `x-kubernetes-list-type: map`: items are identified by their keys, and `+` replaces items with the same keys. */
class KeyedList extends PlainList {
  readonly #keys: readonly string[];

  constructor(values: Value[], keys: readonly string[]) {
    super(values);
    this.#keys = keys;
  }

  #keyOf(value: Value): string {
    return value instanceof SchemaMap ? JSON.stringify(this.#keys.map((key) => value.json[key] ?? null)) : '';
  }

  override equals(other: ListValue): boolean | EvalError {
    if (this.size !== other.size) return false;
    const own = new Map(this.values.map((value) => [this.#keyOf(value), value]));
    for (const item of other.items()) {
      const counterpart = own.get(this.#keyOf(item));
      if (counterpart === undefined) return false;
      const same = equal(counterpart, item);
      if (same !== true) return same;
    }
    return true;
  }

  override concat(other: ListValue): ListValue {
    const merged = new Map(this.values.map((value) => [this.#keyOf(value), value]));
    for (const item of other.items()) merged.set(this.#keyOf(item), item);
    return new KeyedList([...merged.values()], this.#keys);
  }
}
