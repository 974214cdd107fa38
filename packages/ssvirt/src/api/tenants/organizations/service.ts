/** Organizations: the provider creates, changes and deletes them; tenants see their own. */
import type { Kysely } from 'kysely';
import type { ListPage, ListRequest } from '../../../db/lists/contracts.ts';
import { countInOrganizations, type OrganizationCounts } from '../../../db/tenants/organization-counts.ts';
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  lockOrganization,
  updateOrganization,
  vdcPlaces,
  type Organization,
} from '../../../db/tenants/organizations.ts';
import { requestReconciliation } from '../../../db/work-queue/reconciliations.ts';
import type { OrganizationId, Tables } from '../../../db/schema/schema.ts';
import { endSessionsOfOrganization } from '../../../db/tenants/sessions.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import { recordAudit } from '../../audit/record.ts';
import { systemOrganization, type Caller } from '../../caller.ts';
import { conflict, found } from '../../errors.ts';
import { checkOrganizationName } from './name.ts';

export interface ShownOrganization {
  readonly row: Organization;
  readonly counts: OrganizationCounts;
}

/** `OrganizationFields` holds the fields to set; absent ones stay. */
export type OrganizationFields = Partial<
  Pick<Organization, 'name' | 'display_name' | 'description' | 'enabled' | 'can_manage_orgs' | 'can_publish'>
>;

export async function organizationsPage(
  db: Kysely<Tables>,
  { scope }: Caller,
  asked: ListRequest,
): Promise<ListPage<ShownOrganization>> {
  const { rows, total } = await listOrganizations(db, scope, asked);
  return { rows: await counted(db, rows), total };
}

export async function organization(
  db: Kysely<Tables>,
  { scope }: Caller,
  id: OrganizationId,
): Promise<ShownOrganization> {
  return show(db, found(await getOrganization(db, scope, id)));
}

export function addOrganization(
  db: Kysely<Tables>,
  caller: Caller,
  fields: OrganizationFields & { readonly name: string },
): Promise<ShownOrganization> {
  checkOrganizationName(fields.name);
  return inTransaction(db, async (tx) => {
    const row = await createOrganization(tx, { display_name: fields.name, ...fields });
    await recordAudit(tx, caller, {
      action: 'organizations.create',
      entity: entityOf(row),
      organizationId: row.id,
      details: { fields: Object.keys(fields) },
    });
    return show(tx, row);
  });
}

export function changeOrganization(
  db: Kysely<Tables>,
  caller: Caller,
  id: OrganizationId,
  fields: OrganizationFields,
): Promise<ShownOrganization> {
  if (fields.name !== undefined) checkOrganizationName(fields.name);
  return inTransaction(db, async (tx) => {
    const before = found(await lockOrganization(tx, caller.scope, id));
    protectSystem(before, fields);
    const row = found(await updateOrganization(tx, id, fields));
    if (before.enabled && !row.enabled) await endSessionsOfOrganization(tx, id);
    // The namespaces of its virtual data centers carry its name.
    if (row.name !== before.name || row.display_name !== before.display_name)
      for (const place of await vdcPlaces(tx, id)) await requestReconciliation(tx, 'vdc', place.id, place.cluster);
    await recordAudit(tx, caller, {
      action: 'organizations.update',
      entity: entityOf(row),
      organizationId: id,
      details: { fields: changed(before, fields) },
    });
    return show(tx, row);
  });
}

export function removeOrganization(db: Kysely<Tables>, caller: Caller, id: OrganizationId): Promise<void> {
  return inTransaction(db, async (tx) => {
    const row = found(await lockOrganization(tx, caller.scope, id));
    if (id === systemOrganization) throw conflict('System is the organization of the provider and cannot be deleted.');
    const { counts } = await show(tx, row);
    const belongings = listed(counts);
    if (belongings !== '')
      throw conflict(`${row.name} cannot be deleted while it has ${belongings}; delete them first.`);
    await deleteOrganization(tx, id);
    await recordAudit(tx, caller, {
      action: 'organizations.delete',
      entity: entityOf(row),
      organizationId: id,
    });
  });
}

function protectSystem({ id, name, enabled }: Organization, fields: OrganizationFields): void {
  if (id !== systemOrganization) return;
  if ((fields.name ?? name) !== name)
    throw conflict('System is the organization of the provider and cannot be renamed.');
  if ((fields.enabled ?? enabled) !== enabled)
    throw conflict('System is the organization of the provider and cannot be disabled.');
}

function changed(before: Organization, fields: OrganizationFields): readonly string[] {
  return (Object.keys(fields) as (keyof OrganizationFields)[]).filter((field) => fields[field] !== before[field]);
}

/** "2 virtual data centers, 1 user", or empty. */
function listed({ vdcs, users, catalogs }: OrganizationCounts): string {
  const counts: readonly (readonly [number, string])[] = [
    [vdcs, 'virtual data center'],
    [users, 'user'],
    [catalogs, 'catalog'],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`)
    .join(', ');
}

function entityOf({ id, name }: Organization): { readonly kind: 'org'; readonly id: string; readonly name: string } {
  return { kind: 'org', id, name };
}

async function show(db: Kysely<Tables>, row: Organization): Promise<ShownOrganization> {
  const counts = await countInOrganizations(db, [row.id], systemOrganization);
  return { row, counts: counts(row.id) };
}

async function counted(db: Kysely<Tables>, rows: readonly Organization[]): Promise<readonly ShownOrganization[]> {
  const counts = await countInOrganizations(
    db,
    rows.map(({ id }) => id),
    systemOrganization,
  );
  return rows.map((row) => ({ row, counts: counts(row.id) }));
}
