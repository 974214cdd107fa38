/** Log-in with a name and a password. For every failure the response and its duration are the same. */
import type { Kysely } from 'kysely';
import { appendAuditEvent } from '../../../db/retention/audit.ts';
import { holdCredentials, organizationNamed, renewPasswordHash } from '../../../db/tenants/credentials.ts';
import type { ApiTokenId, OrganizationId, Tables, UserId } from '../../../db/schema/schema.ts';
import { openSession } from '../../../db/tenants/sessions.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import { findCredentials, type Credentials } from '../../../db/tenants/users.ts';
import { systemOrganization } from '../../caller.ts';
import { ApiError } from '../../errors.ts';
import { hashOfToken } from '../../http/authenticate.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { ApiSettings } from '../../settings.ts';
import type { Named } from './credentials.ts';
import { Throttle } from './throttle.ts';
import { newToken } from './token.ts';

/** Tenants and the provider log in at separate URLs; neither accepts users of the other. */
export type Door = 'tenant' | 'provider';

/** `Visitor` is the client, as far as the connection tells. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

export interface LogInContext {
  readonly db: Kysely<Tables>;
  readonly passwords: Passwords;
  readonly settings: Pick<ApiSettings, 'sessionIdleMs' | 'sessionMaxMs' | 'accessTokenMs' | 'loginFailures'>;
}

export interface LogInResult {
  readonly token: string;
}

/** `logIn` throws UNAUTHORIZED, or TOO_MANY_REQUESTS after many of those. */
export async function logIn(context: LogInContext, door: Door, named: Named, visitor: Visitor): Promise<LogInResult> {
  const { db, settings } = context;
  const who = { address: visitor.address, named: ['user', named.organization, named.username] };
  const entering = { door, named, visitor, throttle: new Throttle(db, who, settings.loginFailures) };
  // If another log-in rehashed the same password during the comparison, this one is repeated.
  const entered = (await enter(context, entering)) ?? (await enter(context, entering));
  if (typeof entered === 'object') return entered;
  await recordFailure(db, entering, entered ?? 'changed meanwhile');
  throw wrongCredentials();
}

interface Entering {
  readonly door: Door;
  readonly named: Named;
  readonly visitor: Visitor;
  readonly throttle: Throttle;
}

/** The session, or why there is none; undefined if the compared hash is no longer the stored one. */
async function enter(context: LogInContext, entering: Entering): Promise<LogInResult | string | undefined> {
  const { door, named, throttle } = entering;
  // Before the queue, so that a throttled attempt costs nothing; and again when its turn comes.
  await throttle.pass();
  const user = await credentialsOf(context.db, named);
  const refusal = refusalOf(user, door);
  const { matches, renewed } = await context.passwords.check(named.password, user?.password_hash, {
    before: () => throttle.pass(),
    after: async (isRight) => {
      if (!isRight || refusal !== undefined) await throttle.failed();
    },
  });
  if (user === undefined || refusal !== undefined || !matches) return refusal ?? 'wrong password';
  return open(context, entering, { ...user, renewed });
}

export function wrongCredentials(): ApiError {
  return new ApiError(
    'UNAUTHORIZED',
    'The log-in failed: the organization, the user or the password is wrong, or the user may not log in here. ' +
      'Send "Authorization: Basic" with user@organization:password, for the provider to /cloudapi/1.0.0/sessions/provider, for tenants to /cloudapi/1.0.0/sessions.',
  );
}

/** PostgreSQL's text cannot contain NUL, so no user has such a name. */
async function credentialsOf(db: Kysely<Tables>, { organization, username }: Named): Promise<Credentials | undefined> {
  return `${organization}${username}`.includes('\0') ? undefined : findCredentials(db, organization, username);
}

/** Why the user could not log in even with the right password; only for the audit. */
function refusalOf(user: Credentials | undefined, door: Door): string | undefined {
  if (user === undefined) return 'no such user';
  if ((user.organization_id === systemOrganization) !== (door === 'provider')) return 'of the other door';
  if (!user.may_log_in) return 'disabled or locked';
  return user.password_hash === null ? 'without a password' : undefined;
}

interface Compared extends Credentials {
  /** The hash that replaces the stored one. */
  readonly renewed: string | undefined;
}

function open(
  { db, settings }: LogInContext,
  { door, visitor, throttle }: Entering,
  { user_id, organization_id, password_hash, renewed }: Compared,
): Promise<LogInResult | undefined> {
  return inTransaction(db, async (tx) => {
    const held = await holdCredentials(tx, user_id, password_hash ?? undefined);
    if (held === undefined) return undefined;
    const of = { user_id, organization_id, visitor };
    const token = await beginSession(tx, of, { idleMs: settings.sessionIdleMs, lastsMs: settings.sessionMaxMs });
    if (renewed !== undefined) await renewPasswordHash(tx, user_id, renewed);
    await throttle.succeeded(tx);
    await appendAuditEvent(tx, {
      organization_id,
      user_id,
      user_name: held.username,
      action: actionOf(door),
      entity_kind: 'user',
      entity_id: user_id,
      entity_name: held.username,
      outcome: 'success',
      request_id: visitor.requestId,
      client_address: visitor.address,
    });
    return { token };
  });
}

export interface SessionOf {
  readonly user_id: UserId;
  readonly organization_id: OrganizationId;
  readonly api_token_id?: ApiTokenId;
  readonly visitor: Visitor;
}

/** `beginSession` returns the token of a new session; only its hash is stored, so it cannot be shown again. */
export async function beginSession(
  db: Kysely<Tables>,
  { visitor, ...of }: SessionOf,
  { idleMs, lastsMs }: { readonly idleMs: number; readonly lastsMs: number },
): Promise<string> {
  const token = newToken(lastsMs);
  await openSession(db, {
    ...of,
    token_hash: hashOfToken(token),
    client_address: visitor.address,
    user_agent: visitor.userAgent.slice(0, 256),
    idleMs,
    lastsMs,
  });
  return token;
}

/** Records the given names, truncated, for investigation; the throttle limits the number of records. */
async function recordFailure(db: Kysely<Tables>, { door, named, visitor }: Entering, reason: string): Promise<void> {
  const organization = printable(named.organization);
  // Runs in every case, so that all cases take equally long.
  const organizationId = await organizationNamed(db, organization);
  await appendAuditEvent(db, {
    organization_id: organizationId ?? null,
    user_id: null,
    action: actionOf(door),
    entity_kind: 'user',
    entity_id: null,
    entity_name: `${printable(named.username)}@${organization}`,
    outcome: 'refused',
    request_id: visitor.requestId,
    client_address: visitor.address,
    details: { reason },
  });
}

function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\uFFFD').slice(0, 100);
}

function actionOf(door: Door): 'sessions.create' | 'sessions.createProvider' {
  return door === 'tenant' ? 'sessions.create' : 'sessions.createProvider';
}
