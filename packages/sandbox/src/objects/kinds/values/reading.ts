/** The common parts of the codecs for Go's types: the position in an object, and error reporting. */
import type { Json } from '../../../values/json.ts';

export interface Field {
  readonly name: string;
  /** The struct that contains the field, and the embedded struct in it, for Go's error texts. */
  readonly owner: string;
  readonly embedded: string | undefined;
  readonly codec: Codec;
  /** Omitted when empty; never set for pointers and structs. */
  readonly dropEmpty: boolean;
  /** Written even when the input has no value. */
  readonly always: boolean;
  /** The value that Go writes in that case. */
  zero(): Json;
}

/** `Step` is a field, an index or a map key. */
export type Step = Field | number | string;

export interface Reading {
  readonly stack: Step[];
  /** The first value of a wrong type, as Go reports it. */
  typeError: string | undefined;
  /** Paths of unknown fields; undefined when they are not requested. */
  unknown: string[] | undefined;
  /** An error of a type's own UnmarshalJSON ends decoding. */
  readonly refuse: (message: string) => never;
}

export interface Codec {
  /** `value` is never null. Returns undefined for a wrong type (which was reported) and for Go's zero time. */
  read(value: Json, reading: Reading): Json | undefined;
  /** The zero value as Go writes it. */
  zero(): Json;
  /** Whether the decoded value counts as empty for `omitempty`. */
  isEmpty(value: Json): boolean;
}

/** `wrongType` reports a value of a wrong type like Go's UnmarshalTypeError, if it is the first. */
export function wrongType(reading: Reading, what: string, goType: string): undefined {
  if (reading.typeError !== undefined) return;
  const fields = reading.stack.filter((step) => typeof step === 'object');
  const last = fields.at(-1);
  const path = fields.map(({ name, embedded }) => (embedded === undefined ? name : `${embedded}.${name}`)).join('.');
  const where = last === undefined ? 'Go value' : `Go struct field ${last.owner}.${path}`;
  reading.typeError = `json: cannot unmarshal ${what} into ${where} of type ${goType}`;
}

/** `refuseType` returns the same for a type's own UnmarshalJSON, whose error ends decoding. */
export function refuseType(reading: Reading, what: string, goType: string): never {
  reading.typeError = undefined;
  wrongType(reading, what, goType);
  return reading.refuse(reading.typeError ?? '');
}

/** `strictPath` returns the path of a key below the current position, in the format of strict validation. */
export function strictPath(stack: readonly Step[], key: string): string {
  let path = '';
  for (const step of [...stack, key]) {
    if (typeof step === 'number') path += `[${step}]`;
    else path += `${path === '' ? '' : '.'}${typeof step === 'object' ? step.name : step}`;
  }
  return path;
}
