/** Resolves the `$ref`s of OpenAPI v3 definitions to one graph of schemas. Definitions are shared and may be cyclic. */
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import type { Schema } from './schema.ts';

const refPrefix = '#/components/schemas/';

/** `loadDefinitions` returns the definitions of an OpenAPI v3 document's `components.schemas`, by name. */
export function loadDefinitions(raw: { [name: string]: Json }): Map<string, Schema> {
  return new Loader(raw).load();
}

class Loader {
  private readonly raw: { [name: string]: Json };
  private readonly loaded = new Map<string, Schema>();
  /** Schemas that add keys to a definition, which is merged in after every definition is complete. */
  private readonly extensions: { schema: Schema; target: Schema }[] = [];

  constructor(raw: { [name: string]: Json }) {
    this.raw = raw;
  }

  load(): Map<string, Schema> {
    for (const name of Object.keys(this.raw)) this.loaded.set(name, {});
    for (const [name, schema] of this.loaded) Object.assign(schema, this.resolve(this.raw[name], name));
    for (const { schema, target } of this.extensions) Object.assign(schema, { ...target, ...schema });
    return this.loaded;
  }

  private resolve(raw: Json | undefined, where: string): Schema {
    if (!isObject(raw)) throw new Error(`cannot load the definition ${where}: not an object`);
    const ref = raw['$ref'];
    if (typeof ref === 'string') return this.definition(ref, where);
    const extended = referenceInAllOf(raw);
    if (extended !== undefined) {
      const { allOf: _, ...own } = raw;
      const schema: Schema = own;
      this.extensions.push({ schema, target: this.definition(extended, where) });
      return schema;
    }
    const schema: { [key: string]: unknown } = { ...raw };
    if (isObject(raw['properties'])) schema['properties'] = this.resolveMap(raw['properties'], where);
    for (const key of ['items', 'additionalProperties', 'not']) {
      if (isObject(raw[key])) schema[key] = this.resolve(raw[key], `${where}.${key}`);
    }
    for (const key of ['allOf', 'anyOf', 'oneOf']) {
      const list = raw[key];
      if (Array.isArray(list)) schema[key] = list.map((item, i) => this.resolve(item, `${where}.${key}[${i}]`));
    }
    return schema;
  }

  private resolveMap(raw: JsonObject, where: string): { [name: string]: Schema } {
    return Object.fromEntries(Object.keys(raw).map((key) => [key, this.resolve(raw[key], `${where}.${key}`)]));
  }

  private definition(ref: string, where: string): Schema {
    const target = this.loaded.get(ref.startsWith(refPrefix) ? ref.slice(refPrefix.length) : ref);
    if (target === undefined) throw new Error(`cannot load the definition ${where}: ${ref} does not exist`);
    return target;
  }
}

/** Kubernetes writes a reference with its own default or description as `allOf` with one reference. */
function referenceInAllOf(raw: JsonObject): string | undefined {
  const [only, ...others] = Array.isArray(raw['allOf']) ? raw['allOf'] : [];
  const ref = isObject(only) && others.length === 0 ? only['$ref'] : undefined;
  return typeof ref === 'string' ? ref : undefined;
}
