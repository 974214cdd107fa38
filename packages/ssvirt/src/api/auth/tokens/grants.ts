/** Exchanges one kind of token for another, as OAuth defines it. */
import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { findApiToken, handOutApiToken, markTokenUsed, type UsableToken } from '../../../db/tenants/api-tokens.ts';
import { appendAuditEvent } from '../../../db/retention/audit.ts';
import { holdCredentials } from '../../../db/tenants/credentials.ts';
import type { Database } from '../../../db/connection/database.ts';
import type { ApiTokenId, Tables } from '../../../db/schema/schema.ts';
import { findSession, sessionAgeMs, type Session } from '../../../db/tenants/sessions.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import { ApiError } from '../../errors.ts';
import { hashOfToken } from '../../http/authenticate.ts';
import { beginSession, type Door, type Visitor } from '../sessions/log-in.ts';
import { Throttle } from '../sessions/throttle.ts';
import type { ApiSettings } from '../../settings.ts';
import { isHome } from './service.ts';

export interface GrantContext {
  readonly database: Pick<Database, 'db' | 'pool'>;
  readonly settings: Pick<ApiSettings, 'accessTokenMs' | 'loginFailures'>;
}

/** `Entrance` is the client and the URL of the request. */
export interface Entrance {
  readonly door: Door;
  /** From the path; empty for the provider. */
  readonly organization: string;
  readonly visitor: Visitor;
}

export interface Grants {
  readonly accessToken: string;
  /** The lifetime of the access token. */
  readonly lastsMs: number;
  readonly refreshToken?: string;
}

/** `refresh` exchanges an API token for a session with the configured lifetime. */
export async function refresh(context: GrantContext, entrance: Entrance, refreshToken: string): Promise<Grants> {
  const { db } = context.database;
  const tokenHash = hashOfToken(refreshToken);
  const throttle = throttleOf(context, entrance, tokenHash);
  await throttle.pass();
  const token = await findApiToken(db, tokenHash);
  const granted =
    token?.usable === true && isOf(token, entrance)
      ? await inTransaction(db, (tx) => exchange(tx, context, entrance, token))
      : undefined;
  if (granted !== undefined) return granted;
  // Some clients first try the provider's URL with a token of a tenant: that is not a guess.
  if (token === undefined || isOf(token, entrance)) await throttle.failed();
  throw refused();
}

/** The first use: the user who registered the token presents a session and gets the API token, once. */
export async function handOut(
  context: GrantContext,
  entrance: Entrance,
  { assertion, id }: { readonly assertion: string; readonly id: ApiTokenId },
): Promise<Grants> {
  const { db, pool } = context.database;
  const tokenHash = hashOfToken(assertion);
  const throttle = throttleOf(context, entrance, tokenHash);
  await throttle.pass();
  const session = await findSession(pool, tokenHash);
  const granted =
    session !== undefined && session.api_token_id === null && isOf(session, entrance)
      ? await inTransaction(db, (tx) => handOutTo(tx, context, entrance, session, id))
      : undefined;
  if (granted !== undefined) return granted;
  await throttle.failed();
  throw refused();
}

async function handOutTo(
  tx: Transaction<Tables>,
  context: GrantContext,
  entrance: Entrance,
  { id: sessionId, user_id, organization_id, username, organization_name }: Session,
  id: ApiTokenId,
): Promise<Grants | undefined> {
  // First the user: a change of the password locks the user, then the tokens, and ends the session.
  if ((await holdCredentials(tx, user_id, undefined)) === undefined) return undefined;
  if ((await sessionAgeMs(tx, sessionId)) === undefined) return undefined;
  const refreshToken = randomBytes(32).toString('base64url');
  if (!(await handOutApiToken(tx, { id, user: user_id, tokenHash: hashOfToken(refreshToken) }))) return undefined;
  const token = { id, user_id, username, organization_id, organization_name };
  const granted = await exchange(tx, context, entrance, token);
  // Then it is not handed out, and can be requested again.
  if (granted === undefined) throw refused();
  return { ...granted, refreshToken };
}

/** Undefined if it was revoked or has expired, or its user was disabled, in the meantime. */
async function exchange(
  tx: Transaction<Tables>,
  { settings: { accessTokenMs } }: GrantContext,
  { door, visitor }: Entrance,
  { id, user_id, username, organization_id }: Omit<UsableToken, 'usable'>,
): Promise<Grants | undefined> {
  if ((await holdCredentials(tx, user_id, undefined)) === undefined) return undefined;
  const used = await markTokenUsed(tx, id);
  if (used === undefined) return undefined;
  // The session does not outlive the token.
  const lastsMs = Math.min(accessTokenMs, used.remaining_ms ?? accessTokenMs);
  const of = { user_id, organization_id, api_token_id: id, visitor };
  const accessToken = await beginSession(tx, of, { idleMs: lastsMs, lastsMs });
  await appendAuditEvent(tx, {
    organization_id,
    user_id,
    user_name: username,
    action: door === 'tenant' ? 'tokens.exchange' : 'tokens.exchangeProvider',
    entity_kind: 'token',
    entity_id: id,
    entity_name: username,
    outcome: 'success',
    request_id: visitor.requestId,
    client_address: visitor.address,
  });
  return { accessToken, lastsMs };
}

/**
 * A token cannot be guessed; but a client that repeats an invalid one is slowed down, without affecting others behind
 * the same address.
 */
function throttleOf({ database, settings }: GrantContext, { visitor }: Entrance, tokenHash: Buffer): Throttle {
  const named = ['token', createHash('sha256').update(tokenHash).digest('hex')];
  return new Throttle(database.db, { address: visitor.address, named }, settings.loginFailures);
}

function isOf(of: Pick<UsableToken, 'organization_id' | 'organization_name'>, entrance: Entrance): boolean {
  const { organization_id: organizationId, organization_name: organizationName } = of;
  return isHome({ organizationId, organizationName }, entrance.door, entrance.organization);
}

/** One answer for any invalid token. */
function refused(): ApiError {
  return new ApiError(
    'UNAUTHORIZED',
    'The token is not valid here: it does not exist, was revoked, has expired, was already handed out or belongs to another organization, or its user may not log in.',
  );
}
