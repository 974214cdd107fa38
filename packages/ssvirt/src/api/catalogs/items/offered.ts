/** What the clusters offer, as items of a catalog with computed ids. */
import { offeredRows, type Offered } from '../../../db/catalogs/listed-items.ts';
import type { CatalogId, CatalogItemId } from '../../../db/schema/schema.ts';
import type { OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import type { CatalogSource } from '../catalogs/source.ts';
import { itemIdOf } from './item-id.ts';

export interface OfferedItems {
  readonly rows: Offered;
  readonly byId: ReadonlyMap<CatalogItemId, OfferedEntry>;
}

/** Digests of a thousand names take a millisecond or two: they are cached for the most recently used catalogs. */
const MOST_CATALOGS = 32;

export class OfferedIndex {
  readonly #source: CatalogSource;
  #of: readonly OfferedEntry[] = [];
  readonly #catalogs = new Map<CatalogId, OfferedItems>();

  constructor(source: CatalogSource) {
    this.#source = source;
  }

  of(catalog: CatalogId): OfferedItems {
    const entries = this.#source.entries();
    if (entries !== this.#of) {
      this.#of = entries;
      this.#catalogs.clear();
    }
    const known = this.#catalogs.get(catalog) ?? itemsOf(catalog, entries);
    this.#catalogs.delete(catalog);
    this.#catalogs.set(catalog, known);
    const [oldest] = this.#catalogs.keys();
    if (this.#catalogs.size > MOST_CATALOGS && oldest !== undefined) this.#catalogs.delete(oldest);
    return known;
  }
}

function itemsOf(catalog: CatalogId, entries: readonly OfferedEntry[]): OfferedItems {
  const byId = new Map(entries.map((offered) => [itemIdOf(catalog, offered.entry), offered]));
  const rows = [...byId].map(([id, { entry, offers }]) => ({
    id,
    name: entry.name,
    description: entry.description,
    clusters: offers.filter(({ available }) => available).map(({ cluster }) => cluster),
    source_kind: entry.kind,
    created_at: entry.createdAt ?? null,
  }));
  return { rows: offeredRows(rows), byId };
}
