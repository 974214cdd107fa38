import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';

import { deleteUnused } from '../retention/deletion.ts';
import { fitting } from '../connection/duplicate.ts';
import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { organizationList } from '../lists/definitions.ts';
import { loggedList } from '../lists/read-list.ts';
import type { ColumnChanges, New } from '../connection/rows.ts';
import type { OrganizationId, OrganizationTable, Tables, VdcId } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { inTransaction } from '../connection/transaction.ts';

export type Organization = Selectable<OrganizationTable>;

export function createOrganization(db: Kysely<Tables>, organization: New<OrganizationTable>): Promise<Organization> {
  return fitting(db.insertInto('organizations').values(organization).returningAll().executeTakeFirstOrThrow());
}

export function getOrganization(
  db: Kysely<Tables>,
  scope: Scope,
  id: OrganizationId,
): Promise<Organization | undefined> {
  return liveOrganizations(db, scope).where('id', '=', id).executeTakeFirst();
}

export function findOrganization(db: Kysely<Tables>, name: string): Promise<Organization | undefined> {
  return liveOrganizations(db, 'all')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst();
}

const pages = loggedList(organizationList, liveOrganizations);

export function listOrganizations(
  db: Kysely<Tables>,
  scope: Scope,
  asked: ListRequest,
): Promise<ListPage<Organization>> {
  return pages(db, scope, {}, asked);
}

/** `lockOrganization` locks the row until the end of the transaction: creating a user, a catalog or a VDC in the organization waits. */
export function lockOrganization(
  tx: Transaction<Tables>,
  scope: Scope,
  id: OrganizationId,
): Promise<Organization | undefined> {
  return liveOrganizations(tx, scope).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export function updateOrganization(
  db: Kysely<Tables>,
  id: OrganizationId,
  change: ColumnChanges<OrganizationTable>,
): Promise<Organization | undefined> {
  return fitting(
    db
      .updateTable('organizations')
      .set({ ...change, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst(),
  );
}

/**
 * The organization's VDCs and their clusters, always ordered by id: callers lock what belongs to them in this order.
 */
export function vdcPlaces(
  db: Kysely<Tables>,
  id: OrganizationId,
): Promise<{ readonly id: VdcId; readonly cluster: string }[]> {
  return db
    .selectFrom('vdcs')
    .select(['id', 'cluster'])
    .where('organization_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** `deleteOrganization` rejects with `InUse` while VDCs, catalogs or users belong to it. */
export function deleteOrganization(db: Kysely<Tables>, id: OrganizationId): Promise<boolean> {
  return inTransaction(db, (tx) => deleteUnused(tx, 'organizations', id));
}

function liveOrganizations(db: Kysely<Tables>, scope: Scope) {
  return db
    .selectFrom('organizations')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where(inScope(scope, 'organizations.id'));
}
