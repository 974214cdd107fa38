/** Checks that several kinds share, with Kubernetes' texts. */
import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { jsonEqual } from '../../values/json.ts';
import * as names from '../schema/names.ts';
import { numberAt, textAt } from './values/fields.ts';

export const IMMUTABLE = 'field is immutable';
export const NON_NEGATIVE = 'must be greater than or equal to 0';

const each = (field: string, value: Json, messages: readonly string[]): FieldError[] =>
  messages.map((message) => fieldError.invalid(field, value, message));

export const label = (value: string, field: string): FieldError[] => each(field, value, names.isDNS1123Label(value));
export const subdomain = (value: string, field: string): FieldError[] =>
  each(field, value, names.isDNS1123Subdomain(value));
export const qualifiedName = (value: string, field: string): FieldError[] =>
  each(field, value, names.isQualifiedName(value));
export const portNumber = (value: number, field: string): FieldError[] =>
  each(field, value, names.isValidPortNum(value));
export const configKey = (value: string, field: string): FieldError[] =>
  each(field, value, names.isConfigMapKey(value));

export function portNumberOrName(value: Json | undefined, field: string): FieldError[] {
  if (typeof value === 'string') return each(field, value, names.isValidPortName(value));
  return portNumber(typeof value === 'number' ? value : 0, field);
}

export function nonNegative(value: number, field: string): FieldError[] {
  return value < 0 ? [fieldError.invalid(field, value, NON_NEGATIVE)] : [];
}

/** `nonNegativeFields` checks that the numbers at these keys are not negative. */
export function nonNegativeFields(parent: JsonObject, keys: readonly string[], path: string): FieldError[] {
  return keys.flatMap((key) => nonNegative(numberAt(parent, key), `${path}.${key}`));
}

/** `oneOf` returns a string from a fixed set; with `required`, an empty string is an error. */
export function oneOf(
  parent: JsonObject,
  key: string,
  path: string,
  supported: readonly string[],
  required = true,
): FieldError[] {
  const value = textAt(parent, key);
  const field = path === '' ? key : `${path}.${key}`;
  if (value === '' && required) return [fieldError.required(field, '')];
  // An optional field is a pointer: empty differs from absent.
  if (parent[key] === undefined || parent[key] === null) return [];
  return supported.includes(value) ? [] : [fieldError.notSupported(field, value, supported)];
}

export function immutable(value: Json | undefined, old: Json | undefined, field: string): FieldError[] {
  return jsonEqual(value ?? undefined, old ?? undefined) ? [] : [fieldError.invalid(field, value, IMMUTABLE)];
}
