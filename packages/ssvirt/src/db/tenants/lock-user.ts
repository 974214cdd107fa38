import { sql, type Transaction } from 'kysely';

import type { Tables, UserId } from '../schema/schema.ts';
import type { Scope } from '../schema/scope.ts';
import { getUser, type User } from './users.ts';

/** `lockUser` returns the user, locked until the transaction ends: concurrent changes wait. */
export async function lockUser(tx: Transaction<Tables>, scope: Scope, id: UserId): Promise<User | undefined> {
  await sql`SELECT FROM users WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return getUser(tx, scope, id);
}
