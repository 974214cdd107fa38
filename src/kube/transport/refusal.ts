/** What a server's refusal means: by the reason in its Status, else by the code. */
import { ApiError, type ErrorKind, type Status } from '../errors.ts';
import { header, type Answer, type Headers } from './call.ts';

/** A server may say anything, `constructor` too: a Map knows only what is in it. */
const kindsByReason: ReadonlyMap<string, ErrorKind> = new Map(
  Object.entries<ErrorKind>({
    BadRequest: 'BadRequest',
    Unauthorized: 'Unauthorized',
    Forbidden: 'Forbidden',
    NotFound: 'NotFound',
    MethodNotAllowed: 'MethodNotAllowed',
    NotAcceptable: 'NotAcceptable',
    AlreadyExists: 'AlreadyExists',
    Conflict: 'Conflict',
    Gone: 'Gone',
    Expired: 'Gone',
    RequestEntityTooLarge: 'RequestEntityTooLarge',
    UnsupportedMediaType: 'UnsupportedMediaType',
    Invalid: 'Invalid',
    TooManyRequests: 'TooManyRequests',
    InternalError: 'InternalError',
    StoreReadError: 'InternalError',
    ServiceUnavailable: 'ServiceUnavailable',
    ServerTimeout: 'Timeout',
    Timeout: 'Timeout',
  }),
);

const kindsByCode: Readonly<Record<number, ErrorKind>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Of a server's own words in an error, since errors become conditions and log lines; `status` holds all of them. */
const longestText = 4000;

/** Reasons win over codes: a 500 with the reason ServerTimeout is a timeout. */
export function kindOf(reason: string | undefined, code: number | undefined): ErrorKind {
  const byReason = reason === undefined ? undefined : kindsByReason.get(reason);
  if (byReason !== undefined) return byReason;
  if (code === undefined) return 'Unknown';
  return kindsByCode[code] ?? (code >= 500 ? 'InternalError' : 'Unknown');
}

/** The error that a Status tells of, be it the body of an answer or the object of an ERROR event. */
export function statusError(prefix: string, status: Status, headers: Headers = {}, code = status.code): ApiError {
  const seconds = retryAfter(headers) ?? status.details?.retryAfterSeconds;
  const auditId = header(headers, 'audit-id');
  const flowSchema = header(headers, 'x-kubernetes-pf-flowschema-uid');
  const priorityLevel = header(headers, 'x-kubernetes-pf-prioritylevel-uid');
  const words: unknown = status.message ?? status.reason ?? `HTTP ${code}`;
  const text = String(words).slice(0, longestText);
  return new ApiError(kindOf(status.reason, code), `${prefix}: ${text}`, {
    status,
    ...(code === undefined ? {} : { code }),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    ...(auditId === undefined ? {} : { auditId }),
    ...(flowSchema === undefined ? {} : { flowSchema }),
    ...(priorityLevel === undefined ? {} : { priorityLevel }),
  });
}

export function refusal(prefix: string, { code, headers, body }: Answer): ApiError {
  return statusError(prefix, statusOf(body) ?? foreignStatus(code, headers, body), headers, code);
}

function statusOf(body: Buffer): Status | undefined {
  try {
    const value = JSON.parse(body.toString('utf8')) as { readonly kind?: unknown } | null;
    return value?.kind === 'Status' ? (value as Status) : undefined;
  } catch {
    // A load balancer answered: its text is all there is.
    return undefined;
  }
}

function foreignStatus(code: number, headers: Headers, body: Buffer): Status {
  const plain = (header(headers, 'content-type') ?? '').startsWith('text/plain');
  const text = plain ? body.toString('utf8', 0, 200).trim() : '';
  return { kind: 'Status', code, message: text === '' ? `HTTP ${code}` : `HTTP ${code}: ${text}` };
}

/** Seconds only: that is what Kubernetes sends. */
export function retryAfter(headers: Headers): number | undefined {
  const text = header(headers, 'retry-after');
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
