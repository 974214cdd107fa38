/** What a request changes in a user, and who may change that. Pure functions. */
import { roleIds } from '../../../db/tenants/roles.ts';
import type { OrganizationId, RoleId } from '../../../db/schema/schema.ts';
import type { User } from '../../../db/tenants/users.ts';
import { hasRole, isSystemAdministrator, systemOrganization, type Caller } from '../../caller.ts';
import { ApiError, badRequest, conflict } from '../../errors.ts';

export interface UserSettings {
  readonly username?: string;
  readonly full_name?: string;
  readonly description?: string;
  readonly email?: string;
  readonly deployed_vm_quota?: number;
  readonly stored_vm_quota?: number;
  readonly enabled?: boolean;
  readonly locked?: boolean;
  readonly roles?: readonly RoleId[];
}

/** The names in the API. */
const names: Readonly<Record<keyof UserSettings, string>> = {
  username: 'username',
  full_name: 'fullName',
  description: 'description',
  email: 'email',
  deployed_vm_quota: 'deployedVmQuota',
  stored_vm_quota: 'storedVmQuota',
  enabled: 'enabled',
  locked: 'locked',
  roles: 'roleEntityRefs',
};

/** What all users may change in themselves, besides the password. */
const ownFields: ReadonlySet<keyof UserSettings> = new Set(['full_name', 'description', 'email']);

/** `changesOf` returns the fields that differ from the row: clients send back what they have read, and that changes nothing. */
export function changesOf(user: User, settings: UserSettings): UserSettings {
  const changed = Object.entries(settings).filter(([name, value]) =>
    name === 'roles'
      ? !isSameSet(value as readonly RoleId[], rolesOf(user))
      : value !== user[name as Exclude<keyof UserSettings, 'roles'>],
  );
  return Object.fromEntries(changed);
}

export function namesOf(changes: UserSettings): string[] {
  return Object.keys(changes).map((name) => names[name as keyof UserSettings]);
}

/** `endangersAdministrators` returns whether the change could leave fewer administrators. */
export function endangersAdministrators({ enabled, locked, roles }: UserSettings): boolean {
  return enabled !== undefined || locked !== undefined || roles !== undefined;
}

export function isAdministrator(user: User): boolean {
  return user.roles.some(({ id }) => id === roleIds.systemAdministrator);
}

/** `losesAdministrator` returns whether an administrator who can log in stops being one. */
export function losesAdministrator(user: User, changes: UserSettings): boolean {
  if (!isAdministrator(user) || !user.enabled || user.locked) return false;
  return (
    changes.enabled === false ||
    changes.locked === true ||
    (changes.roles !== undefined && !changes.roles.includes(roleIds.systemAdministrator))
  );
}

/** Old sessions must not become valid again when the user is enabled later. */
export function endsSessions({ enabled, locked }: UserSettings): boolean {
  return enabled === false || locked === true;
}

/** `requireMayChange` throws if the caller may not change this in that user. */
export function requireMayChange(caller: Caller, user: User, changes: UserSettings): void {
  requireMayTouch(caller, user);
  if (!hasRole(caller, 'System Administrator', 'Organization Administrator')) {
    const other = (Object.keys(changes) as (keyof UserSettings)[]).find((name) => !ownFields.has(name));
    if (other !== undefined)
      throw forbidden(`${names[other]}: only an administrator may change this; you may change ${own()}.`);
  }
  if (changes.roles !== undefined) {
    const had = rolesOf(user);
    const added = changes.roles.filter((role) => !had.includes(role));
    requireMayGrant(caller, user.organization_id, added);
  }
  if (user.id === caller.userId) requireHarmlessToOneself(user, changes);
}

function own(): string {
  return [...[...ownFields].map((name) => names[name]), 'password'].join(', ');
}

/**
 * An organization administrator of System is not a system administrator, and could become one by setting the password
 * of one.
 */
export function requireMayTouch(caller: Caller, user: User): void {
  if (isAdministrator(user) && !isSystemAdministrator(caller))
    throw forbidden('Only a system administrator may change or delete a system administrator.');
}

export function requireMayGrant(caller: Caller, organization: OrganizationId, roles: readonly RoleId[]): void {
  if (!roles.includes(roleIds.systemAdministrator)) return;
  if (!isSystemAdministrator(caller))
    throw forbidden('roleEntityRefs: only a system administrator may grant the role System Administrator.');
  if (organization !== systemOrganization)
    throw badRequest('roleEntityRefs: only users of the organization System can be system administrators.');
}

/** Prevents users from locking themselves out by mistake; another administrator can do it. */
function requireHarmlessToOneself(user: User, { enabled, locked, roles }: UserSettings): void {
  if (enabled === false) throw conflict('enabled: you cannot disable yourself; another administrator can.');
  if (locked === true) throw conflict('locked: you cannot lock yourself; another administrator can.');
  const lost =
    roles === undefined ? [] : rolesOf(user).filter((role) => administrative.has(role) && !roles.includes(role));
  if (lost.length > 0)
    throw conflict('roleEntityRefs: you cannot revoke your own administrator role; another administrator can.');
}

const administrative: ReadonlySet<RoleId> = new Set([roleIds.systemAdministrator, roleIds.organizationAdministrator]);

function rolesOf(user: User): readonly RoleId[] {
  return user.roles.map(({ id }) => id);
}

function isSameSet(a: readonly RoleId[], b: readonly RoleId[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}

function forbidden(message: string): ApiError {
  return new ApiError('ACCESS_TO_RESOURCE_IS_FORBIDDEN', message);
}
