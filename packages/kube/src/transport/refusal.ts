/** Classifies a server's refusal, by the reason in its Status, otherwise by the code. */
import { defined } from '@ssvirt/base/values/defined';
import { KubeError, type ErrorKind, type Status } from '../errors.ts';
import { isJson } from './body.ts';
import { header, type Answer, type Headers } from './call.ts';

/** A Map, because a server may send any reason, `constructor` too. */
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
  408: 'Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Limits the server's text in an error, because errors become conditions and log lines; `status` has all of it. */
const longestText = 4000;

/** Reasons take precedence over codes: a 500 with the reason ServerTimeout is a timeout. */
export function kindOf(reason: string | undefined, code: number | undefined): ErrorKind {
  const byReason = reason === undefined ? undefined : kindsByReason.get(reason);
  if (byReason !== undefined) return byReason;
  if (code === undefined) return 'Unknown';
  return kindsByCode[code] ?? (code >= 500 ? 'InternalError' : 'Unknown');
}

/** `statusError` returns the error for a Status, from the body of an answer or the object of an ERROR event. */
export function statusError(prefix: string, status: Status, headers: Headers = {}, code = status.code): KubeError {
  const words: unknown = status.message ?? status.reason ?? `HTTP ${code}`;
  return answerError(prefix, { status, words: String(words), headers, code });
}

interface Said {
  readonly status?: Status;
  readonly words: string;
  readonly headers: Headers;
  readonly code: number | undefined;
}

function answerError(prefix: string, { status, words, headers, code }: Said): KubeError {
  const seconds = retryAfter(headers) ?? status?.details?.retryAfterSeconds;
  const auditId = header(headers, 'audit-id');
  const flowSchema = header(headers, 'x-kubernetes-pf-flowschema-uid');
  const priorityLevel = header(headers, 'x-kubernetes-pf-prioritylevel-uid');
  const text = words.slice(0, longestText);
  return new KubeError(kindOf(status?.reason, code), `${prefix}: ${text}`, {
    words: text,
    ...defined({ status, code, retryAfterSeconds: seconds, auditId, flowSchema, priorityLevel }),
  });
}

export function refusal(prefix: string, { code, headers, body }: Answer): KubeError {
  const status = statusOf(body);
  if (status !== undefined) return statusError(prefix, status, headers, code);
  return answerError(prefix, { words: foreignWords(code, headers, body), headers, code });
}

function statusOf(body: Buffer): Status | undefined {
  try {
    const value = JSON.parse(body.toString('utf8')) as { readonly kind?: unknown } | null;
    return value?.kind === 'Status' ? (value as Status) : undefined;
  } catch {
    // A framework before the handler answered, or a load balancer: its text is all the information.
    return undefined;
  }
}

/** How much of such a text gets into an error. */
const longestForeignText = 500;

/** One line. Go servers send text without a type when they detect none; pages for browsers are left out. */
function foreignWords(code: number, headers: Headers, body: Buffer): string {
  const type = header(headers, 'content-type') ?? 'text/plain';
  const isPlain = /^text\//i.test(type) && !/^text\/html/i.test(type);
  const raw = isPlain ? body.toString('utf8', 0, longestForeignText) : isJson(headers) ? messageIn(body) : '';
  // go-restful begins its text with the code: "406: Not Acceptable".
  const text = raw
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(new RegExp(`^${code}:? `), '');
  return text === '' ? `HTTP ${code}` : `HTTP ${code}: ${text}`;
}

/** Gateways answer `{"message": …}` or `{"error": …}`; other JSON may contain what must not be logged. */
function messageIn(body: Buffer): string {
  try {
    const value = JSON.parse(body.toString('utf8')) as { readonly message?: unknown; readonly error?: unknown } | null;
    const found = value?.message ?? value?.error;
    return typeof found === 'string' ? found.slice(0, longestForeignText) : '';
  } catch {
    return '';
  }
}

/** `retryAfter` supports seconds only, which is what Kubernetes sends. */
export function retryAfter(headers: Headers): number | undefined {
  const text = header(headers, 'retry-after');
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
