/**
 * Writes deploy/api-client/released.json: what clients of the released API rely on, for the suite that refuses
 * breaking changes. Run it when a version is released.
 *   node deploy/api-client/released.ts [DOCUMENT]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
export const releasedFile: string = join(root, 'deploy/api-client/released.json');

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: JsonObject;
  readonly components?: { readonly schemas?: JsonObject };
}

/** What is for readers only. */
const prose = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'operationId']);

/**
 * `contractOf` returns the document with every schema in place and without texts. Forms with the same meaning become
 * equal, since the comparison takes them for changes: null beside another type, and values whose type is left out.
 */
export function contractOf({ openapi, info, paths, components }: ApiDocument): ApiDocument {
  const schemas = components?.schemas ?? {};
  const plain = (value: Json): Json => {
    if (isList(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    if (typeof value['$ref'] === 'string') return plain(schemas[value['$ref'].replace(/^.*\//, '')] ?? null);
    const kept = Object.entries(value)
      // A field may have such a name, too; its schema is an object.
      .filter(
        ([name, inner]) => !prose.has(name) || (typeof inner === 'object' && !isList(inner) && name !== 'example'),
      )
      .map(([name, inner]): [string, Json] => [name, plain(inner)]);
    return typed(orNull(Object.fromEntries(kept)));
  };
  return { openapi, info: { version: info.version }, paths: plain(paths) as JsonObject };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** `anyOf: [X, null]` is X with another type. */
function orNull({ anyOf, ...rest }: JsonObject): JsonObject {
  if (anyOf === undefined || !isList(anyOf)) return anyOf === undefined ? rest : { ...rest, anyOf };
  const [one, ...others] = anyOf.filter((each) => (each as JsonObject)['type'] !== 'null') as readonly JsonObject[];
  const isPair = one !== undefined && others.length === 0 && anyOf.length === 2 && typeof one['type'] === 'string';
  return isPair ? { ...rest, ...one, type: [one['type'] as string, 'null'] } : { ...rest, anyOf };
}

function typed(schema: JsonObject): JsonObject {
  const values = schema['enum'] ?? null;
  if (!isList(values) || schema['type'] !== undefined || !values.every((value) => typeof value === 'string'))
    return schema;
  return { ...schema, type: 'string' };
}

export function readDocument(file: string): ApiDocument {
  return JSON.parse(readFileSync(file, 'utf8')) as ApiDocument;
}

if (process.argv[1] !== undefined && relative(process.argv[1], import.meta.filename) === '') {
  const { openapi, info, paths } = contractOf(readDocument(process.argv[2] ?? join(root, 'docs/openapi.json')));
  // A line for each path shows in a diff what a release changed.
  const lines = Object.entries(paths).map(([path, item]) => `  ${JSON.stringify(path)}: ${JSON.stringify(item)}`);
  const head = `"openapi": ${JSON.stringify(openapi)}, "info": ${JSON.stringify(info)}`;
  writeFileSync(releasedFile, `{ ${head}, "paths": {\n${lines.join(',\n')}\n} }\n`);
}
