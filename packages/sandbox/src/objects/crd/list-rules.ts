/** `x-kubernetes-list-type`, its keys, and `x-kubernetes-map-type`: where they are allowed and what they require. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { itemsOf } from './types.ts';
import type { SchemaProps } from './types.ts';

export function listErrors(errors: FieldError[], schema: SchemaProps, path: string): void {
  const mapType = schema['x-kubernetes-map-type'];
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (mapType !== undefined) {
    mustBe(errors, schema, 'object', 'x-kubernetes-map-type', path);
    oneOf(errors, mapType, ['atomic', 'granular'], `${path}.x-kubernetes-map-type`);
  }
  if (listType !== undefined) {
    if (mustBe(errors, schema, 'array', 'x-kubernetes-list-type', path) && listType === 'set') {
      atomicItems(errors, schema, path);
    }
    oneOf(errors, listType, ['atomic', 'set', 'map'], `${path}.x-kubernetes-list-type`);
  }
  if (keys.length > 0 && listType !== 'map') {
    const field = `${path}.x-kubernetes-list-type`;
    const text = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(listType === undefined ? fieldError.required(field, text) : fieldError.invalid(field, listType, text));
  }
  if (listType === 'map') mapListErrors(errors, schema, keys, path);
  if (listType === 'map' || listType === 'set') itemErrors(errors, schema, listType, keys, path);
}

function mustBe(errors: FieldError[], schema: SchemaProps, type: string, key: string, path: string): boolean {
  const actual = schema.type ?? '';
  if (actual === type) return true;
  const text = `must be ${type} if ${key} is specified`;
  const field = `${path}.type`;
  errors.push(actual === '' ? fieldError.required(field, text) : fieldError.invalid(field, actual, text));
  return false;
}

function oneOf(errors: FieldError[], value: string, allowed: readonly string[], field: string): void {
  if (!allowed.includes(value)) errors.push(fieldError.notSupported(field, value, allowed));
}

/** Items of a set must be atomic, because they are compared as a whole. */
function atomicItems(errors: FieldError[], schema: SchemaProps, path: string): void {
  const items = itemsOf(schema);
  const text = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  // The server shows the list type in both errors.
  const shown = items?.['x-kubernetes-list-type'] ?? null;
  if (items?.type === 'array' && shown !== null && shown !== 'atomic') {
    errors.push(fieldError.invalid(`${path}.items.x-kubernetes-list-type`, shown, text));
  }
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    errors.push(fieldError.invalid(`${path}.items.x-kubernetes-map-type`, shown, text));
  }
}

function mapListErrors(errors: FieldError[], schema: SchemaProps, keys: readonly string[], path: string): void {
  const keysField = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) {
    errors.push(fieldError.required(keysField, 'must not be empty if x-kubernetes-list-type is map'));
  }
  if (schema.items === undefined) {
    errors.push(fieldError.required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
  }
  const items = itemsOf(schema);
  if (items === undefined) return;
  if (items.type !== 'object') {
    const text = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(fieldError.invalid(`${path}.items.type`, items.type ?? '', text));
    return;
  }
  keys.forEach((key, i) => {
    const property = items.properties?.[key];
    if (property === undefined) {
      errors.push(fieldError.invalid(keysField, [...keys], 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const text = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(fieldError.invalid(`${path}.items.properties[${key}].type`, items.type, text));
    }
    if (keys.indexOf(key) < i) {
      errors.push(fieldError.invalid(keysField, [...keys], 'must not contain duplicate entries'));
    }
  });
}

function itemErrors(
  errors: FieldError[],
  schema: SchemaProps,
  listType: 'map' | 'set',
  keys: readonly string[],
  path: string,
): void {
  const items = itemsOf(schema);
  if (items === undefined) return;
  if (items.nullable === true) {
    errors.push(
      fieldError.forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    );
  }
  if (listType === 'set') return;
  const because = 'this property is in x-kubernetes-list-map-keys, so it';
  for (const key of keys) {
    const property = items.properties?.[key];
    if (property === undefined) continue;
    const field = `${path}.items.properties[${key}]`;
    if (!(items.required ?? []).includes(key) && property.default === undefined) {
      errors.push(fieldError.required(`${field}.default`, `${because} must have a default or be a required property`));
    }
    if (property.nullable === true) {
      errors.push(fieldError.forbidden(`${field}.nullable`, `${because} cannot be nullable`));
    }
  }
}
