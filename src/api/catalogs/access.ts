/** Who may change a catalog that they see. What they do not see answers as what is not there, before anybody comes here. */
import type { CatalogHead } from '../../db/catalogs.ts';
import { hasRole, isSystemAdministrator, type Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';

/** Throws where the caller may only read it. */
export function requireManager(caller: Caller, catalog: CatalogHead): void {
  const { scope, userId } = caller;
  if (scope !== 'all' && catalog.organization_id !== scope)
    throw refused(`The catalog "${catalog.name}" is published by another organization: here it can only be read.`);
  if (isSystemAdministrator(caller) || hasRole(caller, 'Organization Administrator')) return;
  if (catalog.owner_id !== userId)
    throw refused(
      `The catalog "${catalog.name}" belongs to somebody else: a vApp Author changes catalogs of their own; ask its owner, or an Organization Administrator.`,
    );
}

/** Throws where the organisation may not show its catalogs to all others. */
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
