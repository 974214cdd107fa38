import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';

import { markDeleted, holdLive } from '../retention/deletion.ts';
import { fitting } from '../connection/duplicate.ts';
import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { userList } from '../lists/definitions.ts';
import { loggedList } from '../lists/read-list.ts';
import { readOne } from '../connection/read-one.ts';
import type { Role } from './roles.ts';
import type { ColumnChanges, New } from '../connection/rows.ts';
import type { OrganizationId, RoleId, Tables, UserId, UserTable } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { endSessionsOf } from './sessions.ts';
import { inTransaction } from '../connection/transaction.ts';

/** `User` is a user without the password hash, which only `findCredentials` reads. */
export interface User extends Omit<Selectable<UserTable>, 'password_hash'> {
  readonly organization_name: string;
  readonly roles: readonly Pick<Role, 'id' | 'name'>[];
}

export interface Credentials {
  readonly user_id: UserId;
  readonly organization_id: OrganizationId;
  readonly password_hash: string | null;
  /** The user and the organization are enabled, and the user is not locked. */
  readonly may_log_in: boolean;
}

type RolesOf = { readonly roles?: readonly RoleId[] };

export function createUser(db: Kysely<Tables>, { roles = [], ...user }: New<UserTable> & RolesOf): Promise<User> {
  return inTransaction(db, async (tx) => {
    await holdLive(tx, 'organizations', user.organization_id, ['users', 'organization_id']);
    const { id } = await fitting(tx.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow());
    await setRoles(tx, id, roles);
    return liveUsers(tx, 'all').where('users.id', '=', id).executeTakeFirstOrThrow();
  });
}

export const getUser = readOne((db, scope, id: UserId) => liveUsers(db, scope).where('users.id', '=', id));

const users = loggedList(userList, (db, scope) => liveUsers(db, scope));

export function listUsers(db: Kysely<Tables>, scope: Scope, asked: ListRequest): Promise<ListPage<User>> {
  return users(db, scope, {}, asked);
}

/**
 * Leaves the roles unchanged when none are given. It can also set a new password; the caller must then call
 * `endSessionsOf`.
 */
export function updateUser(
  db: Kysely<Tables>,
  id: UserId,
  { roles, ...change }: ColumnChanges<UserTable, 'organization_id'> & RolesOf,
): Promise<User | undefined> {
  return inTransaction(db, async (tx) => {
    const update = tx
      .updateTable('users')
      .set({ ...change, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('deleted_at', 'is', null);
    const { numUpdatedRows } = await fitting(update.executeTakeFirstOrThrow());
    if (numUpdatedRows === 0n) return undefined;
    if (roles !== undefined) await setRoles(tx, id, roles);
    return liveUsers(tx, 'all').where('users.id', '=', id).executeTakeFirst();
  });
}

/**
 * The names of the organization's other users. Until the transaction ends, no other transaction gets them: two names
 * that look alike cannot be written at the same moment.
 */
export async function lockUserNames(
  tx: Transaction<Tables>,
  organization: OrganizationId,
  except?: UserId,
): Promise<readonly string[]> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('usernames ' || ${organization}::text, 0))`.execute(tx);
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'username'])
    .where('organization_id', '=', organization)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.filter(({ id }) => id !== except).map(({ username }) => username);
}

/** Also ends the user's sessions. */
export function deleteUser(db: Kysely<Tables>, id: UserId): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await endSessionsOf(tx, id);
    return markDeleted(tx, 'users', id);
  });
}

/** For login only. */
export function findCredentials(
  db: Kysely<Tables>,
  organization: string,
  username: string,
): Promise<Credentials | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['users.id as user_id', 'users.organization_id', 'users.password_hash'])
    .select(sql<boolean>`users.enabled AND NOT users.locked AND organizations.enabled`.as('may_log_in'))
    .where(sql<boolean>`lower(organizations.name) = lower(${organization})`)
    .where(sql<boolean>`lower(users.username) = lower(${username})`)
    .where('organizations.deleted_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
}

async function setRoles(tx: Transaction<Tables>, user: UserId, roles: readonly RoleId[]): Promise<void> {
  await tx.deleteFrom('user_roles').where('user_id', '=', user).execute();
  if (roles.length === 0) return;
  const rows = [...new Set(roles)].map((role_id) => ({ user_id: user, role_id }));
  await fitting(tx.insertInto('user_roles').values(rows).execute());
}

function liveUsers(db: Kysely<Tables>, scope: Scope) {
  return (
    db
      .selectFrom('users')
      // Every user has an organization. It is a left join because PostgreSQL skips one of which no column is used, as
      // in a count.
      .leftJoin('organizations', 'organizations.id', 'users.organization_id')
      .select([
        'users.id',
        'users.organization_id',
        sql<string>`organizations.name`.as('organization_name'),
        'users.username',
        'users.full_name',
        'users.description',
        'users.email',
        'users.enabled',
        'users.locked',
        'users.provider_type',
        'users.deployed_vm_quota',
        'users.stored_vm_quota',
        'users.created_at',
        'users.updated_at',
        'users.deleted_at',
      ])
      .select(
        sql<User['roles']>`(
        SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) ORDER BY r.name), '[]')
        FROM user_roles u JOIN roles r ON r.id = u.role_id WHERE u.user_id = users.id
      )`.as('roles'),
      )
      .where('users.deleted_at', 'is', null)
      .where(inScope(scope, 'users.organization_id'))
  );
}
