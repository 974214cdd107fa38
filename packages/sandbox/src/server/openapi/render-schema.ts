/** Renders a raw definition for the documents: without our own keys, and with references in the form of the version. */
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import type { OpenApiVersion } from './definitions.ts';

const ownKeys = new Set(['x-go', 'x-go-struct']);

export function renderSchema(schema: JsonObject, version: OpenApiVersion): JsonObject {
  return version === 'v3' ? renderV3(schema) : renderV2(schema);
}

/** In v3 nothing is allowed beside `$ref`, so a reference with siblings is wrapped. */
function renderV3(schema: JsonObject): JsonObject {
  const { $ref: ref, ...rest } = schema;
  const rendered = renderKeys(rest, renderV3);
  if (typeof ref !== 'string') return rendered;
  const reference = { $ref: `#/components/schemas/${ref}` };
  return Object.keys(rendered).length === 0 ? reference : { ...rendered, allOf: [reference] };
}

/** v2 has no oneOf: Kubernetes publishes its two types that need it as strings, and `any` as an untyped value. */
function renderV2(schema: JsonObject): JsonObject {
  const { $ref: ref, oneOf, ...rest } = schema;
  const rendered = renderKeys(rest, renderV2);
  delete rendered['default'];
  if (oneOf !== undefined) rendered['type'] = 'string';
  if (typeof ref === 'string') rendered['$ref'] = `#/definitions/${ref}`;
  return rendered;
}

type Render = (schema: JsonObject) => JsonObject;

const schemaMaps = new Set(['properties']);
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf']);
const schemas = new Set(['items', 'additionalProperties', 'not']);

function renderKeys(schema: JsonObject, render: Render): JsonObject {
  const rendered: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!ownKeys.has(key)) rendered[key] = renderValue(key, value, render);
  }
  return rendered;
}

function renderValue(key: string, value: Json | undefined, render: Render): Json | undefined {
  if (schemaMaps.has(key) && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, isObject(item) ? render(item) : item]),
    );
  }
  if (schemaLists.has(key) && Array.isArray(value)) return value.map((item) => (isObject(item) ? render(item) : item));
  return schemas.has(key) && isObject(value) ? render(value) : value;
}
