/** The caller of a request, from the session. Services decide by it and know nothing of HTTP. */
import { noAccess } from './errors.ts';
import type { ApiTokenId, OrganizationId, SessionId, UserId } from '../db/schema/schema.ts';
import type { Scope } from '../db/schema/scope.ts';

export const roleNames = [
  'System Administrator',
  'Organization Administrator',
  'vApp Author',
  'vApp User',
  'Read-only',
] as const;

export type RoleName = (typeof roleNames)[number];

/** `systemOrganization` is the organization of the provider; only its users can be system administrators. */
export const systemOrganization = 'a93c9db9-7471-3192-8d09-a8f7eeda85f9' as OrganizationId;

export interface Caller {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly userName: string;
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly roles: readonly RoleName[];
  /**
   * Whose rows the caller sees: those of the own organization, or all for a system administrator who has selected no
   * tenant.
   */
  readonly scope: Scope;
  /** Set if the session came from an API token and not from a password. */
  readonly apiTokenId?: ApiTokenId;
  /** For the audit. */
  readonly requestId: string;
  readonly clientAddress: string;
}

export function hasRole({ roles }: Pick<Caller, 'roles'>, ...any: readonly RoleName[]): boolean {
  return any.some((role) => roles.includes(role));
}

export function isSystemAdministrator(caller: Pick<Caller, 'roles'>): boolean {
  return hasRole(caller, 'System Administrator');
}

/** `organizationInScope` returns the organization that a request names, which must be in the caller's scope; the caller's own if it names none. */
export function organizationInScope(
  { scope, organizationId }: Caller,
  named: OrganizationId | undefined,
): OrganizationId {
  const asked = named ?? (scope === 'all' ? organizationId : scope);
  if (scope !== 'all' && scope !== asked) throw noAccess();
  return asked;
}
