/**
 * Validates values against schemas with kube-apiserver's errors. Its validator is go-openapi's: the texts, the quirks
 * (an error without a field is reported at `<nil>`) and the choice among failed alternatives are the same.
 */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { isObject, jsonEqual } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { effectiveFormat } from './formats/formats.ts';
import { goJson, goQuote, isInt64, sortKeys } from './go/go-text.ts';
import { fieldOf, numberErrors } from './numbers.ts';
import { correlateItems, unchanged } from './ratchet.ts';
import type { Schema } from './schema.ts';
import { stringErrors } from './strings.ts';
import { childPath } from './subschemas.ts';

export interface ValidateOptions {
  /** The stored value: errors of unchanged parts are ignored (ratcheting). */
  readonly old?: Json | undefined;
  /**
   * The position of the value in the object. Texts still show the path from the value, as the server does for `status`.
   */
  readonly fieldPath?: string;
}

export function validate(schema: Schema, value: Json, options: ValidateOptions = {}): FieldError[] {
  const result = check(schema, value, options.old, '', true);
  if (result.errors.length === 0) return [];
  const prefix = options.fieldPath;
  const unique = withoutRepetitions(result.errors);
  return prefix === undefined ? unique : unique.map((error) => ({ ...error, field: below(prefix, error.field) }));
}

const below = (prefix: string, field: string): string => (field === '<nil>' ? prefix : `${prefix}.${field}`);

function withoutRepetitions(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter((error) => {
    const key = `${error.field}\n${error.detail}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** `matches` counts passed checks: among failed alternatives the one with the most is reported. */
interface Result {
  readonly errors: readonly FieldError[];
  readonly matches: number;
}

const none: readonly FieldError[] = Object.freeze([]);
const intOrString: readonly string[] = ['integer', 'string'];
const typeLists = new Map<string, readonly string[]>();

function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString;
  const type = schema.type ?? '';
  let list = typeLists.get(type);
  if (list === undefined) {
    list = type === '' ? [] : [type];
    typeLists.set(type, list);
  }
  return list;
}

function formatOf(schema: Schema, types: readonly string[]): string {
  if (schema.format === undefined) return '';
  return effectiveFormat(types.length === 1 ? (types[0] ?? '') : '', schema.format) ?? '';
}

function check(schema: Schema, value: Json, old: Json | undefined, path: string, ratchets: boolean): Result {
  const result = checkValue(schema, value, old, path, ratchets);
  if (result.errors.length > 0 && ratchets && old !== undefined && unchanged(schema, value, old)) {
    return { errors: none, matches: result.matches };
  }
  return result;
}

function checkValue(schema: Schema, value: Json, old: Json | undefined, path: string, ratchets: boolean): Result {
  const errors: FieldError[] = [];
  const types = typesOf(schema);
  const format = formatOf(schema, types);
  if (value === null) return checkNull(schema, types, path);
  let matches = 1;
  if (types.length > 0 || format !== '') {
    const error = typeError(types, format, value, path);
    matches += error === undefined ? 2 : 1;
    if (error !== undefined) errors.push(error);
  }
  // The validators that always apply: alternatives (which are also counted below) and enum.
  matches += 3;
  if (schema.anyOf !== undefined) matches += anyOf(errors, schema.anyOf, value, path);
  if (schema.oneOf !== undefined) matches += oneOf(errors, schema.oneOf, value, path);
  if (schema.allOf !== undefined) matches += allOf(errors, schema.allOf, value, path);
  if (schema.not !== undefined && checkValue(schema.not, value, undefined, path, false).errors.length === 0) {
    errors.push(general(`${goQuote(path)} must not validate the schema (not)`));
  }
  if (typeof value === 'string') matches += stringErrors(errors, schema, value, format, path);
  else if (typeof value === 'number') {
    errors.push(...numberErrors(schema, value, types.length === 1 ? numericType(types) : '', format, path));
    matches += 2;
  } else if (Array.isArray(value)) matches += arrayErrors(errors, schema, value, old, path, ratchets);
  if (schema.enum !== undefined && schema.enum.length > 0 && !schema.enum.some((allowed) => enumHas(allowed, value))) {
    errors.push(enumError(schema.enum, value, path));
  }
  if (isObject(value)) matches += objectErrors(errors, schema, value, old, path, ratchets);
  return { errors, matches };
}

/** No enum allows null, not even one that contains it. */
function checkNull(schema: Schema, types: readonly string[], path: string): Result {
  const errors: FieldError[] = [];
  if (types.length > 0 && schema.nullable !== true) errors.push(wrongType(path, types.join(','), 'null'));
  const matches = errors.length === 0 ? 1 : 0;
  if (schema.enum !== undefined && schema.enum.length > 0) errors.push(enumError(schema.enum, null, path));
  return { errors, matches };
}

const general = (text: string): FieldError => fieldError.invalid('<nil>', '', text);

function numericType(types: readonly string[]): string {
  const type = types[0] ?? '';
  return type === 'integer' || type === 'number' ? type : '';
}

function jsonType(value: Json): string {
  if (typeof value === 'number') return isInt64(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

function typeError(types: readonly string[], format: string, value: Json, path: string): FieldError | undefined {
  const actual = jsonType(value);
  const asNumber = actual === 'integer' && types.includes('number');
  const fits = types.includes(actual) || asNumber;
  const textOrList = actual === 'string' || actual === 'array';
  if (format !== '' && !textOrList && !fits) {
    return wrongType(path, format, actual === 'integer' ? 'int64' : actual === 'number' ? 'float64' : '');
  }
  // For a string with a format, the server also accepts a list and checks no further.
  if (format !== '' && textOrList && !types.includes('number') && !types.includes('integer')) return undefined;
  return fits ? undefined : wrongType(path, types.join(','), actual);
}

function wrongType(path: string, expected: string, actual: string): FieldError {
  return fieldError.typeInvalid(
    fieldOf(path),
    actual,
    `${path} in body must be of type ${expected}: ${goQuote(actual)}`,
  );
}

/**
 * Go converts the value to the type of the enum's item: a fraction is truncated, and an integer becomes a character.
 */
function enumHas(allowed: Json, value: Json): boolean {
  if (typeof value !== 'number') return jsonEqual(allowed, value);
  if (typeof allowed === 'number') return (isInt64(allowed) ? Math.trunc(value) : value) === allowed;
  return typeof allowed === 'string' && isInt64(value) && allowed === runeOf(value);
}

const runeOf = (code: number): string => (code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');

function enumError(allowed: readonly Json[], value: Json, path: string): FieldError {
  const shown = allowed.map((item) => (typeof item === 'string' ? item : goJson(sortKeys(item))));
  return fieldError.notSupported(fieldOf(path), sortKeys(value), shown);
}

function anyOf(errors: FieldError[], schemas: readonly Schema[], value: Json, path: string): number {
  let best: Result | undefined;
  for (const schema of schemas) {
    const result = checkValue(schema, value, undefined, path, false);
    if (result.errors.length === 0) return result.matches;
    if (best === undefined || result.matches > best.matches) best = result;
  }
  if (best === undefined) return 0;
  errors.push(general(`${goQuote(path)} must validate at least one schema (anyOf)`), ...best.errors);
  return best.matches;
}

function oneOf(errors: FieldError[], schemas: readonly Schema[], value: Json, path: string): number {
  if (schemas.length === 0) return 0;
  let best: Result | undefined;
  let firstMatches = 0;
  let valid = 0;
  for (const schema of schemas) {
    const result = checkValue(schema, value, undefined, path, false);
    if (result.errors.length === 0) {
      valid += 1;
      if (valid === 1) firstMatches = result.matches;
    } else if (best === undefined || result.matches > best.matches) best = result;
  }
  if (valid === 1) return firstMatches;
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  errors.push(general(`${goQuote(path)} must validate one and only one schema (oneOf). ${found}`));
  if (valid > 0 || best === undefined) return 0;
  errors.push(...best.errors);
  return best.matches;
}

function allOf(errors: FieldError[], schemas: readonly Schema[], value: Json, path: string): number {
  let matches = 0;
  let valid = 0;
  for (const schema of schemas) {
    const result = checkValue(schema, value, undefined, path, false);
    if (result.errors.length === 0) valid += 1;
    errors.push(...result.errors);
    matches += result.matches;
  }
  if (valid < schemas.length) {
    const none = valid === 0 ? '. None validated' : '';
    errors.push(general(`${goQuote(path)} must validate all the schemas (allOf)${none}`));
  }
  return matches;
}

function arrayErrors(
  errors: FieldError[],
  schema: Schema,
  list: readonly Json[],
  old: Json | undefined,
  path: string,
  ratchets: boolean,
): number {
  let matches = 2;
  const items = schema.items;
  if (items !== undefined) {
    const oldItem = ratchets ? correlateItems(schema, old) : undefined;
    list.forEach((item, i) => {
      const before = oldItem?.(item);
      const result = check(items, item, before, `${path}[${i}]`, before !== undefined);
      errors.push(...result.errors);
      matches += result.matches;
    });
  }
  if (schema.minItems !== undefined && list.length < schema.minItems) {
    const text = `${path} in body should have at least ${schema.minItems} items`;
    errors.push(fieldError.invalid(fieldOf(path), list.length, text));
  }
  if (schema.maxItems !== undefined && list.length > schema.maxItems) {
    errors.push(fieldError.tooMany(fieldOf(path), list.length, schema.maxItems));
  }
  if (schema.uniqueItems === true && list.some((item, i) => list.slice(0, i).some((other) => jsonEqual(item, other)))) {
    errors.push(fieldError.invalid(fieldOf(path), '', `${path} in body shouldn't contain duplicates`));
  }
  return matches;
}

function objectErrors(
  errors: FieldError[],
  schema: Schema,
  value: JsonObject,
  old: Json | undefined,
  path: string,
  ratchets: boolean,
): number {
  sizeErrors(errors, schema, value, path);
  let matches = 1;
  const { properties, additionalProperties } = schema;
  const oldObject = ratchets && isObject(old) ? old : undefined;
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    let sub: Schema | undefined;
    let at: string;
    if (properties !== undefined && Object.hasOwn(properties, key)) {
      sub = properties[key];
      at = childPath(path, key);
    } else if (additionalProperties === false) {
      errors.push(fieldError.invalid(fieldOf(path), key, `${path}.${key} in body is a forbidden property`));
      continue;
    } else {
      if (typeof additionalProperties !== 'object') continue;
      sub = additionalProperties;
      at = `${path}.${key}`;
    }
    if (sub === undefined) continue;
    // A change of apiVersion or kind at the root is not visible here, so their errors are never ignored.
    const typeMeta = path === '' && (key === 'kind' || key === 'apiVersion');
    const before = oldObject !== undefined && !typeMeta && Object.hasOwn(oldObject, key) ? oldObject[key] : undefined;
    const result = check(sub, child, before, at, before !== undefined);
    if (result.errors.length > 0) errors.push(...result.errors);
    matches += result.matches;
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key) || value[key] === undefined) {
      errors.push(fieldError.required(fieldOf(childPath(path, key)), ''));
    }
  }
  return matches;
}

function sizeErrors(errors: FieldError[], schema: Schema, value: JsonObject, path: string): void {
  const { minProperties, maxProperties } = schema;
  if (minProperties === undefined && maxProperties === undefined) return;
  const size = Object.keys(value).length;
  if (minProperties !== undefined && size < minProperties) {
    const text = `${path} in body should have at least ${minProperties} properties`;
    errors.push(fieldError.invalid(fieldOf(path), size, text));
  }
  if (maxProperties !== undefined && size > maxProperties) {
    errors.push(fieldError.tooMany(fieldOf(path), size, maxProperties));
  }
}
