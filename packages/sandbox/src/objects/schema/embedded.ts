/** Embedded objects (`x-kubernetes-embedded-resource`) must have valid type and metadata. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { decodeObjectMeta } from './decode-meta.ts';
import { sortKeys } from './go/go-text.ts';
import { isDNS1035Label, nameIsPathSegment } from './names.ts';
import { validateObjectMeta } from './object-meta.ts';
import type { Schema } from './schema.ts';
import { childPath, somewhere, visitInside } from './subschemas.ts';

export function validateEmbedded(schema: Schema, value: Json, path = ''): FieldError[] {
  if (!containsEmbedded(schema)) return [];
  const errors: FieldError[] = [];
  visit(errors, schema, value, path);
  return errors;
}

/** `containsEmbedded` tells whether the schema contains an embedded resource anywhere; most schemas do not. */
export const containsEmbedded: (schema: Schema) => boolean = somewhere(
  (schema) => schema['x-kubernetes-embedded-resource'] === true,
);

function visit(errors: FieldError[], schema: Schema, value: Json, path: string): void {
  if (isObject(value) && schema['x-kubernetes-embedded-resource'] === true) resourceErrors(errors, value, path);
  visitInside(schema, value, path, (sub, item, at) => visit(errors, sub, item, at));
}

export function resourceErrors(errors: FieldError[], value: JsonObject, path: string): void {
  for (const key of ['apiVersion', 'kind']) {
    if (value[key] === undefined) errors.push(fieldError.required(childPath(path, key), ''));
  }
  if (value['apiVersion'] !== undefined) apiVersionErrors(errors, value['apiVersion'], childPath(path, 'apiVersion'));
  if (value['kind'] !== undefined) kindErrors(errors, value['kind'], childPath(path, 'kind'));
  if (value['metadata'] !== undefined) metadataErrors(errors, value['metadata'], childPath(path, 'metadata'));
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
