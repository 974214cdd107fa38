/**
 * API tokens live longer than sessions and are exchanged for them. Like sessions, they are found by a hash; the token
 * itself is never stored.
 */
import { sql, type Kysely, type Selectable } from 'kysely';

import { fitting } from '../connection/duplicate.ts';
import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { apiTokenList } from '../lists/definitions.ts';
import { readList } from '../lists/read-list.ts';
import type { ApiTokenId, ApiTokenTable, OrganizationId, Tables, UserId } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';

export interface ApiToken extends Omit<Selectable<ApiTokenTable>, 'token_hash'> {
  readonly owner_name: string;
  readonly organization_name: string;
}

/** `TokensOf` limits a query to the tokens of one organization or of all, and to those of one user when `owner` is given. */
export interface TokensOf {
  readonly scope: Scope;
  readonly owner?: UserId | undefined;
}

/** `UsableToken` is a token that can be exchanged for a session, with what the exchange needs. */
export interface UsableToken {
  readonly id: ApiTokenId;
  readonly user_id: UserId;
  readonly username: string;
  readonly organization_id: OrganizationId;
  readonly organization_name: string;
  /** Neither revoked nor expired, and its user and organization may log in. */
  readonly usable: boolean;
}

/** The new row has no hash: the token is not handed out yet. */
export async function createApiToken(
  db: Kysely<Tables>,
  {
    lifetimeMs,
    ...token
  }: Pick<ApiTokenTable, 'user_id' | 'organization_id' | 'name'> & { readonly lifetimeMs?: number },
): Promise<Pick<ApiToken, 'id' | 'expires_at'>> {
  const expires_at =
    lifetimeMs === undefined ? null : sql<Date>`now() + ${lifetimeMs}::float8 * interval '1 millisecond'`;
  const insert = db.insertInto('api_tokens').values({ ...token, expires_at });
  return fitting(insert.returning(['id', 'expires_at']).executeTakeFirstOrThrow());
}

export function getApiToken(db: Kysely<Tables>, of: TokensOf, id: ApiTokenId): Promise<ApiToken | undefined> {
  return liveTokens(db, of).where('api_tokens.id', '=', id).executeTakeFirst();
}

export function listApiTokens(db: Kysely<Tables>, of: TokensOf, asked: ListRequest): Promise<ListPage<ApiToken>> {
  return readList(apiTokenList, liveTokens(db, of), asked);
}

/** `handOutApiToken` works once: resolves to false when the token was already handed out, belongs to another user, or is revoked. */
export async function handOutApiToken(
  db: Kysely<Tables>,
  { id, user, tokenHash }: { readonly id: ApiTokenId; readonly user: UserId; readonly tokenHash: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_tokens')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .where('user_id', '=', user)
    .where('token_hash', 'is', null)
    .where(isValid)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

const isValid = sql<boolean>`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))`;

export function findApiToken(db: Kysely<Tables>, tokenHash: Buffer): Promise<UsableToken | undefined> {
  return db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select([
      'api_tokens.id',
      'api_tokens.user_id',
      'users.username',
      'users.organization_id',
      'organizations.name as organization_name',
    ])
    .select(
      sql<boolean>`(
        api_tokens.revoked_at IS NULL AND (api_tokens.expires_at IS NULL OR api_tokens.expires_at > now())
        AND users.enabled AND NOT users.locked AND users.deleted_at IS NULL
        AND organizations.enabled AND organizations.deleted_at IS NULL
      )`.as('usable'),
    )
    .where('api_tokens.token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/**
 * Records that the token is used now; undefined when it was revoked or has expired in the meantime. A revocation waits
 * for this transaction and then ends the session that it creates.
 */
export function markTokenUsed(
  db: Kysely<Tables>,
  id: ApiTokenId,
): Promise<{ readonly remaining_ms: number | null } | undefined> {
  return db
    .updateTable('api_tokens')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isValid)
    .returning(sql<number | null>`(extract(epoch FROM expires_at - now()) * 1000)::float8`.as('remaining_ms'))
    .executeTakeFirst();
}

/** The caller must end the token's sessions. */
export async function revokeApiToken(db: Kysely<Tables>, id: ApiTokenId): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_tokens')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** `revokeApiTokensOf` revokes all tokens of a user, also those that were not handed out. The caller must end their sessions. */
export async function revokeApiTokensOf(db: Kysely<Tables>, user: UserId): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('api_tokens')
    .set({ revoked_at: sql<Date>`now()` })
    .where('user_id', '=', user)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Expired tokens are no longer listed, their names are free, and their retention counts from their end. */
export async function revokeExpiredTokens(db: Kysely<Tables>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('api_tokens')
    .set((row) => ({ revoked_at: row.ref('expires_at') }))
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** `dropUnclaimedTokens` deletes tokens that were created at least a day ago and never handed out. */
export async function dropUnclaimedTokens(db: Kysely<Tables>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('api_tokens')
    .where('token_hash', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function liveTokens(db: Kysely<Tables>, { scope, owner }: TokensOf) {
  const tokens = db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .innerJoin('organizations', 'organizations.id', 'api_tokens.organization_id')
    .select([
      'api_tokens.id',
      'api_tokens.user_id',
      'api_tokens.organization_id',
      'api_tokens.name',
      'api_tokens.created_at',
      'api_tokens.last_used_at',
      'api_tokens.expires_at',
      'api_tokens.revoked_at',
      'users.username as owner_name',
      'organizations.name as organization_name',
    ])
    .where('api_tokens.revoked_at', 'is', null)
    .where(inScope(scope, 'api_tokens.organization_id'));
  return owner === undefined ? tokens : tokens.where('api_tokens.user_id', '=', owner);
}
