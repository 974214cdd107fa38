/**
 * Decodes a built-in object as Go decodes JSON to its struct, and returns what Go would encode again: without unknown
 * fields, with quantities and times in canonical form, and with zero values omitted or written as the struct's tags
 * say.
 *
 * Errors are Go's: the first value of a wrong type (decoding continues), or the first error of a type's own
 * UnmarshalJSON (decoding ends, and this error wins). Paths are built only when there is an error.
 */
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import type { Schema } from '../../schema/schema.ts';
import { errors } from '../../../server/api/status.ts';
import type { StatusError } from '../../../server/api/status.ts';
import { goQuote } from '../../schema/go/go-text.ts';
import { codecOf } from './codec.ts';
import type { Reading } from './reading.ts';

export interface Decoded {
  /** A new object that shares nothing mutable with the input (except free-form JSON). */
  readonly object: KubeObject;
  /** The complaints of strict validation, in order: `unknown field "spec.foo"`. */
  readonly unknown: readonly string[];
}

/** `DecodeError` is the text of Go's decoding error, without the API server's prefix. */
export class DecodeError extends Error {}

/** Go stops collecting at this number. */
const MAX_UNKNOWN = 100;

/**
 * Throws a DecodeError. With `trackUnknown` false, the paths of unknown fields are not collected (the fields are
 * dropped anyway).
 */
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

/** `normalise` decodes and encodes a value as Go would, for objects that the server itself created or changed. */
export function normalise(schema: Schema, value: JsonObject): KubeObject {
  return decode(schema, value, false).object;
}

/** `cannotBeHandled` returns the error for a body that cannot be decoded; `kind` and `version` are those in the body. */
export function cannotBeHandled(kind: string, version: string, as: string, why: string): StatusError {
  return errors.badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${as}: ${why}`);
}
