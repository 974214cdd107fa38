/** The built-in kinds, generated from Kubernetes' own types: discovery entries, and schemas with `$ref`s resolved. */
import type { Json, JsonObject } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import { registerJsonSchemaProps } from './values/codec.ts';
import document from './builtin.json' with { type: 'json' };

export interface BuiltinSubresource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Set only when the subresource's kind has another group than its resource (Scale, Eviction, TokenRequest). */
  readonly group?: string;
  readonly version?: string;
}

export interface BuiltinResource {
  readonly group: string;
  readonly version: string;
  /** The plural, as in paths. */
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  /** The name of the kind's schema, for `definition`. */
  readonly definition: string;
  readonly subresources?: readonly BuiltinSubresource[];
}

/** The tests check the form of the generated file; it is not checked at run time. */
const generated = document as unknown as { resources: BuiltinResource[]; definitions: { [name: string]: JsonObject } };

export const builtinResources: readonly BuiltinResource[] = generated.resources;

export const definitions: ReadonlyMap<string, Schema> = resolveAll(generated.definitions);

export function definition(name: string): Schema {
  const schema = definitions.get(name);
  if (schema === undefined) throw new Error(`no built-in definition ${name}`);
  return schema;
}

registerJsonSchemaProps(definition('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'));

export const objectMetaSchema: Schema = definition('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');

/**
 * Two phases, because JSONSchemaProps refers to itself: first every definition gets its own keys and an empty
 * `properties`, then the properties are filled in. A copy made in between shares that `properties` object.
 */
function resolveAll(raw: { [name: string]: JsonObject }): Map<string, Schema> {
  const resolved = new Map<string, Schema>();
  for (const [name, source] of Object.entries(raw)) {
    const schema: Schema = { ...source };
    if (source['properties'] !== undefined) schema.properties = {};
    resolved.set(name, schema);
  }
  for (const [name, source] of Object.entries(raw)) {
    const properties = source['properties'];
    if (isObject(properties)) fill(resolved.get(name)?.properties, properties, resolved);
  }
  return resolved;
}

function fill(into: { [name: string]: Schema } | undefined, from: JsonObject, resolved: Map<string, Schema>): void {
  for (const [name, property] of Object.entries(from)) if (into !== undefined) into[name] = resolve(property, resolved);
}

function resolve(raw: Json | undefined, resolved: Map<string, Schema>): Schema {
  if (!isObject(raw)) throw new Error(`a built-in schema is not an object: ${JSON.stringify(raw)}`);
  const { $ref: ref, ...own } = raw;
  const schema: Schema = own;
  if (own['properties'] !== undefined) {
    schema.properties = {};
    if (isObject(own['properties'])) fill(schema.properties, own['properties'], resolved);
  }
  if (own['items'] !== undefined) schema.items = resolve(own['items'], resolved);
  if (isObject(own['additionalProperties']))
    schema.additionalProperties = resolve(own['additionalProperties'], resolved);
  if (typeof ref !== 'string') return schema;
  const target = resolved.get(ref);
  if (target === undefined) throw new Error(`a built-in schema refers to ${ref}, which does not exist`);
  return Object.keys(own).length === 0 ? target : { ...target, ...schema };
}
