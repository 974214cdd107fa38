/**
 * Decodes `metadata` to Go's ObjectMeta: the known fields, their values, and the JSON decoder's errors for values of
 * the wrong type. This is how metadata of custom resources and embedded objects is validated.
 */
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject, ObjectMeta } from '../../values/json.ts';
import { byCodeUnits } from './go/go-text.ts';
import { jsonKind } from './go/go-json-kind.ts';
import { readTime, TIME, TimeError } from './go/go-time.ts';

export type DecodedMeta =
  | { readonly meta: ObjectMeta; readonly unknown: readonly string[]; readonly error?: undefined }
  | { readonly error: string };

type FieldKind =
  | { readonly kind: 'string'; readonly go: string; readonly keepEmpty?: true }
  | { readonly kind: 'int64'; readonly keepZero?: true }
  | { readonly kind: 'bool' }
  | { readonly kind: 'time' }
  | { readonly kind: 'raw' }
  | { readonly kind: 'stringMap' }
  | { readonly kind: 'strings' }
  | { readonly kind: 'list'; readonly struct: Struct };

interface Struct {
  readonly name: string;
  readonly fields: { readonly [name: string]: FieldKind };
}

const text: FieldKind = { kind: 'string', go: 'string' };
const uid: FieldKind = { kind: 'string', go: 'types.UID' };
const requiredText: FieldKind = { kind: 'string', go: 'string', keepEmpty: true };
const time: FieldKind = { kind: 'time' };

const ownerReference: Struct = {
  name: 'OwnerReference',
  fields: {
    apiVersion: requiredText,
    kind: requiredText,
    name: requiredText,
    uid: { kind: 'string', go: 'types.UID', keepEmpty: true },
    controller: { kind: 'bool' },
    blockOwnerDeletion: { kind: 'bool' },
  },
};

const managedFieldsEntry: Struct = {
  name: 'ManagedFieldsEntry',
  fields: {
    manager: text,
    operation: { kind: 'string', go: 'v1.ManagedFieldsOperationType' },
    apiVersion: text,
    time,
    fieldsType: text,
    fieldsV1: { kind: 'raw' },
    subresource: text,
  },
};

const objectMeta: Struct = {
  name: 'ObjectMeta',
  fields: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid,
    resourceVersion: text,
    generation: { kind: 'int64' },
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: { kind: 'int64', keepZero: true },
    labels: { kind: 'stringMap' },
    annotations: { kind: 'stringMap' },
    ownerReferences: { kind: 'list', struct: ownerReference },
    finalizers: { kind: 'strings' },
    managedFields: { kind: 'list', struct: managedFieldsEntry },
  },
};

export function decodeObjectMeta(value: Json): DecodedMeta {
  const state: State = { unknown: [], soft: undefined };
  try {
    const meta = value === null ? {} : struct(state, objectMeta, value, 'Go value', '', '');
    // A value of the wrong type does not stop the decoder: the first one is reported at the end.
    if (state.soft !== undefined) return { error: state.soft };
    return { meta: meta ?? {}, unknown: state.unknown };
  } catch (error) {
    if (error instanceof DecodeError) return { error: error.message };
    throw error;
  }
}

/** Old stored metadata may be malformed: what cannot be decoded is dropped, field by field. */
export function salvageObjectMeta(value: JsonObject): ObjectMeta {
  const meta: ObjectMeta = {};
  for (const key of Object.keys(value)) {
    const decoded = decodeObjectMeta({ [key]: value[key] });
    if (decoded.error === undefined) Object.assign(meta, decoded.meta);
  }
  return meta;
}

class DecodeError extends Error {}

interface State {
  unknown: string[];
  soft: string | undefined;
}

function mismatch(state: State, what: string, where: string, type: string): undefined {
  state.soft ??= `json: cannot unmarshal ${what} into ${where} of type ${type}`;
  return undefined;
}

const goField = (owner: Struct, stack: string): string => `Go struct field ${owner.name}.${stack}`;
const join = (prefix: string, key: string): string => (prefix === '' ? key : `${prefix}.${key}`);

function struct(
  state: State,
  type: Struct,
  value: Json,
  where: string,
  stack: string,
  path: string,
): JsonObject | undefined {
  if (!isObject(value)) return mismatch(state, jsonKind(value), where, `v1.${type.name}`);
  const out: JsonObject = {};
  // Go decodes bytes that were encoded from a map, so the keys are sorted.
  for (const key of Object.keys(value).toSorted(byCodeUnits)) {
    const item = value[key];
    if (item === undefined) continue;
    if (!Object.hasOwn(type.fields, key)) {
      state.unknown.push(join(path, key));
      continue;
    }
    const kind = type.fields[key];
    if (kind === undefined) continue;
    const decoded = field(state, kind, item, goField(type, join(stack, key)), join(stack, key), join(path, key));
    if (decoded !== undefined) out[key] = decoded;
  }
  for (const [key, kind] of Object.entries(type.fields)) {
    if (kind.kind === 'string' && kind.keepEmpty === true) out[key] ??= '';
  }
  return out;
}

function field(
  state: State,
  kind: FieldKind,
  value: Json,
  where: string,
  stack: string,
  path: string,
): Json | undefined {
  if (value === null) return undefined;
  switch (kind.kind) {
    case 'string':
      if (typeof value !== 'string') return mismatch(state, jsonKind(value), where, kind.go);
      return value === '' ? undefined : value;
    case 'int64':
      return integer(state, value, where, kind.keepZero === true);
    case 'bool':
      return typeof value === 'boolean' ? value : mismatch(state, jsonKind(value), where, 'bool');
    case 'time':
      return timestamp(value, where);
    case 'raw':
      return value;
    case 'stringMap':
      return stringMap(state, value, where);
    case 'strings':
      if (!Array.isArray(value)) return mismatch(state, jsonKind(value), where, '[]string');
      return nonEmpty(value.map((item) => stringItem(state, item, where)));
    case 'list':
      if (!Array.isArray(value)) return mismatch(state, jsonKind(value), where, `[]v1.${kind.struct.name}`);
      return nonEmpty(value.map((item, i) => listItem(state, kind.struct, item, where, stack, `${path}[${i}]`)));
    default:
      return kind satisfies never;
  }
}

const nonEmpty = (list: Json[]): Json[] | undefined => (list.length === 0 ? undefined : list);

function listItem(state: State, type: Struct, item: Json, where: string, stack: string, path: string): Json {
  return struct(state, type, item ?? {}, where, stack, path) ?? {};
}

function stringItem(state: State, item: Json, where: string): string {
  if (typeof item === 'string') return item;
  if (item !== null) mismatch(state, jsonKind(item), where, 'string');
  return '';
}

function integer(state: State, value: Json, where: string, keepZero: boolean): number | undefined {
  if (typeof value !== 'number') return mismatch(state, jsonKind(value), where, 'int64');
  if (!Number.isInteger(value)) return mismatch(state, `number ${value}`, where, 'int64');
  return value === 0 && !keepZero ? undefined : value;
}

function stringMap(state: State, value: Json, where: string): Json | undefined {
  if (!isObject(value)) return mismatch(state, jsonKind(value), where, 'map[string]string');
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  const out: JsonObject = {};
  for (const key of keys.toSorted(byCodeUnits)) out[key] = stringItem(state, value[key] ?? null, where);
  return out;
}

/** Times have their own decoder, whose errors end decoding at once. */
function timestamp(value: Json, where: string): string | undefined {
  if (typeof value !== 'string') {
    throw new DecodeError(`json: cannot unmarshal ${jsonKind(value)} into ${where} of type string`);
  }
  try {
    return readTime(value, TIME);
  } catch (error) {
    if (error instanceof TimeError) throw new DecodeError(error.message);
    throw error;
  }
}
