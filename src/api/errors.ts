/**
 * The closed set of answers that are errors. Each has a text for the caller; what only the operator may know stands in `cause`, which is logged and never
 * sent. docs/api-errors.md lists the codes, and a test compares both. Statuses that VCD's clients cannot read (422, 501, 502) are not among them.
 */

export const errorCodes = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  ACCESS_TO_RESOURCE_IS_FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  DUPLICATE_NAME: 409,
  CONFLICT: 409,
  BUSY_ENTITY: 409,
  QUOTA_EXCEEDED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UPGRADE_REQUIRED: 426,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorCodes;

export interface ApiErrorOptions {
  readonly cause?: unknown;
  /** For the header `Retry-After`, in seconds. */
  readonly retryAfter?: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return errorCodes[this.code];
  }
}

/** Names the field, the value, the rule, and what to do. */
export function badRequest(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message);
}

/** One answer for what is not there and for what belongs to others: nobody learns from it which of the two it is. */
export function noAccess(): ApiError {
  return new ApiError(
    'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
    'The resource does not exist, or you have no access to it: check the id, and the organization that you are logged in to.',
  );
}

export function conflict(message: string): ApiError {
  return new ApiError('CONFLICT', message);
}

/** What a read gives: a row, or the one answer for missing and foreign. */
export function found<T>(row: T | undefined): T {
  if (row === undefined) throw noAccess();
  return row;
}
