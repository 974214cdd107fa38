/** The answers to patches that cannot be read or applied. */
import type { Json } from '../json.ts';
import { fieldError, StatusError } from '../api/status.ts';
import { jsonKind } from '../schema/go-json-kind.ts';
import { goType } from '../schema/go-print.ts';

/** `fieldValidation` of a request; a server that is told nothing warns. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** A patch that does not apply: the server keeps the reason to itself. */
export const notApplicable = (): StatusError =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

/** An error that the server did not expect: it reaches the client with its text and without a reason. */
export const unexpected = (message: string): StatusError => new StatusError(500, '', message);

/** A patch whose outcome is no object of the kind: `patched` is what came out of it, `why` the decoder's complaint. */
export function unusableResult(patched: string, why: string): StatusError {
  const { type, field, detail } = fieldError.invalid('patch', patched, why);
  return new StatusError(422, 'Invalid', ` "" is invalid: ${field}: ${detail}`, {
    causes: [{ reason: type, message: detail, field }],
  });
}

export const cannotUnmarshal = (value: Json, target: string): string =>
  `json: cannot unmarshal ${jsonKind(value)} into Go ${target}`;

/** A type as the server prints it with %s, which has no word for nothing. */
export const receivedType = (value: Json | undefined): string =>
  value === null || value === undefined ? '%!s(<nil>)' : goType(value);

/** The decoder's complaint about a patched object that turned into a list. */
export const withoutTypeMeta =
  `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ` +
  String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
