/** The roles by name; they are the same in every installation. */
import { roleIds } from '../../../db/tenants/roles.ts';
import type { RoleId } from '../../../db/schema/schema.ts';
import { roleNames, type RoleName } from '../../caller.ts';

export const roleIdOf: Readonly<Record<RoleName, RoleId>> = {
  'System Administrator': roleIds.systemAdministrator,
  'Organization Administrator': roleIds.organizationAdministrator,
  'vApp Author': roleIds.vappAuthor,
  'vApp User': roleIds.vappUser,
  'Read-only': roleIds.readOnly,
};

export function isRoleName(name: string): name is RoleName {
  return (roleNames as readonly string[]).includes(name);
}
