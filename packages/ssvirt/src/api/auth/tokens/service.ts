/** Existing API tokens: users see and revoke their own, administrators those of their organization. */
import { defined } from '@ssvirt/base/values/defined';
import type { Kysely } from 'kysely';
import {
  createApiToken,
  getApiToken,
  listApiTokens,
  revokeApiToken,
  type ApiToken,
  type TokensOf,
} from '../../../db/tenants/api-tokens.ts';
import type { ListPage, ListRequest } from '../../../db/lists/contracts.ts';
import type { ApiTokenId, Tables } from '../../../db/schema/schema.ts';
import { endSessionsOfToken, sessionAgeMs } from '../../../db/tenants/sessions.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import { recordAudit } from '../../audit/record.ts';
import { hasRole, systemOrganization, type Caller } from '../../caller.ts';
import { ApiError, found, noAccess } from '../../errors.ts';
import type { Door } from '../sessions/log-in.ts';

export interface RegisteredToken {
  readonly id: ApiTokenId;
  readonly expiresAt: Date | null;
}

export interface TokenRequest {
  readonly door: Door;
  /** From the path. */
  readonly organization: string;
  readonly name: string;
  readonly lifetimeMs?: number;
}

/** An unattended session is not enough: the token may outlive it by far. */
const recentMs = 5 * 60_000;

/** `registerToken` registers a token by name; it is handed out later. */
export async function registerToken(
  db: Kysely<Tables>,
  caller: Caller,
  { door, organization, name, lifetimeMs }: TokenRequest,
): Promise<RegisteredToken> {
  if (!isHome(caller, door, organization)) throw noAccess();
  // A stolen token must not create others that outlive it.
  if (caller.apiTokenId !== undefined)
    throw new ApiError(
      'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
      'A session from an API token cannot create API tokens; log in with a password.',
    );
  return inTransaction(db, async (tx) => {
    await requireRecentLogIn(tx, caller);
    const owner = { user_id: caller.userId, organization_id: caller.organizationId };
    const { id, expires_at } = await createApiToken(tx, { ...owner, name, ...defined({ lifetimeMs }) });
    const action = door === 'tenant' ? 'tokens.register' : 'tokens.registerProvider';
    await recordAudit(tx, caller, {
      action,
      entity: { kind: 'token', id, name },
      details: { expiresAt: expires_at?.toISOString() ?? null },
    });
    return { id, expiresAt: expires_at };
  });
}

async function requireRecentLogIn(db: Kysely<Tables>, { sessionId }: Caller): Promise<void> {
  const ageMs = await sessionAgeMs(db, sessionId);
  if (ageMs !== undefined && ageMs < recentMs) return;
  const began = ageMs === undefined ? 'has ended' : `began ${Math.floor(ageMs / 60_000)} minutes ago`;
  throw new ApiError(
    'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
    `API tokens are registered within ${recentMs / 60_000} minutes of a log-in, and this session ${began}; log in again with the password, and register the token in the new session.`,
  );
}

export function tokensPage(db: Kysely<Tables>, caller: Caller, asked: ListRequest): Promise<ListPage<ApiToken>> {
  return listApiTokens(db, seenBy(caller), asked);
}

export async function tokenFor(db: Kysely<Tables>, caller: Caller, id: ApiTokenId): Promise<ApiToken> {
  return found(await getApiToken(db, seenBy(caller), id));
}

/** The sessions that it was exchanged for end with it. */
export function revokeToken(db: Kysely<Tables>, caller: Caller, id: ApiTokenId): Promise<void> {
  return inTransaction(db, async (tx) => {
    const token = found(await getApiToken(tx, seenBy(caller), id));
    if (!(await revokeApiToken(tx, id))) throw noAccess();
    await endSessionsOfToken(tx, id);
    await recordAudit(tx, caller, {
      action: 'tokens.revoke',
      entity: { kind: 'token', id, name: token.name },
      organizationId: token.organization_id,
    });
  });
}

/** Tenants have their tokens under the name of their organization, the provider under none. */
export function isHome(
  of: Pick<Caller, 'organizationId' | 'organizationName'>,
  door: Door,
  organization: string,
): boolean {
  const isProvider = of.organizationId === systemOrganization;
  if (door === 'provider') return isProvider;
  return !isProvider && of.organizationName.toLowerCase() === organization.toLowerCase();
}

function seenBy(caller: Caller): TokensOf {
  // Tokens of the provider's organization mostly belong to system administrators, who rank above its organization
  // administrators.
  const isTenants = caller.organizationId !== systemOrganization;
  const isAdministrator =
    hasRole(caller, 'System Administrator') || (isTenants && hasRole(caller, 'Organization Administrator'));
  return isAdministrator ? { scope: caller.scope } : { scope: caller.organizationId, owner: caller.userId };
}
