/**
 * Items of a catalog: its own, which are rows, and those that the clusters offer, which are looked up. Only its own can
 * be changed.
 */
import type { UrlFilter } from '@ssvirt/base/net/url-filter';
import type { Kysely } from 'kysely';
import {
  createCatalogItem,
  deleteCatalogItem,
  getCatalogItem,
  listCatalogItems,
  updateCatalogItem,
  type CatalogItem,
} from '../../../db/catalogs/catalog-items.ts';
import { raiseCatalogVersion, type CatalogHead } from '../../../db/catalogs/catalogs.ts';
import { listItemsAndOffers, usableClusters, type UsableClusters } from '../../../db/catalogs/listed-items.ts';
import type { ListPage, ListRequest } from '../../../db/lists/contracts.ts';
import type { CatalogId, CatalogItemId, Tables } from '../../../db/schema/schema.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import type { OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import { recordAudit, type Deed } from '../../audit/record.ts';
import type { Caller } from '../../caller.ts';
import { requireImportable } from '../boot-sources/checks.ts';
import { refused } from '../catalogs/access.ts';
import { catalogHead, managed } from '../catalogs/service.ts';
import type { CatalogSource } from '../catalogs/source.ts';
import { found, noAccess } from '../../errors.ts';
import { checkDefinition } from './definition.ts';
import type { DefinitionInput } from './definition-schema.ts';
import { OfferedIndex, type OfferedItems } from './offered.ts';
import type { StoredItem } from './render.ts';

export type Item =
  | { readonly stored: StoredItem; readonly offered?: never }
  | { readonly offered: OfferedEntry; readonly id: CatalogItemId; readonly stored?: never };

export interface InCatalog<T> {
  readonly catalog: CatalogHead;
  readonly value: T;
}

export interface ItemFields {
  readonly name?: string;
  readonly description?: string;
  readonly definition?: DefinitionInput;
}

export class CatalogItems {
  readonly #db: Kysely<Tables>;
  readonly #source: CatalogSource;
  readonly #images: UrlFilter;
  readonly #offered: OfferedIndex;

  constructor(db: Kysely<Tables>, source: CatalogSource, images: UrlFilter) {
    this.#db = db;
    this.#source = source;
    this.#images = images;
    this.#offered = new OfferedIndex(source);
  }

  usable(caller: Caller): Promise<UsableClusters> {
    return usableClusters(this.#db, caller.scope);
  }

  async page(
    caller: Caller,
    id: CatalogId,
    asked: ListRequest,
    usable: UsableClusters,
  ): Promise<InCatalog<ListPage<Item>>> {
    const catalog = await catalogHead(this.#db, caller, id);
    const offered = this.#offeredIn(catalog);
    if (offered === undefined || offered.byId.size === 0) {
      const { rows, total } = await listCatalogItems(this.#db, caller.scope, id, asked);
      return { catalog, value: { rows: rows.map((stored) => ({ stored })), total } };
    }
    const { rows, total } = await listItemsAndOffers(
      this.#db,
      caller.scope,
      { catalog: id, offered: offered.rows, usable },
      asked,
    );
    const items = rows.map((row): Item => {
      if (row.stored !== undefined) return { stored: row.stored };
      // Ids that were not passed in never come back.
      return { offered: found(offered.byId.get(row.id)), id: row.id };
    });
    return { catalog, value: { rows: items, total } };
  }

  async get(caller: Caller, catalogId: CatalogId, id: CatalogItemId): Promise<InCatalog<Item>> {
    const catalog = await catalogHead(this.#db, caller, catalogId);
    const offered = this.#offeredIn(catalog)?.byId.get(id);
    if (offered !== undefined) return { catalog, value: { offered, id } };
    const stored = await getCatalogItem(this.#db, caller.scope, id);
    if (stored?.catalog_id !== catalogId) throw noAccess();
    return { catalog, value: { stored } };
  }

  async add(
    caller: Caller,
    catalogId: CatalogId,
    {
      name,
      description = '',
      definition,
    }: ItemFields & { readonly name: string; readonly definition: DefinitionInput },
  ): Promise<InCatalog<Item>> {
    await this.#check(definition);
    return inTransaction(this.#db, async (tx) => {
      await managed(tx, caller, catalogId);
      const catalog = await nextVersion(tx, catalogId);
      const stored = await createCatalogItem(tx, { catalog_id: catalogId, name, description, definition });
      await recordAudit(tx, caller, deed('catalogItems.create', catalog, stored));
      return { catalog, value: { stored } };
    });
  }

  async change(caller: Caller, catalogId: CatalogId, id: CatalogItemId, fields: ItemFields): Promise<InCatalog<Item>> {
    if (fields.definition !== undefined) await this.#check(fields.definition);
    return inTransaction(this.#db, async (tx) => {
      await this.#own(tx, caller, catalogId, id);
      const catalog = await nextVersion(tx, catalogId);
      const stored = found(await updateCatalogItem(tx, id, fields));
      await recordAudit(tx, caller, deed('catalogItems.update', catalog, stored, { fields: Object.keys(fields) }));
      return { catalog, value: { stored } };
    });
  }

  remove(caller: Caller, catalogId: CatalogId, id: CatalogItemId): Promise<void> {
    return inTransaction(this.#db, async (tx) => {
      const before = await this.#own(tx, caller, catalogId, id);
      const catalog = await nextVersion(tx, catalogId);
      if (!(await deleteCatalogItem(tx, id))) throw noAccess();
      await recordAudit(tx, caller, deed('catalogItems.delete', catalog, before));
    });
  }

  async #check(definition: DefinitionInput): Promise<void> {
    checkDefinition(definition, this.#source);
    await requireImportable(this.#images, 'definition.url', definition.url);
  }

  #offeredIn({ id, includes_templates }: CatalogHead): OfferedItems | undefined {
    return includes_templates ? this.#offered.of(id) : undefined;
  }

  /** An item of the catalog itself, for a caller who may change the catalog. */
  async #own(db: Kysely<Tables>, caller: Caller, catalogId: CatalogId, id: CatalogItemId): Promise<CatalogItem> {
    const catalog = await managed(db, caller, catalogId);
    const offered = this.#offeredIn(catalog)?.byId.get(id);
    if (offered !== undefined)
      throw refused(
        `The item "${offered.entry.name}" is a ${offered.entry.kind} of the clusters and cannot be changed here; change it in the cluster, or set includesTemplates of the catalog to false.`,
      );
    const stored = await getCatalogItem(db, caller.scope, id);
    if (stored?.catalog_id !== catalogId) throw noAccess();
    return stored;
  }
}

/**
 * Runs before the items are written. Otherwise two transactions that hold a read lock on the catalog's row and then
 * both raise its version would deadlock.
 */
async function nextVersion(db: Kysely<Tables>, id: CatalogId): Promise<CatalogHead> {
  return found(await raiseCatalogVersion(db, id));
}

function deed(
  action: Deed['action'],
  catalog: CatalogHead,
  { id, name }: CatalogItem,
  details: Deed['details'] = {},
): Deed {
  return {
    action,
    entity: { kind: 'catalogitem', id, name },
    organizationId: catalog.organization_id,
    details: { ...details, catalog: catalog.name },
  };
}
