/**
 * Which visible catalogs a caller may change. An invisible catalog was answered like a missing one before this code
 * runs.
 */
import type { CatalogHead } from '../../../db/catalogs/catalogs.ts';
import { hasRole, isSystemAdministrator, type Caller } from '../../caller.ts';
import { ApiError } from '../../errors.ts';

/** `requireManager` throws if the caller may only read it. */
export function requireManager(caller: Caller, catalog: CatalogHead): void {
  const { scope, userId } = caller;
  if (scope !== 'all' && catalog.organization_id !== scope)
    throw refused(`The catalog "${catalog.name}" is published by another organization and is read-only here.`);
  if (isSystemAdministrator(caller) || hasRole(caller, 'Organization Administrator')) return;
  if (catalog.owner_id !== userId)
    throw refused(
      `The catalog "${catalog.name}" belongs to another user, and a vApp Author can change only their own catalogs; ask its owner or an Organization Administrator.`,
    );
}

/** `requirePublisher` throws if the organization may not publish catalogs. */
export function requirePublisher(
  caller: Caller,
  organization: { readonly name: string; readonly can_publish: boolean },
): void {
  if (organization.can_publish || isSystemAdministrator(caller)) return;
  throw refused(
    `isPublished: the organization "${organization.name}" may not publish catalogs; ask a system administrator to allow it (canPublish).`,
  );
}

export function refused(message: string): ApiError {
  return new ApiError('ACCESS_TO_RESOURCE_IS_FORBIDDEN', message);
}
