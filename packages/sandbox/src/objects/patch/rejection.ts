/** The errors for patches that cannot be parsed or applied. */
import type { Json } from '../../values/json.ts';
import { fieldError, StatusError } from '../../server/api/status.ts';
import { jsonKind } from '../schema/go/go-json-kind.ts';
import { goType } from '../schema/go/go-print.ts';

/** `PatchFieldValidation` is the `fieldValidation` of a request; the server's default is Warn. */
export type PatchFieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** `notApplicable` is a patch that does not apply: the server does not tell the reason. */
export const notApplicable = (): StatusError =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

/** `unexpected` is an error that the server does not expect: the client gets its text without a reason. */
export const unexpected = (message: string): StatusError => new StatusError(500, '', message);

/** `unusableResult` returns a patch whose result is not an object of the kind: `patched` is the result, `why` the decoder's error. */
export function unusableResult(patched: string, why: string): StatusError {
  const { type, field, detail } = fieldError.invalid('patch', patched, why);
  return new StatusError(422, 'Invalid', ` "" is invalid: ${field}: ${detail}`, {
    causes: [{ reason: type, message: detail, field }],
  });
}

export const cannotUnmarshal = (value: Json, target: string): string =>
  `json: cannot unmarshal ${jsonKind(value)} into Go ${target}`;

/** `receivedType` is a type as the server prints it with %s; nil has no type name. */
export const receivedType = (value: Json | undefined): string =>
  value === null || value === undefined ? '%!s(<nil>)' : goType(value);

/** The decoder's error when the patched object has become a list. */
export const withoutTypeMeta =
  `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ` +
  String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
