/** Sessions are found by the hash of their token; the token itself is never stored. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Pool } from 'pg';

import { fitting } from '../connection/duplicate.ts';
import type { ApiTokenId, OrganizationId, SessionId, SessionTable, Tables, UserId } from '../schema/schema.ts';

export interface Session extends Omit<Selectable<SessionTable>, 'token_hash' | 'last_used_at' | 'ended_at'> {
  readonly username: string;
  readonly organization_name: string;
  /** Role names. */
  readonly roles: readonly string[];
  /** How long ago its last use was recorded. */
  readonly unused_ms: number;
}

export interface NewSession extends Pick<SessionTable, 'user_id' | 'organization_id' | 'token_hash' | 'expires_at'> {
  readonly lasts_until?: Date;
  readonly api_token_id?: ApiTokenId;
  readonly client_address?: string;
  readonly user_agent?: string;
}

export interface OpenedSession extends Omit<NewSession, 'expires_at' | 'lasts_until'> {
  readonly idleMs: number;
  readonly lastsMs: number;
}

export async function createSession(db: Kysely<Tables>, session: NewSession): Promise<SessionId> {
  const { id } = await fitting(db.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow());
  return id;
}

/** `openSession` creates a session that ends after `idleMs` without use, and in any case after `lastsMs`, by PostgreSQL's clock. */
export async function openSession(
  db: Kysely<Tables>,
  { idleMs, lastsMs, ...session }: OpenedSession,
): Promise<Pick<Session, 'id' | 'created_at'>> {
  const inMs = (ms: number) => sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`;
  return fitting(
    db
      .insertInto('sessions')
      .values({ ...session, expires_at: inMs(Math.min(idleMs, lastsMs)), lasts_until: inMs(lastsMs) })
      .returning(['id', 'created_at'])
      .executeTakeFirstOrThrow(),
  );
}

/**
 * Live sessions, with everything that authorizing a request needs. A session is not live when it has ended or expired,
 * or when its user or organization is disabled, locked or deleted; so disabling a user does not have to touch sessions.
 * Each request runs this, so it is prepared once per connection.
 */
const liveSessions = `
  SELECT s.id, s.user_id, s.organization_id, s.client_address, s.user_agent, s.created_at, s.expires_at, s.lasts_until, s.api_token_id,
    extract(epoch FROM now() - s.last_used_at)::float8 * 1000 AS unused_ms,
    u.username, o.name AS organization_name,
    ARRAY(SELECT r.name FROM user_roles ur JOIN roles r ON r.id = ur.role_id WHERE ur.user_id = u.id ORDER BY r.name) AS roles
  FROM sessions s JOIN users u ON u.id = s.user_id JOIN organizations o ON o.id = u.organization_id
  WHERE s.ended_at IS NULL AND s.expires_at > now()
    AND u.enabled AND NOT u.locked AND u.deleted_at IS NULL AND o.enabled AND o.deleted_at IS NULL`;

/**
 * LIMIT makes PostgreSQL look up each session by its index. In a plain join, a plan that was made when there were few
 * sessions would scan many. The inner SELECT hides from the planner how many there are: see `forEach` in
 * ../connection/read-one.ts.
 */
const byToken = {
  name: 'ssvirt_sessions_by_token',
  text: `SELECT given.hash, found.* FROM unnest((SELECT $1::text[])) AS given (hash)
    JOIN LATERAL (${liveSessions} AND s.token_hash = decode(given.hash, 'hex') LIMIT 1) found ON true`,
};
const ofUser = { name: 'ssvirt_session_of_user', text: `${liveSessions} AND s.id = $1 AND s.user_id = $2` };

const stillLive = { name: 'ssvirt_live_sessions', text: `${liveSessions} AND s.id = ANY ($1::uuid[])` };

/** The live sessions among `ids`, with their users' role names. This does not count as a use. */
export async function liveAmong(
  pool: Pool,
  ids: readonly SessionId[],
): Promise<ReadonlyMap<SessionId, readonly string[]>> {
  const { rows } = await pool.query<Session>({ ...stillLive, values: [ids] });
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}

/** `findSession` returns the session of a token's hash. */
export async function findSession(pool: Pool, tokenHash: Buffer): Promise<Session | undefined> {
  const key = tokenHash.toString('hex');
  return (await findSessions(pool, [key])).get(key);
}

/** `findSessions` returns the sessions of several requests in one statement. The hashes are hexadecimal and are the keys of the result. */
export async function findSessions(pool: Pool, tokenHashes: readonly string[]): Promise<ReadonlyMap<string, Session>> {
  const { rows } = await pool.query<Session & { readonly hash: string }>({ ...byToken, values: [tokenHashes] });
  return new Map(rows.map(({ hash, ...session }) => [hash, session]));
}

/** `getSession` returns a session by id, if it belongs to that user. */
export async function getSession(pool: Pool, user: UserId, id: SessionId): Promise<Session | undefined> {
  const { rows } = await pool.query<Session>({ ...ofUser, values: [id, user] });
  return rows[0];
}

/** By PostgreSQL's clock; undefined when the session has ended. */
export async function sessionAgeMs(db: Kysely<Tables>, id: SessionId): Promise<number | undefined> {
  const session = await db
    .selectFrom('sessions')
    .select(sql<number>`(extract(epoch FROM now() - created_at) * 1000)::float8`.as('ms'))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return session?.ms;
}

/**
 * Records a use: the session lives for another `idleMs`, but not beyond `lasts_until`. Resolves to false when the
 * session is over, and leaves it so.
 */
export async function touchSession(db: Kysely<Tables>, id: SessionId, idleMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({
      last_used_at: sql<Date>`now()`,
      // A session with a fixed life that is longer than the idle time keeps it.
      expires_at: sql<Date>`greatest(expires_at, least(lasts_until, now() + ${idleMs}::float8 * interval '1 millisecond'))`,
    })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function endSession(db: Kysely<Tables>, id: SessionId): Promise<boolean> {
  const { numUpdatedRows } = await openSessions(db).where('id', '=', id).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** `endSessionsOf` ends all sessions of a user, except the one in which the user has just changed the password, if given. */
export async function endSessionsOf(db: Kysely<Tables>, user: UserId, except?: SessionId): Promise<number> {
  const sessions = openSessions(db).where('user_id', '=', user);
  const { numUpdatedRows } = await (
    except === undefined ? sessions : sessions.where('id', '<>', except)
  ).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** The sessions do not come back when the organization is enabled again. */
export async function endSessionsOfOrganization(db: Kysely<Tables>, organization: OrganizationId): Promise<number> {
  const { numUpdatedRows } = await openSessions(db)
    .where('organization_id', '=', organization)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** `endSessionsOfToken` ends all sessions that came from an API token. */
export async function endSessionsOfToken(db: Kysely<Tables>, token: ApiTokenId): Promise<number> {
  const { numUpdatedRows } = await openSessions(db).where('api_token_id', '=', token).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** `endExpiredSessions` sets the end of expired sessions, from which their retention counts. */
export async function endExpiredSessions(db: Kysely<Tables>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set((row) => ({ ended_at: row.ref('expires_at') }))
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

function openSessions(db: Kysely<Tables>) {
  return db
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()` })
    .where('ended_at', 'is', null);
}
