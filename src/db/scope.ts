import { sql, type RawBuilder, type SqlBool } from 'kysely';

import type { OrganizationId } from './schema.ts';

/**
 * Whose rows: those of one organisation, or of all (a system administrator, a reconciler). Every read of a tenant's rows asks for it, so that
 * nobody forgets it; a foreign row and a missing one look the same.
 */
export type Scope = OrganizationId | 'all';

/** True where `column` (of an organisation's id) is in the scope. */
export function inScope(scope: Scope, column: string): RawBuilder<SqlBool> {
  return scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(column)} = ${scope}`;
}
