/** Roles are fixed: five, the same in every installation. */
import type { Kysely } from 'kysely';
import { getRole, listRoles, type Role } from '../../../db/tenants/roles.ts';
import type { ListPage, ListRequest } from '../../../db/lists/contracts.ts';
import type { RoleId, Tables } from '../../../db/schema/schema.ts';
import { found } from '../../errors.ts';

export function rolesPage(db: Kysely<Tables>, asked: ListRequest): Promise<ListPage<Role>> {
  return listRoles(db, 'all', asked);
}

export async function role(db: Kysely<Tables>, id: RoleId): Promise<Role> {
  return found(await getRole(db, id));
}
