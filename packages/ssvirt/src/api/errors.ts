/**
 * The closed set of error responses. Each has a text for the caller; details for the operator are in `cause`, which is
 * logged and never sent. `make docs` generates docs/api-errors.md from it. Statuses that VCD's clients cannot read
 * (422, 501, 502) are not used.
 */
interface ErrorKind {
  readonly status: number;
  /** For the docs page: what the error means, and what the caller should do. */
  readonly means: string;
  readonly remedy: string;
}

export const errorCodes = {
  BAD_REQUEST: {
    status: 400,
    means: 'A field, a parameter or the filter is not valid; the message names it and the rule',
    remedy: 'Correct the request; repeating it unchanged fails again',
  },
  UNAUTHORIZED: {
    status: 401,
    means: 'There is no valid session: the token is missing or has expired, or its user may not log in',
    remedy: 'Log in again and send the token as `Authorization: Bearer …`',
  },
  ACCESS_TO_RESOURCE_IS_FORBIDDEN: {
    status: 403,
    means: 'Your role does not permit this, or the object does not exist, or it belongs to another organization',
    remedy: 'Check the id and the organization of your session; ask an administrator for the role',
  },
  NOT_FOUND: {
    status: 404,
    means: 'The route does not exist (missing objects answer 403)',
    remedy: 'See `/docs` for the API',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    means: 'The route does not support this method',
    remedy: 'See `/docs` for the API',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    means: '`Accept` names a version or a format that is not supported',
    remedy: 'Use one of the versions that `/api/versions` lists',
  },
  DUPLICATE_NAME: {
    status: 409,
    means: 'Another object has this name; names are compared without regard to case',
    remedy: 'Choose another name',
  },
  CONFLICT: {
    status: 409,
    means: 'The state of the object does not permit this; the message names the state',
    remedy: 'Follow the message',
  },
  BUSY_ENTITY: {
    status: 409,
    means: 'A task is working on the object',
    remedy: 'Wait for the task to end, then try again',
  },
  QUOTA_EXCEEDED: {
    status: 409,
    means: 'The virtual data center, or the user, has reached a limit',
    remedy: 'Free resources, or ask the provider for more',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    means: 'The body is larger than 1 MiB, or than the smaller limit of the route',
    remedy: 'Send a smaller body',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    means: 'The `Content-Type` of the body is not supported',
    remedy: 'Send `application/json`',
  },
  UPGRADE_REQUIRED: {
    status: 426,
    means: 'The route is a WebSocket, and the request was not an upgrade',
    remedy: 'Send `Upgrade: websocket`',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    means:
      'Too many failed log-ins: of this user from your address, from your address, or of this user from addresses where the user has never logged in',
    remedy: 'Wait for the time in `Retry-After`, or log in from an address where you have logged in before',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    means: 'The server failed unexpectedly',
    remedy: 'Report the request id to the provider; the log has the cause',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    means: 'The database, or a cluster that the request needs, does not answer',
    remedy: 'Try again after `Retry-After`; read the object to find out whether the request took effect',
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

/** The message names the field, the value, the rule and the remedy. */
export function badRequest(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message);
}

/** The same error for a missing object and for one of another organization: a caller cannot tell them apart. */
export function noAccess(): ApiError {
  return new ApiError(
    'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
    'The resource does not exist, or you have no access to it: check the id and the organization of your session.',
  );
}

export function conflict(message: string): ApiError {
  return new ApiError('CONFLICT', message);
}

/** `found` returns the row that a read found, or throws `noAccess` for a missing or foreign one. */
export function found<T>(row: T | undefined): T {
  if (row === undefined) throw noAccess();
  return row;
}
