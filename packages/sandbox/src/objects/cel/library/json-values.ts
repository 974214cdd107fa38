/** JSON without a schema as CEL values, for data that expressions access dynamically. */
import { type Json, type JsonObject, isObject } from '../../../values/json.ts';
import { ListValue, MapValue, type Value } from '../values.ts';

export function fromJson(json: Json): Value {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
  if (Array.isArray(json)) return new JsonList(json);
  return isObject(json) ? new JsonMap(json) : json;
}

class JsonMap extends MapValue {
  readonly #json: JsonObject;

  constructor(json: JsonObject) {
    super();
    this.#json = json;
  }

  get size(): number {
    return this.keys().length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#json, key)) return undefined;
    const json = this.#json[key];
    return json === undefined ? undefined : fromJson(json);
  }

  keys(): Value[] {
    return Object.keys(this.#json).filter((key) => this.#json[key] !== undefined);
  }
}

class JsonList extends ListValue {
  readonly #json: readonly Json[];

  constructor(json: readonly Json[]) {
    super();
    this.#json = json;
  }

  get size(): number {
    return this.#json.length;
  }

  get(index: number): Value {
    return fromJson(this.#json[index] ?? null);
  }
}
