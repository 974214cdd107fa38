/** Users: administrators manage those of their organization; all users manage their own name, email and password. */
import { defined } from '@ssvirt/base/values/defined';
import type { Kysely } from 'kysely';
import { hasOtherAdministrator, lockAdministrators } from '../../../db/tenants/administrators.ts';
import { revokeApiTokensOf } from '../../../db/tenants/api-tokens.ts';
import { Missing } from '../../../db/connection/duplicate.ts';
import { lockUser } from '../../../db/tenants/lock-user.ts';
import type { ListPage, ListRequest } from '../../../db/lists/contracts.ts';
import type { OrganizationId, Tables, UserId } from '../../../db/schema/schema.ts';
import { endSessionsOf } from '../../../db/tenants/sessions.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import {
  createUser,
  deleteUser,
  getUser,
  listUsers,
  lockUserNames,
  updateUser,
  type User,
} from '../../../db/tenants/users.ts';
import { recordAudit, type Deed } from '../../audit/record.ts';
import { hasRole, organizationInScope, type Caller } from '../../caller.ts';
import { ApiError, badRequest, conflict, found, noAccess } from '../../errors.ts';
import { requireGoodPassword } from '../../auth/passwords/rules.ts';
import {
  changesOf,
  endangersAdministrators,
  endsSessions,
  isAdministrator,
  losesAdministrator,
  namesOf,
  requireMayChange,
  requireMayGrant,
  requireMayTouch,
  type UserSettings,
} from './changes.ts';
import { lookAlike } from './look-alikes.ts';
import { requireOwnPassword, type PasswordContext } from './own-password.ts';

export interface PasswordChange {
  readonly password?: string | undefined;
  readonly currentPassword?: string | undefined;
  /** With a new password. Otherwise it revokes the user's API tokens. */
  readonly keepApiTokens?: boolean | undefined;
}

export function usersPage(db: Kysely<Tables>, { scope }: Caller, asked: ListRequest): Promise<ListPage<User>> {
  return listUsers(db, scope, asked);
}

/** Administrators see the users of their organization, others only themselves. */
export async function userFor(db: Kysely<Tables>, caller: Caller, id: UserId): Promise<User> {
  return found(await getUser(db, scopeOf(caller, id), id));
}

export async function makeUser(
  context: PasswordContext,
  caller: Caller,
  user: UserSettings & {
    readonly username: string;
    readonly organizationId?: OrganizationId | undefined;
    readonly password?: string | undefined;
  },
): Promise<User> {
  const { organizationId, password, ...settings } = user;
  const organization_id = organizationInScope(caller, organizationId);
  requireMayGrant(caller, organization_id, settings.roles ?? []);
  const password_hash = await hashOf(context, password, settings.username);
  return inTransaction(context.db, async (tx) => {
    requireOwnLook(settings.username, await lockUserNames(tx, organization_id));
    const made = await createUser(tx, { ...settings, organization_id, password_hash: password_hash ?? null }).catch(
      (error: unknown) => {
        throw error instanceof Missing && error.column === 'organization_id'
          ? badRequest('organizationId: the organization does not exist; check the id.')
          : error;
      },
    );
    await recordAudit(tx, caller, {
      ...deedOn(made, 'users.create'),
      details: { roles: made.roles.map(({ name }) => name) },
    });
    return made;
  });
}

export async function changeUser(
  context: PasswordContext,
  caller: Caller,
  id: UserId,
  { password, currentPassword, keepApiTokens, ...settings }: UserSettings & PasswordChange,
): Promise<User> {
  const password_hash = await newPassword(context, caller, id, {
    password,
    currentPassword,
    keepApiTokens,
    username: settings.username,
  });
  return inTransaction(context.db, async (tx) => {
    if (endangersAdministrators(settings)) await lockAdministrators(tx);
    const user = found(await lockUser(tx, scopeOf(caller, id), id));
    const changes = changesOf(user, settings);
    requireMayChange(caller, user, changes);
    if (losesAdministrator(user, changes) && !(await hasOtherAdministrator(tx, id))) throw lastAdministrator(user);
    const changed = [...namesOf(changes), ...(password_hash === undefined ? [] : ['password'])];
    if (changed.length === 0) return user;
    if (changes.username !== undefined)
      requireOwnLook(changes.username, await lockUserNames(tx, user.organization_id, id));
    const now = found(await updateUser(tx, id, { ...changes, ...defined({ password_hash }) }));
    const revokes = changes.enabled === false || (password_hash !== undefined && keepApiTokens !== true);
    const revokedTokens = revokes ? await revokeApiTokensOf(tx, id) : 0;
    if (endsSessions(changes)) await endSessionsOf(tx, id);
    // The session of the change stays valid: its user has just given the old password. It ends if its token does.
    else if (password_hash !== undefined) {
      const isLeft = id === caller.userId && (caller.apiTokenId === undefined || !revokes);
      await endSessionsOf(tx, id, isLeft ? caller.sessionId : undefined);
    }
    const details = { changed, ...(revokedTokens === 0 ? {} : { revokedTokens }) };
    await recordAudit(tx, caller, { ...deedOn(now, 'users.update'), details });
    return now;
  });
}

export async function removeUser(db: Kysely<Tables>, caller: Caller, id: UserId): Promise<void> {
  if (id === caller.userId) throw conflict('You cannot delete yourself; another administrator can.');
  await inTransaction(db, async (tx) => {
    await lockAdministrators(tx);
    const user = found(await lockUser(tx, caller.scope, id));
    requireMayTouch(caller, user);
    if (isAdministrator(user) && !(await hasOtherAdministrator(tx, id))) throw lastAdministrator(user);
    await revokeApiTokensOf(tx, id);
    await deleteUser(tx, id);
    await recordAudit(tx, caller, deedOn(user, 'users.delete'));
  });
}

/** The organization whose users the caller reaches; every user reaches themselves. */
function scopeOf(caller: Caller, id: UserId): Caller['scope'] {
  if (id === caller.userId) return caller.organizationId;
  if (!hasRole(caller, 'System Administrator', 'Organization Administrator')) throw noAccess();
  return caller.scope;
}

/** Checked and hashed before the transaction: it is slow, and would hold locks. */
async function newPassword(
  context: PasswordContext,
  caller: Caller,
  id: UserId,
  { password, currentPassword, keepApiTokens, username }: PasswordChange & { readonly username: string | undefined },
): Promise<string | undefined> {
  if (currentPassword !== undefined && (password === undefined || id !== caller.userId))
    throw badRequest('currentPassword: is used only to change your own password; leave it out.');
  if (keepApiTokens !== undefined && password === undefined)
    throw badRequest('keepApiTokens: is used only with a new password; leave it out.');
  if (password === undefined) return undefined;
  const user = await userFor(context.db, caller, id);
  requireMayTouch(caller, user);
  requireGoodPassword(password, username ?? user.username);
  if (id === caller.userId) await requireOwnPassword(context, caller, currentPassword);
  return hashOf(context, password, username ?? user.username);
}

async function hashOf(
  { passwords }: PasswordContext,
  password: string | undefined,
  username: string,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  requireGoodPassword(password, username);
  return passwords.hash(password);
}

/** The same name in another case is left to the database, which knows it as taken. */
function requireOwnLook(username: string, others: readonly string[]): void {
  if (others.some((other) => other.toLowerCase() === username.toLowerCase())) return;
  const other = lookAlike(username, others);
  if (other !== undefined)
    throw new ApiError(
      'DUPLICATE_NAME',
      `username: "${username}" looks like "${other}", another user of the organization; choose another username.`,
    );
}

function lastAdministrator(user: User): Error {
  return conflict(`${user.username} is the last system administrator who can log in; create another one first.`);
}

function deedOn(user: User, action: Deed['action']): Deed {
  return {
    action,
    entity: { kind: 'user', id: user.id, name: user.username },
    organizationId: user.organization_id,
  };
}
