/**
 * Why AAP was not reached or did not accept a call: a closed set, with messages for users that contain no credentials.
 */
import { fields, text } from '../../../kubevirt/facts/reading.ts';

export type WebhookFailure =
  /** The URL, the token file or the CA file is invalid; nothing was sent. */
  | 'Settings'
  | 'Unreachable'
  | 'NotTrusted'
  | 'Timeout'
  /** The connection ended in the middle: AAP may have received the call. */
  | 'Broken'
  | 'Redirected'
  /** 401 and 403. */
  | 'Credentials'
  | 'Refused'
  | 'ServerError'
  /** The call was aborted because the process ends. */
  | 'Aborted';

export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly kind: WebhookFailure;

  constructor(kind: WebhookFailure, message: string) {
    // No cause: an error of the HTTP client may contain the request, and so the token.
    super(message);
    this.kind = kind;
  }
}

/** Without user, password, query and fragment, each of which may hold a secret. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

const mostWords = 300;

/**
 * The reason that a refusal gives in the usual fields of a JSON body, on one line and cut. Any other body may be the
 * request itself. The reason may quote the request too, so its credentials are hidden.
 */
export function shownAnswer(body: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret !== '')
    .reduce((words, secret) => words.replaceAll(secret, '(hidden)'), reasonIn(body));
  return text(hidden, mostWords) ?? '';
}

function reasonIn(body: string): string {
  try {
    const { detail, msg, message, error } = fields(JSON.parse(body));
    return [detail, msg, message, error].find((words): words is string => typeof words === 'string') ?? '';
  } catch {
    return '';
  }
}

/** `refusedBy` translates an answer other than 2xx; `words` is the reason that it gives. */
export function refusedBy(shown: string, status: number, words: string): WebhookError {
  const answer = `AAP at ${shown} answers ${status}${words === '' ? '' : ` ("${words}")`}`;
  if (status === 401 || status === 403)
    return new WebhookError('Credentials', `${answer}: check the file that cloudkit.aap.tokenFile names`);
  if (status >= 300 && status < 400)
    return new WebhookError('Redirected', `${answer}: redirects are not followed, set the URL that it leads to`);
  if (status >= 500) return new WebhookError('ServerError', answer);
  return new WebhookError('Refused', answer);
}

const trustCodes =
  /^(?:CERT_|ERR_TLS_CERT|ERR_SSL|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|HOSTNAME_MISMATCH)/;
const beforeSending: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** `brokenBy` translates a failure of the HTTP client by its code, because its text may contain anything. */
export function brokenBy(shown: string, error: unknown): WebhookError {
  const code = codeOf(error) ?? 'unknown error';
  if (trustCodes.test(code))
    return new WebhookError(
      'NotTrusted',
      `the certificate of AAP at ${shown} is not trusted (${code}): check cloudkit.aap.caFile`,
    );
  if (beforeSending.has(code)) return new WebhookError('Unreachable', `AAP at ${shown} cannot be reached (${code})`);
  return new WebhookError('Broken', `the connection to AAP at ${shown} ended without an answer (${code})`);
}

function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0]);
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}
