/** Everything that can go wrong between us and an API server, as a closed set. */

/** Kubernetes' own `Status`, as it stands in the body of a refusal. */
export interface Status {
  readonly kind: 'Status';
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: StatusDetails;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly retryAfterSeconds?: number;
  readonly causes?: readonly StatusCause[];
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export type ErrorKind =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'AlreadyExists'
  | 'Conflict'
  /** 410: the resource version, or the page, is too old. */
  | 'Gone'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'Invalid'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServiceUnavailable'
  /** 504, and the server's own deadline. */
  | 'Timeout'
  /** No answer: refused, reset, no such host, bad certificate. The cause says which. */
  | 'Unreachable'
  /** Our own deadline passed before the answer was there. */
  | 'DeadlineExceeded'
  /** The caller gave up. */
  | 'Aborted'
  /** An answer that is not what Kubernetes sends. */
  | 'Malformed'
  /** The credentials could not be had: an exec plugin failed, a token file is gone. */
  | 'Credentials'
  | 'Unknown';

export interface ApiErrorDetails {
  readonly code?: number;
  readonly status?: Status;
  /** From the header, else from the status. */
  readonly retryAfterSeconds?: number;
  /** The server's own name for the request, to find it in its audit log. */
  readonly auditId?: string;
  /** Uids of what the server's priority and fairness took the request for. */
  readonly flowSchema?: string;
  readonly priorityLevel?: string;
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ErrorKind;
  readonly code: number | undefined;
  readonly status: Status | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly auditId: string | undefined;
  readonly flowSchema: string | undefined;
  readonly priorityLevel: string | undefined;

  constructor(kind: ErrorKind, message: string, details: ApiErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.kind = kind;
    this.code = details.code;
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.auditId = details.auditId;
    this.flowSchema = details.flowSchema;
    this.priorityLevel = details.priorityLevel;
  }

  get causes(): readonly StatusCause[] {
    return this.status?.details?.causes ?? [];
  }

  /** True when the server says so: `FieldManagerConflict`, `ResourceVersionTooLarge` … */
  hasCause(reason: string): boolean {
    return this.causes.some((cause) => cause.reason === reason);
  }
}

export function isKind(error: unknown, ...kinds: readonly ErrorKind[]): error is ApiError {
  return error instanceof ApiError && kinds.includes(error.kind);
}

export function isNotFound(error: unknown): error is ApiError {
  return isKind(error, 'NotFound');
}

export function isConflict(error: unknown): error is ApiError {
  return isKind(error, 'Conflict');
}
