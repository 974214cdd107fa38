/** Objects inside of objects (`x-kubernetes-embedded-resource`) must have good type and metadata of their own. */
import { fieldError } from '../api/status.ts';
import type { FieldError } from '../api/status.ts';
import { isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { decodeObjectMeta } from './decode-meta.ts';
import { sortKeys } from './go-text.ts';
import { isDNS1035Label, nameIsPathSegment } from './names.ts';
import { validateObjectMeta } from './object-meta.ts';
import type { Schema } from './schema.ts';

const hasEmbedded = new WeakMap<Schema, boolean>();

export function validateEmbedded(schema: Schema, value: Json, path = ''): FieldError[] {
  if (!containsEmbedded(schema)) return [];
  const errors: FieldError[] = [];
  visit(errors, schema, value, path);
  return errors;
}

/** Whether a walk over values can find an embedded resource at all; most schemas have none. */
export function containsEmbedded(schema: Schema): boolean {
  let found = hasEmbedded.get(schema);
  if (found === undefined) {
    found = search(schema, new Set());
    hasEmbedded.set(schema, found);
  }
  return found;
}

function search(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { properties, items, additionalProperties } = schema;
  return (
    schema['x-kubernetes-embedded-resource'] === true ||
    (properties !== undefined && Object.values(properties).some((sub) => search(sub, seen))) ||
    (items !== undefined && search(items, seen)) ||
    (typeof additionalProperties === 'object' && search(additionalProperties, seen))
  );
}

const child = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function visit(errors: FieldError[], schema: Schema, value: Json, path: string): void {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items !== undefined) value.forEach((item, i) => visit(errors, items, item, `${path}[${i}]`));
    return;
  }
  if (!isObject(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true) resourceErrors(errors, value, path);
  const { properties, additionalProperties } = schema;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item !== 'object' || item === null) continue;
    if (properties !== undefined && Object.hasOwn(properties, key)) {
      const sub = properties[key];
      if (sub !== undefined) visit(errors, sub, item, child(path, key));
    } else if (typeof additionalProperties === 'object') visit(errors, additionalProperties, item, `${path}[${key}]`);
  }
}

export function resourceErrors(errors: FieldError[], value: JsonObject, path: string): void {
  for (const key of ['apiVersion', 'kind']) {
    if (value[key] === undefined) errors.push(fieldError.required(child(path, key), ''));
  }
  if (value['apiVersion'] !== undefined) apiVersionErrors(errors, value['apiVersion'], child(path, 'apiVersion'));
  if (value['kind'] !== undefined) kindErrors(errors, value['kind'], child(path, 'kind'));
  if (value['metadata'] !== undefined) metadataErrors(errors, value['metadata'], child(path, 'metadata'));
}

function apiVersionErrors(errors: FieldError[], value: Json, path: string): void {
  if (typeof value !== 'string') errors.push(fieldError.invalid(path, sortKeys(value), 'must be a string'));
  else if (value === '') errors.push(fieldError.invalid(path, value, 'must not be empty'));
  else if (value.split('/').length > 2) {
    errors.push(fieldError.invalid(path, value, `unexpected GroupVersion string: ${value}`));
  }
}

function kindErrors(errors: FieldError[], value: Json, path: string): void {
  if (typeof value !== 'string') errors.push(fieldError.invalid(path, sortKeys(value), 'must be a string'));
  else if (value === '') errors.push(fieldError.invalid(path, value, 'must not be empty'));
  else {
    const problems = isDNS1035Label(value.toLowerCase());
    if (problems.length === 0) return;
    const text = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
    errors.push(fieldError.invalid(path, value, text));
  }
}

function metadataErrors(errors: FieldError[], value: Json, path: string): void {
  const decoded = decodeObjectMeta(value);
  if (decoded.error !== undefined) {
    errors.push(fieldError.invalid(path, sortKeys(value), decoded.error));
    return;
  }
  const meta = decoded.meta;
  // A template needs no name.
  const named = (meta.name ?? '') === '' ? { ...meta, name: 'fakename' } : meta;
  const namespaced = (meta.namespace ?? '') !== '';
  errors.push(...validateObjectMeta(named, { namespaced, nameRule: nameIsPathSegment }, path));
}
