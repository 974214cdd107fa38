/**
 * The rules of structural schemas: every field has its own type, and alternatives (`anyOf` and the like) only restrict
 * what is declared outside of them.
 */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { compilePattern, PatternError } from '../schema/go/go-regexp.ts';
import { byCodeUnits } from '../schema/go/go-text.ts';
import { defaultOf, itemsOf } from './types.ts';
import type { SchemaProps } from './types.ts';

type Level = 'root' | 'item' | 'field';

export function validateStructural(schema: SchemaProps, path: string): FieldError[] {
  const errors: FieldError[] = [];
  invariants(errors, schema, 'root', path);
  completeness(errors, schema, schema, path, path);
  return errors.toSorted((a, b) => byCodeUnits(`${a.field}: ${a.detail}`, `${b.field}: ${b.detail}`));
}

/** Why a schema cannot be read as structural; undefined when it can. */
export function unsupported(schema: SchemaProps): string | undefined {
  for (const [key, message] of unsupportedKeys) {
    const value = schema[key];
    const empty = value === undefined || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
    if (!empty || (key === 'additionalItems' && value !== undefined))
      return `OpenAPIV3Schema '${message}' is not supported`;
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  for (const sub of children(schema)) {
    const problem = unsupported(sub);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const unsupportedKeys = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
] as const;

function children(schema: SchemaProps): SchemaProps[] {
  const items = itemsOf(schema);
  return [
    ...(schema.not === undefined ? [] : [schema.not]),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(items === undefined ? [] : [items]),
    ...Object.values(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
}

function invariants(errors: FieldError[], schema: SchemaProps, level: Level, path: string): void {
  const items = itemsOf(schema);
  if (schema.type === 'array' && items === undefined)
    errors.push(fieldError.required(`${path}.items`, 'must be specified'));
  if (items !== undefined) invariants(errors, items, 'item', `${path}.items`);
  for (const [name, sub] of Object.entries(schema.properties ?? {})) {
    invariants(errors, sub, 'field', `${path}.properties[${name}]`);
  }
  additionalInvariants(errors, schema, level, path);
  extensionInvariants(errors, schema, path);
  const [anyOfIsType, allOfIsType] = [isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf)];
  valueValidation(errors, schema, anyOfIsType, allOfIsType, path);
  typeInvariants(errors, schema, level, path);
  metaInvariants(errors, schema, level, path);
  if (
    schema['x-kubernetes-embedded-resource'] === true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true &&
    Object.keys(schema.properties ?? {}).length === 0
  ) {
    const text =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(fieldError.required(`${path}.properties`, text));
  }
}

function additionalInvariants(errors: FieldError[], schema: SchemaProps, level: Level, path: string): void {
  const additional = schema.additionalProperties;
  if (additional === undefined) return;
  const field = `${path}.additionalProperties`;
  if (level === 'root') errors.push(fieldError.forbidden(field, 'must not be used at the root'));
  if (typeof additional === 'object') invariants(errors, additional, 'field', field);
  if (schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(fieldError.forbidden(field, 'must not be used if x-kubernetes-embedded-resource is set'));
  }
}

function extensionInvariants(errors: FieldError[], schema: SchemaProps, path: string): void {
  if (schema['x-kubernetes-int-or-string'] !== true) return;
  for (const key of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[key] === true) {
      errors.push(fieldError.invalid(`${path}.${key}`, true, 'must be false if x-kubernetes-int-or-string is true'));
    }
  }
}

const missingType: { readonly [level in Level]: string } = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeInvariants(errors: FieldError[], schema: SchemaProps, level: Level, path: string): void {
  const type = schema.type ?? '';
  const field = `${path}.type`;
  const open = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? fieldError.required(field, text) : fieldError.invalid(field, type, text));
  } else if (type === '' && !open) errors.push(fieldError.required(field, missingType[level]));
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(fieldError.invalid(field, type, 'must be object at the root'));
  }
}

function metaInvariants(errors: FieldError[], schema: SchemaProps, level: Level, path: string): void {
  const properties = schema.properties ?? {};
  const resource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  for (const name of ['kind', 'apiVersion']) {
    const sub = properties[name];
    if (resource && sub !== undefined && sub.type !== 'string') {
      errors.push(fieldError.invalid(`${path}.properties[${name}].type`, sub.type ?? '', 'must be string'));
    }
  }
  const metadata = properties['metadata'];
  if (metadata === undefined) return;
  const field = `${path}.properties[metadata]`;
  if (resource && metadata.type !== 'object') {
    errors.push(fieldError.invalid(`${field}.type`, metadata.type ?? '', 'must be object'));
  }
  if (level === 'root' && !restrictsNamesOnly(metadata)) {
    const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(fieldError.forbidden(field, text));
  }
}

function restrictsNamesOnly(metadata: SchemaProps): boolean {
  const { type: _, default: __, properties, ...rest } = metadata;
  const names = Object.keys(properties ?? {});
  return names.every((name) => name === 'name' || name === 'generateName') && isEmpty(rest);
}

const isEmpty = (schema: object): boolean =>
  Object.values(schema).every(
    (value) => value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0),
  );

/** `anyOf: [{type: integer}, {type: string}]`, the only alternatives that may contain types. */
function isIntOrString(list: readonly SchemaProps[] | undefined): boolean {
  if (list?.length !== 2) return false;
  return (['integer', 'string'] as const).every((wanted, i) => {
    const { type, ...rest } = list[i] ?? {};
    return type === wanted && isEmpty(rest);
  });
}

function valueValidation(
  errors: FieldError[],
  schema: SchemaProps,
  skipAnyOf: boolean,
  skipFirstAllOf: boolean,
  path: string,
): void {
  if (!skipAnyOf) schema.anyOf?.forEach((sub, i) => nested(errors, sub, false, `${path}.anyOf[${i}]`));
  schema.allOf?.forEach((sub, i) => nested(errors, sub, skipFirstAllOf && i === 0, `${path}.allOf[${i}]`));
  schema.oneOf?.forEach((sub, i) => nested(errors, sub, false, `${path}.oneOf[${i}]`));
  if (schema.not !== undefined) nested(errors, schema.not, false, `${path}.not`);
  const pattern = schema.pattern ?? '';
  const compiled = pattern === '' ? undefined : compilePattern(pattern);
  if (compiled instanceof PatternError) {
    const text = `must be a valid regular expression, but isn't: ${compiled.message}`;
    errors.push(fieldError.invalid(`${path}.pattern`, pattern, text));
  }
}

const forbidden: readonly (readonly [key: keyof SchemaProps, text: string])[] = [
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nested(errors: FieldError[], schema: SchemaProps, skipAnyOf: boolean, path: string): void {
  valueValidation(errors, schema, skipAnyOf, false, path);
  const items = itemsOf(schema);
  if (items !== undefined) nested(errors, items, false, `${path}.items`);
  for (const [name, sub] of Object.entries(schema.properties ?? {})) {
    nested(errors, sub, false, `${path}.properties[${name}]`);
  }
  if ((schema.type ?? '') !== '') errors.push(fieldError.forbidden(`${path}.type`, 'must be empty to be structural'));
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    errors.push(fieldError.forbidden(`${path}.additionalProperties`, 'must be undefined to be structural'));
  }
  if (defaultOf(schema) !== undefined) {
    errors.push(fieldError.forbidden(`${path}.default`, 'must be undefined to be structural'));
  }
  for (const [key, text] of forbidden) {
    if (!isEmpty({ value: schema[key] })) errors.push(fieldError.forbidden(`${path}.${key}`, text));
  }
  if (schema.properties?.['metadata'] !== undefined) {
    errors.push(fieldError.forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
}

/** Every field in the root's alternatives must be declared; the server does not check deeper alternatives. */
function completeness(errors: FieldError[], value: SchemaProps, schema: SchemaProps, at: string, path: string): void {
  if (value.not !== undefined) nestedCompleteness(errors, value.not, schema, at, `${path}.not`);
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    value[key]?.forEach((sub, i) => nestedCompleteness(errors, sub, schema, at, `${path}.${key}[${i}]`));
  }
}

function nestedCompleteness(
  errors: FieldError[],
  value: SchemaProps,
  schema: SchemaProps | undefined,
  at: string,
  path: string,
): void {
  if (schema === undefined) {
    errors.push(fieldError.required(at, `because it is defined in ${path}`));
    return;
  }
  completeness(errors, value, schema, at, path);
  const items = itemsOf(value);
  if (items !== undefined) nestedCompleteness(errors, items, itemsOf(schema), `${at}.items`, `${path}.items`);
  for (const [name, sub] of Object.entries(value.properties ?? {})) {
    const key = `properties[${name}]`;
    nestedCompleteness(errors, sub, schema.properties?.[name], `${at}.${key}`, `${path}.${key}`);
  }
}
