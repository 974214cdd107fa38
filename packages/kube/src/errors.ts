/** The errors of requests to an API server, as a closed set. */

/** `Status` is Kubernetes' `Status`, the body of a refusal. */
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
  /** 410: the resource version or the page token is too old. */
  | 'Gone'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'Invalid'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServiceUnavailable'
  /** 504, and the server's own deadline. */
  | 'Timeout'
  /** No answer: refused, reset, no such host, bad certificate. `cause` says which. */
  | 'Unreachable'
  /** The client's deadline passed before the answer was complete. */
  | 'DeadlineExceeded'
  /** The caller aborted the request. */
  | 'Aborted'
  /** An answer that Kubernetes does not send. */
  | 'Malformed'
  /** The credentials could not be obtained: an exec plugin failed, a token file is missing. */
  | 'Credentials'
  | 'Unknown';

export interface KubeErrorDetails {
  readonly code?: number;
  /** Absent when the answer carries none: a framework or proxy refused the request before Kubernetes saw it. */
  readonly status?: Status;
  /** The server's text: the message of its Status, otherwise `HTTP 406: ` and the body. */
  readonly words?: string;
  /** From the header, otherwise from the Status. */
  readonly retryAfterSeconds?: number;
  /** The server's id of the request, to find it in its audit log. */
  readonly auditId?: string;
  /** Uids of the flow schema and priority level that the server's priority and fairness assigned. */
  readonly flowSchema?: string;
  readonly priorityLevel?: string;
  readonly cause?: unknown;
}

export class KubeError extends Error {
  /** The type in log lines, which people search for. */
  override readonly name = 'ApiError';
  readonly kind: ErrorKind;
  readonly code: number | undefined;
  readonly status: Status | undefined;
  readonly words: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly auditId: string | undefined;
  readonly flowSchema: string | undefined;
  readonly priorityLevel: string | undefined;

  constructor(kind: ErrorKind, message: string, details: KubeErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.kind = kind;
    this.code = details.code;
    this.status = details.status;
    this.words = details.words ?? details.status?.message;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.auditId = details.auditId;
    this.flowSchema = details.flowSchema;
    this.priorityLevel = details.priorityLevel;
  }

  get causes(): readonly StatusCause[] {
    return this.status?.details?.causes ?? [];
  }

  /** Whether the Status has a cause with this reason: `FieldManagerConflict`, `ResourceVersionTooLarge` … */
  hasCause(reason: string): boolean {
    return this.causes.some((cause) => cause.reason === reason);
  }
}

export function isKind(error: unknown, ...kinds: readonly ErrorKind[]): error is KubeError {
  return error instanceof KubeError && kinds.includes(error.kind);
}

/** 401: fresh credentials; 408 and 429: later; 409: read again. */
const retryableCodes: ReadonlySet<number> = new Set([401, 408, 409, 429]);

/**
 * `isRefusal` tells whether the server refused the request itself, so that repeating it cannot help: every 4xx, with or
 * without a Status, except transient ones. A 404 or 410 with a Status is about an object or version that is gone, which
 * the caller reads again.
 */
export function isRefusal(error: unknown): error is KubeError {
  if (!(error instanceof KubeError) || error.code === undefined || error.code < 400 || error.code >= 500) return false;
  if (retryableCodes.has(error.code)) return false;
  return error.status === undefined || (error.code !== 404 && error.code !== 410);
}

export function isNotFound(error: unknown): error is KubeError {
  return isKind(error, 'NotFound');
}

export function isConflict(error: unknown): error is KubeError {
  return isKind(error, 'Conflict');
}
