/** LIST: pages, revisions and selectors, from the store's snapshot at one revision. */
import type { Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { ListOptions } from './request/options.ts';
import type { Resource } from './resource.ts';
import { quoteByte } from '../../objects/schema/go/go-json-error.ts';
import { errors, StatusError } from './status.ts';
import type { Selection } from './select.ts';

export interface Page {
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly continueToken: string;
  readonly remaining: number | undefined;
}

const TOO_OLD_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

export function parseRevision(text: string): number | undefined {
  if (text === '') return undefined;
  if (/^\d{1,19}$/.test(text) && BigInt(text) <= 0xffffffffffffffffn) return Number(text);
  // Only lists convert this error to a bad request.
  throw new StatusError(
    500,
    '',
    `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

function listRevision(text: string): number | undefined {
  try {
    return parseRevision(text);
  } catch (error) {
    throw error instanceof StatusError ? errors.badRequest(`invalid resource version: ${error.message}`) : error;
  }
}

export function listPage(
  store: Store,
  resource: Resource,
  namespace: string,
  options: ListOptions,
  wanted: Selection,
  behind = 0,
): Page {
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const table = store.table(resource.table);
  // The revision of a lagging replica. Nothing older than the event window can be served.
  const current = behind === 0 ? store.revision : Math.max(store.revision - behind, table.oldestRevision);
  const from = options.continueToken === '' ? undefined : decodeContinue(options.continueToken, options);
  const asked = listRevision(options.resourceVersion);
  let revision = current;
  let source: Iterable<Entry> | undefined = table.at(current, prefix) ?? table.range(prefix);
  const exact =
    options.resourceVersionMatch === 'Exact' ||
    (options.resourceVersionMatch === '' && options.limit > 0 && from === undefined);
  if (from !== undefined && from.revision > 0) {
    revision = from.revision;
    source = table.at(revision, prefix);
    if (source === undefined) throw expiredContinue(from.start, store.revision);
  } else if (asked !== undefined && asked > 0 && exact) {
    if (asked > current) throw tooLarge(asked, current);
    revision = asked;
    source = table.at(revision, prefix);
    if (source === undefined) throw errors.expired('The resourceVersion for the provided list is too old.');
  } else if (asked !== undefined && asked > current) {
    throw tooLarge(asked, current);
  }
  return cut(source, prefix, revision, from?.start, options, wanted);
}

function cut(
  source: Iterable<Entry>,
  prefix: string,
  revision: number,
  start: string | undefined,
  options: ListOptions,
  wanted: Selection,
): Page {
  const entries: Entry[] = [];
  // Revision 0 means "any cached version", and the cache ignores the limit.
  const limit = options.resourceVersion === '0' ? 0 : options.limit;
  let rest = 0;
  for (const entry of source) {
    if (start !== undefined && entry.key.slice(prefix.length) < start) continue;
    // A selector for one name reads one key. Any other selector scans: entries that were not examined count as
    // remaining.
    if (wanted.name !== undefined && entry.name !== wanted.name) continue;
    if (limit > 0 && entries.length >= limit) rest++;
    else if (wanted.everything || wanted.matches(entry)) entries.push(entry);
  }
  const last = entries.at(-1);
  const more = rest > 0 && last !== undefined;
  return {
    entries,
    revision,
    continueToken: more ? encodeContinue(revision, `${last.key.slice(prefix.length)}\0`) : '',
    remaining: more && wanted.everything ? rest : undefined,
  };
}

export function encodeContinue(revision: number, start: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start })).toString('base64url');
}

function decodeContinue(token: string, options: ListOptions): { revision: number; start: string } {
  let value: { v?: unknown; rv?: unknown; start?: unknown };
  if (!/^[A-Za-z0-9_-]*$/.test(token)) {
    const at = token.search(/[^A-Za-z0-9_-]/);
    throw errors.badRequest(
      `invalid continue token: continue key is not valid: illegal base64 data at input byte ${at}`,
    );
  }
  try {
    value = (JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) ?? {}) as typeof value;
  } catch {
    const first = quoteByte(Buffer.from(token, 'base64url')[0] ?? 0);
    throw errors.badRequest(
      `invalid continue token: continue key is not valid: invalid character ${first} looking for beginning of value`,
    );
  }
  if (value.v !== 'meta.k8s.io/v1') {
    throw errors.badRequest(
      `invalid continue token: continue key is not valid: server does not recognize this encoded version ${typeof value.v === 'string' ? value.v : ''}`,
    );
  }
  if (typeof value.rv !== 'number' || value.rv === 0) {
    throw errors.badRequest(
      'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    );
  }
  if (typeof value.start !== 'string' || value.start === '') {
    throw errors.badRequest(
      'invalid continue token: continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
    );
  }
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw errors.badRequest('specifying resource version is not allowed when using continue');
  }
  return { revision: value.rv, start: value.start };
}

/** A 410 whose list metadata contains a token that continues from this key at the newest revision. */
export class ExpiredContinueError extends StatusError {
  readonly continueToken: string;

  constructor(start: string) {
    super(410, 'Expired', TOO_OLD_CONTINUE);
    this.continueToken = encodeContinue(-1, start);
  }

  override toStatus(): ReturnType<StatusError['toStatus']> {
    return { ...super.toStatus(), metadata: { continue: this.continueToken } };
  }
}

function expiredContinue(start: string, _revision: number): StatusError {
  return new ExpiredContinueError(start);
}

/** The client knows a revision that this server has not reached. It may retry; usually it talks to the wrong server. */
export function tooLarge(asked: number, current: number): StatusError {
  return new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}
