/** Ensures that there is always at least one administrator. */
import { sql, type Transaction } from 'kysely';

import { roleIds } from './roles.ts';
import type { Tables, UserId } from '../schema/schema.ts';

/**
 * Serializes everything that can remove an administrator. Two administrators who disable each other at the same moment
 * must not both succeed.
 */
export async function lockAdministrators(tx: Transaction<Tables>): Promise<void> {
  await sql`SELECT FROM roles WHERE id = ${roleIds.systemAdministrator} FOR NO KEY UPDATE`.execute(tx);
}

/** `hasOtherAdministrator` returns whether another administrator exists who may log in. */
export async function hasOtherAdministrator(tx: Transaction<Tables>, user: UserId): Promise<boolean> {
  const other = await tx
    .selectFrom('user_roles')
    .innerJoin('users', 'users.id', 'user_roles.user_id')
    .select('users.id')
    .where('user_roles.role_id', '=', roleIds.systemAdministrator)
    .where('users.id', '<>', user)
    .where(sql<boolean>`users.enabled AND NOT users.locked AND users.deleted_at IS NULL`)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
