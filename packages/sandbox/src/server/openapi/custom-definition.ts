/**
 * The published form of a CRD's schema: it includes the fields that every object has, and is simplified for OpenAPI v2.
 */
import type { Json, JsonObject } from '../../values/json.ts';
import type { ServedResource } from '../discovery/served-resource.ts';
import type { Schema } from '../../objects/schema/schema.ts';
import { simplifyForV2 } from './custom-v2.ts';
import type { OpenApiVersion } from './definitions.ts';
import { listKind, meta, modelName } from './names.ts';

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** `kubectl explain` prints these texts for every custom resource. */
const typeMeta: { readonly [name: string]: JsonObject } = {
  apiVersion: {
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
};
const objectMeta: JsonObject = {
  description: `Standard object's metadata. More info: ${conventions}#metadata`,
  $ref: `${meta}.ObjectMeta`,
};
const embeddedMeta: { readonly [name: string]: JsonObject } = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
  metadata: objectMeta,
};

export function customDefinition(resource: ServedResource, version: OpenApiVersion): JsonObject {
  return { ...objectDefinition(resource.schema, version), ...extensions(resource, resource.kind) };
}

export function customListDefinition(resource: ServedResource): JsonObject {
  return {
    description: `${listKind(resource)} is a list of ${resource.kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: typeMeta['apiVersion'],
      items: {
        description: `List of ${resource.name}. More info: ${conventions}`,
        type: 'array',
        items: { $ref: modelName(resource) },
      },
      kind: typeMeta['kind'],
      metadata: {
        description: `Standard list metadata. More info: ${conventions}#types-kinds`,
        $ref: `${meta}.ListMeta`,
      },
    },
    ...extensions(resource, listKind(resource)),
  };
}

function objectDefinition(schema: Schema | undefined, version: OpenApiVersion): JsonObject {
  // If only apiVersion, kind and metadata were listed, kubectl would reject all other fields.
  const open = version === 'v2' && schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema === undefined || open) return { type: 'object' };
  const definition = publish(version === 'v2' ? simplifyForV2(schema) : schema, version);
  const own = definition['properties'] as JsonObject | undefined;
  definition['properties'] = sorted({ ...own, ...typeMeta, metadata: objectMeta });
  return definition;
}

function extensions({ group, version, selectableFields = [] }: ServedResource, kind: string): JsonObject {
  const fields = selectableFields.map((path) => ({ fieldPath: path.replace(/^\./, '') }));
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(fields.length === 0 ? {} : { 'x-kubernetes-selectable-fields': fields }),
  };
}

/** Copies a schema, expresses int-or-string in OpenAPI's own terms, and adds the fields of embedded objects. */
function publish(schema: Schema, version: OpenApiVersion): JsonObject {
  const { properties, items, additionalProperties, ...rest } = schema;
  const published = withoutEmpty(rest as unknown as JsonObject);
  if (version === 'v3' && schema['x-kubernetes-int-or-string'] === true) unfoldIntOrString(schema, published);
  if (properties !== undefined) {
    const entries = Object.entries(properties).map(([name, property]) => [name, publish(property, version)] as const);
    published['properties'] = sorted(Object.fromEntries(entries));
  }
  if (items !== undefined) published['items'] = publish(items, version);
  if (typeof additionalProperties === 'boolean') published['additionalProperties'] = additionalProperties;
  else if (additionalProperties !== undefined)
    published['additionalProperties'] = publish(additionalProperties, version);
  if (schema['x-kubernetes-embedded-resource'] === true) embed(schema, published, version);
  return published;
}

/** Go omits false, empty strings and empty lists; default and example are values and are kept. */
function withoutEmpty(schema: JsonObject): JsonObject {
  const values = new Set(['default', 'example', 'enum']);
  const isEmpty = (value: Json | undefined): boolean =>
    value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(schema).filter(([key, value]) => values.has(key) || !isEmpty(value)));
}

const integerOrString = [{ type: 'integer' }, { type: 'string' }];

function unfoldIntOrString({ anyOf, allOf }: Schema, published: JsonObject): void {
  if (isIntegerOrString(anyOf) || isIntegerOrString(allOf?.[0]?.anyOf)) return;
  if (anyOf === undefined) published['anyOf'] = integerOrString;
  else published['allOf'] = [{ anyOf: integerOrString }, ...((published['allOf'] as JsonObject[] | undefined) ?? [])];
}

function isIntegerOrString(schemas: readonly Schema[] | undefined): boolean {
  return schemas?.length === 2 && schemas[0]?.type === 'integer' && schemas[1]?.type === 'string';
}

function embed(schema: Schema, published: JsonObject, version: OpenApiVersion): void {
  if (version === 'v2' && schema['x-kubernetes-preserve-unknown-fields'] === true) return;
  published['properties'] = sorted({ ...(published['properties'] as JsonObject | undefined), ...embeddedMeta });
  const required = schema.required ?? [];
  published['required'] = [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))];
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
