/**
 * The closed set of answers that are errors. Each has a text for the caller; what only the operator may know stands in `cause`, which is logged and never
 * sent. `make docs` writes docs/api-errors.md of it. Statuses that VCD's clients cannot read (422, 501, 502) are not among them.
 */
interface ErrorKind {
  readonly status: number;
  /** For the page: what it means, and what the caller is to do. */
  readonly means: string;
  readonly remedy: string;
}

export const errorCodes = {
  BAD_REQUEST: {
    status: 400,
    means: 'A field, a parameter or the filter is not as it must be; the message names it and the rule',
    remedy: 'Correct it; sent again as it is, the request is refused again',
  },
  UNAUTHORIZED: {
    status: 401,
    means: 'There is no session: no token, an ended one, or one of a user who may not log in (any more)',
    remedy: 'Log in again, and send the token as `Authorization: Bearer …`',
  },
  ACCESS_TO_RESOURCE_IS_FORBIDDEN: {
    status: 403,
    means: 'Your role may not do this, or what you name does not exist, or it belongs to others',
    remedy: 'Check the id and the organization that you are logged in to; ask an administrator for the role',
  },
  NOT_FOUND: {
    status: 404,
    means: 'There is no such route (objects that are not there answer 403)',
    remedy: 'Look it up at `/docs`',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    means: 'The route does not know this method',
    remedy: 'Look it up at `/docs`',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    means: '`Accept` asks for a version or a format that is not served',
    remedy: 'Take one of those that `/api/versions` lists',
  },
  DUPLICATE_NAME: {
    status: 409,
    means: 'Another object has this name; names are compared without regard to case',
    remedy: 'Choose another name',
  },
  CONFLICT: {
    status: 409,
    means: 'The object is in a state that does not allow this; the message says which',
    remedy: 'Do first what the message says',
  },
  BUSY_ENTITY: {
    status: 409,
    means: 'A task works on the object',
    remedy: 'Wait for the task to end, and ask again',
  },
  QUOTA_EXCEEDED: {
    status: 409,
    means: 'The virtual data center, or the user, has not that much left',
    remedy: 'Free something, or ask the provider for more',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    means: 'The body is larger than 1 MiB',
    remedy: 'Send less',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    means: 'The `Content-Type` of the body is not understood',
    remedy: 'Send `application/json`',
  },
  UPGRADE_REQUIRED: {
    status: 426,
    means: 'The route is a websocket, and was asked for as a page',
    remedy: 'Ask for it with `Upgrade: websocket`',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    means: 'Too many log-ins have failed',
    remedy: 'Wait as long as `Retry-After` says',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    means: 'Something went wrong in the server',
    remedy: 'Tell the operator the request id; the log has the cause',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    means: 'The database, or a cluster that is needed at once, does not answer',
    remedy: 'Ask again after `Retry-After`; whether what was asked for has been done can be seen by reading it',
  },
} as const satisfies Readonly<Record<string, ErrorKind>>;

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
    return errorCodes[this.code].status;
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
