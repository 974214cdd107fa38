/** Roles are fixed: five, the same in every installation. */
import type { Kysely } from 'kysely';
import { getRole, listRoles, type Role } from '../../db/roles.ts';
import type { ListPage, ListRequest } from '../../db/lists/contracts.ts';
import type { RoleId, Tables } from '../../db/schema.ts';
import { found } from '../errors.ts';

export async function rolesPage(db: Kysely<Tables>, asked: ListRequest): Promise<ListPage<Role>> {
  const all = await listRoles(db);
  const from = (asked.page - 1) * asked.pageSize;
  return { rows: all.slice(from, from + asked.pageSize), total: all.length };
}

export async function role(db: Kysely<Tables>, id: RoleId): Promise<Role> {
  return found(await getRole(db, id));
}
