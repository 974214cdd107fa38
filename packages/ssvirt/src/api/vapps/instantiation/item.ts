/**
 * Finds the item to instantiate by its listed id. If the caller does not see its catalog, the answer is that of a
 * missing item.
 */
import { yieldToEventLoop } from '@ssvirt/base/async/yield';
import type { Kysely } from 'kysely';
import { getCatalogItem } from '../../../db/catalogs/catalog-items.ts';
import { catalogsWithTemplates } from '../../../db/catalogs/catalogs.ts';
import type { CatalogItemId, Tables } from '../../../db/schema/schema.ts';
import type { OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import type { Caller } from '../../caller.ts';
import type { DefinitionInput } from '../../catalogs/items/definition-schema.ts';
import type { OfferedIndex } from '../../catalogs/items/offered.ts';
import { found, noAccess } from '../../errors.ts';

export type FoundItem =
  | { readonly name: string; readonly definition: DefinitionInput; readonly offered?: never }
  | { readonly name: string; readonly offered: OfferedEntry; readonly definition?: never };

export async function findItem(
  db: Kysely<Tables>,
  index: OfferedIndex,
  { scope }: Caller,
  id: CatalogItemId,
): Promise<FoundItem> {
  // Ids of items that clusters offer have version 5, those of rows are random.
  if (!isComputed(id)) {
    const { name, definition } = found(await getCatalogItem(db, scope, id));
    return { name, definition };
  }
  for (const catalog of await catalogsWithTemplates(db, scope)) {
    const offered = index.of(catalog).byId.get(id);
    if (offered !== undefined) return { name: offered.entry.name, offered };
    // With very many catalogs whose offers are not computed yet, this would block the event loop.
    await yieldToEventLoop();
  }
  throw noAccess();
}

function isComputed(id: string): boolean {
  return id.charAt(14) === '5';
}
