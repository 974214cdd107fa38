/** Password hashes, for the code that compares or replaces them. No other code reads them. */
import { sql, type Kysely, type Transaction } from 'kysely';

import type { OrganizationId, Tables, UserId } from '../schema/schema.ts';

export interface Held {
  readonly username: string;
  readonly organization_name: string;
}

/**
 * Locks a user who may log in and still has the compared hash until the transaction ends; undefined when that has
 * changed in the meantime. A change of the password, or disabling the user or the organization, waits for this and then
 * ends the session that was just created.
 */
export function holdCredentials(
  tx: Transaction<Tables>,
  user: UserId,
  passwordHash: string | undefined,
): Promise<Held | undefined> {
  const held = tx
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['users.username', 'organizations.name as organization_name'])
    .where('users.id', '=', user)
    .where(sql<boolean>`users.enabled AND NOT users.locked AND users.deleted_at IS NULL`)
    .where(sql<boolean>`organizations.enabled AND organizations.deleted_at IS NULL`)
    .forNoKeyUpdate(['users'])
    .forShare(['organizations']);
  return (passwordHash === undefined ? held : held.where('users.password_hash', '=', passwordHash)).executeTakeFirst();
}

export async function passwordHashOf(db: Kysely<Tables>, user: UserId): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', user)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.password_hash;
}

/** `renewPasswordHash` stores a new hash of the same password; `holdCredentials` ensured that it is the same. */
export async function renewPasswordHash(tx: Transaction<Tables>, user: UserId, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user).execute();
}

/** For the audit record of a failed login. */
export async function organizationNamed(db: Kysely<Tables>, name: string): Promise<OrganizationId | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.id;
}
