/** Maps rows to bodies and back. */
import { defined } from '@ssvirt/base/values/defined';
import type { Static } from 'typebox';
import { roleIds } from '../../../db/tenants/roles.ts';
import type { RoleId } from '../../../db/schema/schema.ts';
import type { User } from '../../../db/tenants/users.ts';
import { badRequest } from '../../errors.ts';
import { idOf, urnOf } from '../../urn.ts';
import type { UserSettings } from './changes.ts';
import type { NewUser, UserBody, UserChange } from './schemas.ts';

export function renderUser(user: User): Static<typeof UserBody> {
  const organizationId = urnOf('org', user.organization_id);
  return {
    id: urnOf('user', user.id),
    username: user.username,
    fullName: user.full_name,
    description: user.description,
    email: user.email,
    deployedVmQuota: user.deployed_vm_quota,
    storedVmQuota: user.stored_vm_quota,
    nameInSource: user.username,
    enabled: user.enabled,
    isGroupRole: false,
    locked: user.locked,
    stranded: false,
    providerType: 'LOCAL',
    organizationId,
    organizationName: user.organization_name,
    roleEntityRefs: user.roles.map(({ id, name }) => ({ name, id: urnOf('role', id) })),
    orgEntityRef: { name: user.organization_name, id: organizationId },
    createdAt: user.created_at.toISOString(),
    updatedAt: user.updated_at.toISOString(),
  };
}

export function settingsOf(body: Static<typeof NewUser> | Static<typeof UserChange>): UserSettings {
  const { username, fullName, description, email, deployedVmQuota, storedVmQuota, enabled, roleEntityRefs } = body;
  return {
    ...defined({
      username,
      full_name: fullName,
      description,
      email,
      deployed_vm_quota: deployedVmQuota,
      stored_vm_quota: storedVmQuota,
      enabled,
    }),
    ...('locked' in body && body.locked !== undefined ? { locked: body.locked } : {}),
    ...(roleEntityRefs === undefined ? {} : { roles: rolesOf(roleEntityRefs) }),
  };
}

const known: ReadonlySet<RoleId> = new Set(Object.values(roleIds));

function rolesOf(refs: readonly { readonly id: string }[]): readonly RoleId[] {
  const ids = refs.map((ref, at) => idOf('role', ref.id, `roleEntityRefs.${at}.id`));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw badRequest(
      `roleEntityRefs: there is no role "${urnOf('role', unknown)}"; GET /cloudapi/1.0.0/roles lists the roles.`,
    );
  return [...new Set(ids)];
}
