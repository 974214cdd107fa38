import type { Kysely, Selectable } from 'kysely';

import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { roleList } from '../lists/definitions.ts';
import { readList } from '../lists/read-list.ts';
import type { RoleId, RoleTable, Tables } from '../schema/schema.ts';
import type { Scope } from '../schema/scope.ts';

export type Role = Selectable<RoleTable>;

/** `roleIds` are the ids that the first migration creates: the same in every installation. */
export const roleIds = {
  systemAdministrator: '00000000-0000-4000-8000-000000000001' as RoleId,
  organizationAdministrator: '00000000-0000-4000-8000-000000000002' as RoleId,
  vappAuthor: '00000000-0000-4000-8000-000000000003' as RoleId,
  vappUser: '00000000-0000-4000-8000-000000000004' as RoleId,
  readOnly: '00000000-0000-4000-8000-000000000005' as RoleId,
} as const;

/** `listRoles` returns the same roles in every scope. */
export function listRoles(db: Kysely<Tables>, _scope: Scope, asked: ListRequest): Promise<ListPage<Role>> {
  return readList(roleList, db.selectFrom('roles').selectAll(), asked);
}

export function getRole(db: Kysely<Tables>, id: RoleId): Promise<Role | undefined> {
  return db.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirst();
}

/** `hasHolder` returns whether a live user has the role. The first administrator is created only when there is none. */
export async function hasHolder(db: Kysely<Tables>, role: RoleId): Promise<boolean> {
  const holder = await db
    .selectFrom('user_roles')
    .innerJoin('users', 'users.id', 'user_roles.user_id')
    .select('users.id')
    .where('user_roles.role_id', '=', role)
    .where('users.deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return holder !== undefined;
}
