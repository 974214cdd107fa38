/** Catalogs: an organization sees its own and those that others publish, and changes its own. */
import type { Kysely } from 'kysely';
import {
  countItems,
  createCatalog,
  deleteCatalog,
  getCatalog,
  getCatalogHead,
  listCatalogs,
  updateCatalog,
  type Catalog,
  type CatalogHead,
} from '../../../db/catalogs/catalogs.ts';
import { InUse } from '../../../db/connection/duplicate.ts';
import type { ListPage, ListRequest } from '../../../db/lists/contracts.ts';
import { getOrganization } from '../../../db/tenants/organizations.ts';
import type { CatalogId, OrganizationId, Tables } from '../../../db/schema/schema.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import { recordAudit, type Deed } from '../../audit/record.ts';
import { organizationInScope, type Caller } from '../../caller.ts';
import { conflict, found } from '../../errors.ts';
import { requireManager, requirePublisher } from './access.ts';

/** `CatalogFields` holds the fields to set; absent ones stay, or get the default of the table. */
export type CatalogFields = Partial<Pick<Catalog, 'name' | 'description' | 'published' | 'includes_templates'>>;

export function catalogsPage(db: Kysely<Tables>, { scope }: Caller, asked: ListRequest): Promise<ListPage<Catalog>> {
  return listCatalogs(db, scope, asked);
}

export async function catalog(db: Kysely<Tables>, { scope }: Caller, id: CatalogId): Promise<Catalog> {
  return found(await getCatalog(db, scope, id));
}

export function addCatalog(
  db: Kysely<Tables>,
  caller: Caller,
  named: OrganizationId | undefined,
  fields: CatalogFields & { readonly name: string },
): Promise<Catalog> {
  const organization = organizationInScope(caller, named);
  return inTransaction(db, async (tx) => {
    const home = found(await getOrganization(tx, caller.scope, organization));
    if (fields.published === true) requirePublisher(caller, home);
    const made = await createCatalog(tx, { ...fields, organization_id: organization, owner_id: caller.userId });
    await recordAudit(tx, caller, deed('catalogs.create', made, { fields: Object.keys(fields) }));
    return made;
  });
}

export function changeCatalog(
  db: Kysely<Tables>,
  caller: Caller,
  id: CatalogId,
  fields: CatalogFields,
): Promise<Catalog> {
  return inTransaction(db, async (tx) => {
    const before = await managed(tx, caller, id);
    if (Object.keys(fields).length === 0) return catalog(tx, caller, id);
    if (fields.published === true && !before.published)
      requirePublisher(caller, found(await getOrganization(tx, caller.scope, before.organization_id)));
    const after = found(await updateCatalog(tx, id, fields));
    await recordAudit(tx, caller, deed('catalogs.update', after, { fields: Object.keys(fields) }));
    return after;
  });
}

/** Refused while it has items of its own; what clusters offer does not prevent it. */
export function removeCatalog(db: Kysely<Tables>, caller: Caller, id: CatalogId): Promise<void> {
  return inTransaction(db, async (tx) => {
    const before = await managed(tx, caller, id);
    try {
      found((await deleteCatalog(tx, id)) || undefined);
    } catch (error) {
      if (!(error instanceof InUse)) throw error;
      const count = await countItems(tx, id);
      throw conflict(
        `The catalog "${before.name}" cannot be deleted while it contains ${count === 1 ? 'one item' : `${count} items`} of its own; delete them first.`,
      );
    }
    await recordAudit(tx, caller, deed('catalogs.delete', before));
  });
}

/** `catalogHead` returns the columns that its items are shown with. */
export async function catalogHead(db: Kysely<Tables>, { scope }: Caller, id: CatalogId): Promise<CatalogHead> {
  return found(await getCatalogHead(db, scope, id));
}

/** A catalog that the caller may change, items included. */
export async function managed(db: Kysely<Tables>, caller: Caller, id: CatalogId): Promise<CatalogHead> {
  const row = await catalogHead(db, caller, id);
  requireManager(caller, row);
  return row;
}

function deed(action: Deed['action'], { id, name, organization_id }: CatalogHead, details: Deed['details'] = {}): Deed {
  return { action, entity: { kind: 'catalog', id, name }, organizationId: organization_id, details };
}
