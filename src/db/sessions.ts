/** Sessions are found by the hash of their token; the token itself is never stored. */
import { sql, type Kysely, type Selectable } from 'kysely';

import { fitting } from './duplicate.ts';
import type { ApiTokenId, SessionId, SessionTable, Tables, UserId } from './schema.ts';

export interface Session extends Omit<Selectable<SessionTable>, 'token_hash'> {
  readonly username: string;
  readonly organization_name: string;
  /** By name. */
  readonly roles: readonly string[];
}

export interface NewSession extends Pick<SessionTable, 'user_id' | 'organization_id' | 'token_hash' | 'expires_at'> {
  readonly lasts_until?: Date;
  readonly api_token_id?: ApiTokenId;
  readonly client_address?: string;
  readonly user_agent?: string;
}

export async function createSession(db: Kysely<Tables>, session: NewSession): Promise<SessionId> {
  const { id } = await fitting(db.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow());
  return id;
}

/**
 * The session of a request, with all that its authorisation asks. Undefined where it has ended or expired, and where its user or organisation is
 * disabled, locked or deleted: who disables a user need not know of sessions.
 */
export function findSession(db: Kysely<Tables>, tokenHash: Buffer): Promise<Session | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.organization_id',
      'sessions.client_address',
      'sessions.user_agent',
      'sessions.created_at',
      'sessions.last_used_at',
      'sessions.expires_at',
      'sessions.lasts_until',
      'sessions.api_token_id',
      'sessions.ended_at',
      'users.username',
      'organizations.name as organization_name',
    ])
    .select(
      sql<string[]>`ARRAY(
        SELECT r.name FROM user_roles u JOIN roles r ON r.id = u.role_id WHERE u.user_id = users.id ORDER BY r.name
      )`.as('roles'),
    )
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`users.enabled AND NOT users.locked AND users.deleted_at IS NULL`)
    .where(sql<boolean>`organizations.enabled AND organizations.deleted_at IS NULL`)
    .executeTakeFirst();
}

/** It was used now, and lives on until `expiresAt`. A session that is over stays so: false. */
export async function touchSession(db: Kysely<Tables>, id: SessionId, expiresAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ last_used_at: sql<Date>`now()`, expires_at: expiresAt })
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

/** All of a user, but the one in which the user has just changed the password, where that is given. */
export async function endSessionsOf(db: Kysely<Tables>, user: UserId, except?: SessionId): Promise<number> {
  const sessions = openSessions(db).where('user_id', '=', user);
  const { numUpdatedRows } = await (
    except === undefined ? sessions : sessions.where('id', '<>', except)
  ).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Those that expired get their end, from which on the retention counts. */
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
