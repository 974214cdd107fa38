/** Raw schemas by name, in the form of builtin.json: `$ref`s are bare names beside their siblings. */
import enums from '../../objects/kinds/builtin-enums.json' with { type: 'json' };
import document from '../../objects/kinds/builtin.json' with { type: 'json' };
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { isCustom } from '../discovery/served-resource.ts';
import type { ServedResource } from '../discovery/served-resource.ts';
import { customDefinition, customListDefinition } from './custom-definition.ts';
import { listKind, listModelName, meta, modelName } from './names.ts';

export interface Definitions {
  readonly [name: string]: JsonObject;
}

export type OpenApiVersion = 'v2' | 'v3';

const builtin = withEnums((document as unknown as { definitions: Definitions }).definitions);

/** All definitions that the documents for these resources may refer to. */
export function definitionsOf(resources: readonly ServedResource[], version: OpenApiVersion): Definitions {
  const definitions: { [name: string]: JsonObject } = { ...builtin, [`${meta}.Patch`]: { type: 'object' } };
  for (const resource of resources) {
    if (isCustom(resource)) definitions[modelName(resource)] = customDefinition(resource, version);
    if (!resource.verbs.includes('list')) continue;
    definitions[listModelName(resource)] = isCustom(resource)
      ? customListDefinition(resource)
      : listDefinition(resource);
  }
  return definitions;
}

/**
 * Adds the values of string fields, which are published and printed by `kubectl explain` but not used for validation.
 */
function withEnums(definitions: Definitions): Definitions {
  const published: { [name: string]: JsonObject } = { ...definitions };
  for (const [name, fields] of Object.entries(enums as { [name: string]: { [path: string]: string[] } })) {
    const definition = definitions[name];
    const properties = { ...(definition?.['properties'] as { [name: string]: JsonObject } | undefined) };
    for (const [path, values] of Object.entries(fields)) {
      const [field = '', nested] = path.split('.');
      const own = properties[field] ?? {};
      properties[field] =
        nested === undefined
          ? { ...own, enum: values }
          : { ...own, [nested]: { ...(own[nested] as JsonObject), enum: values } };
    }
    published[name] = { ...definition, properties };
  }
  return published;
}

function listDefinition(resource: ServedResource): JsonObject {
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { $ref: modelName(resource), default: {} } },
      kind: { type: 'string' },
      metadata: { $ref: `${meta}.ListMeta`, default: {} },
    },
    'x-kubernetes-group-version-kind': [{ group: resource.group, kind: listKind(resource), version: resource.version }],
  };
}

/** `reachable` returns the definitions that are reachable from the roots, sorted by name. */
export function reachable(roots: Iterable<string>, definitions: Definitions): Definitions {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const definition = definitions[name];
    if (definition === undefined) throw new Error(`no OpenAPI definition ${name}`);
    if (found.has(name)) return;
    found.add(name);
    eachReference(definition, visit);
  };
  for (const root of roots) visit(root);
  return Object.fromEntries([...found].toSorted().map((name) => [name, definitions[name] ?? {}]));
}

function eachReference(value: Json | undefined, visit: (name: string) => void): void {
  if (Array.isArray(value)) for (const item of value) eachReference(item, visit);
  if (!isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === '$ref' && typeof item === 'string') visit(item);
    else eachReference(item, visit);
  }
}
