/** What the readers of Go's types have in common: where they stand in an object, and how they complain. */
import type { Json } from '../json.ts';

export interface Field {
  readonly name: string;
  /** The struct that has the field, and the embedded one in it, for Go's error texts. */
  readonly owner: string;
  readonly embedded: string | undefined;
  readonly codec: Codec;
  /** Left out when it is empty; never so for pointers and structs. */
  readonly dropEmpty: boolean;
  /** Written even when nothing was given. */
  readonly always: boolean;
  /** How Go writes it then. */
  zero(): Json;
}

/** A field, an index or a map's key. */
export type Step = Field | number | string;

export interface Reading {
  readonly stack: Step[];
  /** The first value of a wrong type, as Go reports it. */
  typeError: string | undefined;
  /** Paths of unknown fields; undefined when nobody asks. */
  unknown: string[] | undefined;
  /** What a type's own UnmarshalJSON refuses ends the reading. */
  readonly refuse: (message: string) => never;
}

export interface Codec {
  /** `value` is never null. Undefined: it was of a wrong type (and reported), or Go's zero time. */
  read(value: Json, reading: Reading): Json | undefined;
  /** How Go writes the zero value. */
  zero(): Json;
  /** Whether the value that was read counts as empty for `omitempty`. */
  isEmpty(value: Json): boolean;
}

/** Reports a value of a wrong type as Go's UnmarshalTypeError does, if it is the first. */
export function wrongType(reading: Reading, what: string, goType: string): undefined {
  if (reading.typeError !== undefined) return;
  const fields = reading.stack.filter((step) => typeof step === 'object');
  const last = fields.at(-1);
  const path = fields.map(({ name, embedded }) => (embedded === undefined ? name : `${embedded}.${name}`)).join('.');
  const where = last === undefined ? 'Go value' : `Go struct field ${last.owner}.${path}`;
  reading.typeError = `json: cannot unmarshal ${what} into ${where} of type ${goType}`;
}

/** The same for a type's own UnmarshalJSON, whose error ends the reading. */
export function refuseType(reading: Reading, what: string, goType: string): never {
  reading.typeError = undefined;
  wrongType(reading, what, goType);
  return reading.refuse(reading.typeError ?? '');
}

/** A key below where the reading stands, as strict validation names it. */
export function strictPath(stack: readonly Step[], key: string): string {
  let path = '';
  for (const step of [...stack, key]) {
    if (typeof step === 'number') path += `[${step}]`;
    else path += `${path === '' ? '' : '.'}${typeof step === 'object' ? step.name : step}`;
  }
  return path;
}
