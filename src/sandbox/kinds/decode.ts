/**
 * Reads a built-in object as Go reads JSON into its struct, and gives back at once what Go would write again: unknown
 * fields dropped, quantities and times in canonical form, zero values left out or written as the struct's tags say.
 *
 * What Go reports is kept: the first value of a wrong type (reading goes on), or the first that a type's own
 * UnmarshalJSON refuses (reading ends, and it wins over the former). Paths are only made up when there is a fault.
 */
import type { JsonObject, KubeObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { errors } from '../api/status.ts';
import type { StatusError } from '../api/status.ts';
import { goQuote } from '../schema/go-text.ts';
import { codecOf } from './codec.ts';
import type { Reading } from './reading.ts';

export interface Decoded {
  /** A fresh object, which shares nothing mutable with what was read (apart from free-form JSON). */
  readonly object: KubeObject;
  /** What strict validation complains about, in order: `unknown field "spec.foo"`. */
  readonly unknown: readonly string[];
}

/** The text of Go's decoding error, without the words that the API server puts around it. */
export class DecodeError extends Error {}

/** Go stops collecting here. */
const MAX_UNKNOWN = 100;

/** Throws a DecodeError. `trackUnknown` false saves the search for unknown fields' paths (they are dropped anyway). */
export function decode(schema: Schema, value: JsonObject, trackUnknown = true): Decoded {
  const reading: Reading = {
    stack: [],
    typeError: undefined,
    unknown: trackUnknown ? [] : undefined,
    refuse: (message) => {
      throw new DecodeError(message);
    },
  };
  const object = codecOf(schema).read(value, reading) as KubeObject;
  if (reading.typeError !== undefined) throw new DecodeError(reading.typeError);
  const paths = [...new Set(reading.unknown)].slice(0, MAX_UNKNOWN);
  return { object, unknown: paths.map((path) => `unknown field ${goQuote(path)}`) };
}

/** A value as Go would write it after reading it: for objects that the server itself made or changed. */
export function normalise(schema: Schema, value: JsonObject): KubeObject {
  return decode(schema, value, false).object;
}

/** The answer to a body that cannot be decoded; `kind` and `version` are those that the body names. */
export function cannotBeHandled(kind: string, version: string, as: string, why: string): StatusError {
  return errors.badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${as}: ${why}`);
}
