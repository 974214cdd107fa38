/** Kubernetes' error answers: the Status object, its reasons and codes, and the field errors of a 422. */
import type { Json, JsonObject } from '../../values/json.ts';
import { goQuote, goValue } from '../../objects/schema/go/go-text.ts';

export interface StatusCause extends JsonObject {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails extends JsonObject {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface Status extends JsonObject {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: JsonObject;
  status: 'Failure' | 'Success';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** `StatusError` is an error that the client gets as a Status; any other thrown error is a defect of the sandbox. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

export type FieldErrorType =
  | 'FieldValueInvalid'
  | 'FieldValueRequired'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** `FieldError` is an error of one field. `detail` is the whole text after the path, such as `Invalid value: "a": must be …`. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly detail: string;
}

/** `quote` renders a value of a field error similar to Go's %q: strings quoted, objects as JSON. */
export function quote(value: Json | undefined): string {
  return goValue(value);
}

export const fieldError = {
  invalid: (field: string, value: Json | undefined, why: string): FieldError => ({
    type: 'FieldValueInvalid',
    field,
    detail: `Invalid value: ${quote(value)}${why === '' ? '' : `: ${why}`}`,
  }),
  typeInvalid: (field: string, value: Json | undefined, why: string): FieldError => ({
    type: 'FieldValueTypeInvalid',
    field,
    detail: `Invalid value: ${quote(value)}${why === '' ? '' : `: ${why}`}`,
  }),
  required: (field: string, why: string): FieldError => ({
    type: 'FieldValueRequired',
    field,
    detail: `Required value${why === '' ? '' : `: ${why}`}`,
  }),
  notSupported: (field: string, value: Json | undefined, valid: readonly string[]): FieldError => ({
    type: 'FieldValueNotSupported',
    field,
    detail: `Unsupported value: ${quote(value)}${valid.length === 0 ? '' : `: supported values: ${valid.map(goQuote).join(', ')}`}`,
  }),
  duplicate: (field: string, value: Json | undefined): FieldError => ({
    type: 'FieldValueDuplicate',
    field,
    detail: `Duplicate value: ${quote(value)}`,
  }),
  forbidden: (field: string, why: string): FieldError => ({
    type: 'FieldValueForbidden',
    field,
    detail: `Forbidden${why === '' ? '' : `: ${why}`}`,
  }),
  notFound: (field: string, value: Json | undefined): FieldError => ({
    type: 'FieldValueNotFound',
    field,
    detail: `Not found: ${quote(value)}`,
  }),
  tooLong: (field: string, max: number): FieldError => ({
    type: 'FieldValueTooLong',
    field,
    detail: `Too long: may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`,
  }),
  tooMany: (field: string, actual: number, max: number): FieldError => ({
    type: 'FieldValueTooMany',
    field,
    detail: `Too many: ${actual}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
  }),
};

/** `ResourceName` is the subject of an error: a served resource, or a name that replaces it (the server sometimes names the kind). */
export type ResourceName =
  | { readonly group: string; readonly resource: string }
  | { readonly group: string; readonly plural: string };

const nameOf = (of: ResourceName): string => ('plural' in of ? of.plural : of.resource);

const qualified = (of: ResourceName): string => (of.group === '' ? nameOf(of) : `${nameOf(of)}.${of.group}`);

const details = (of: ResourceName, name: string): StatusDetails => ({
  ...(name === '' ? {} : { name }),
  ...(of.group === '' ? {} : { group: of.group }),
  kind: nameOf(of),
});

export const errors = {
  badRequest: (message: string): StatusError => new StatusError(400, 'BadRequest', message),
  unauthorized: (): StatusError => new StatusError(401, 'Unauthorized', 'Unauthorized'),
  forbidden: (of: ResourceName, name: string, why: string): StatusError =>
    new StatusError(
      403,
      'Forbidden',
      `${qualified(of)} ${JSON.stringify(name)} is forbidden: ${why}`,
      details(of, name),
    ),
  notFound: (of: ResourceName, name: string): StatusError =>
    new StatusError(404, 'NotFound', `${qualified(of)} ${JSON.stringify(name)} not found`, details(of, name)),
  /** An unknown path below a served resource. */
  noSuchPath: (): StatusError =>
    new StatusError(404, 'NotFound', 'the server could not find the requested resource', {}),
  methodNotAllowed: (): StatusError =>
    new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
  methodNotSupported: (of: ResourceName, verb: string): StatusError =>
    new StatusError(
      405,
      'MethodNotAllowed',
      `${verb} is not supported on resources of kind ${JSON.stringify(qualified(of))}`,
      details(of, ''),
    ),
  notAcceptable: (accepted: readonly string[]): StatusError =>
    new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`),
  alreadyExists: (of: ResourceName, name: string): StatusError =>
    new StatusError(409, 'AlreadyExists', `${qualified(of)} ${JSON.stringify(name)} already exists`, details(of, name)),
  conflict: (of: ResourceName, name: string, why: string): StatusError =>
    new StatusError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${qualified(of)} ${JSON.stringify(name)}: ${why}`,
      details(of, name),
    ),
  expired: (message: string): StatusError => new StatusError(410, 'Expired', message),
  tooLarge: (message: string): StatusError =>
    new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`),
  unsupportedMediaType: (message: string): StatusError => new StatusError(415, 'UnsupportedMediaType', message),
  invalid: (group: string, kind: string, name: string, list: readonly FieldError[]): StatusError => {
    const texts = list.map((e) => `${e.field}: ${e.detail}`);
    const unique = [...new Set(texts)];
    const joined = unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`;
    return new StatusError(
      422,
      'Invalid',
      `${group === '' ? kind : `${kind}.${group}`} ${JSON.stringify(name)} is invalid: ${joined}`,
      {
        ...(name === '' ? {} : { name }),
        ...(group === '' ? {} : { group }),
        ...(kind === '' ? {} : { kind }),
        causes: list.map((e) => ({ reason: e.type, message: e.detail, field: e.field })),
      },
    );
  },
  internal: (message: string): StatusError => new StatusError(500, 'InternalError', message),
};
