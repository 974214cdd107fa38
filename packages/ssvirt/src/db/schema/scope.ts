import { sql, type RawBuilder, type SqlBool } from 'kysely';

import type { OrganizationId } from './schema.ts';

/**
 * The visibility scope: the rows of one organization, or of all (for a system administrator or a reconciler). Every
 * read of tenants' rows requires one, so it cannot be forgotten. A row outside the scope and a missing row look the
 * same.
 */
export type Scope = OrganizationId | 'all';

/** True when `column`, an organization's id, is in the scope. */
export function inScope(scope: Scope, column: string): RawBuilder<SqlBool> {
  return scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(column)} = ${scope}`;
}
