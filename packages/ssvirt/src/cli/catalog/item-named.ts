import type { Schemas } from '@ssvirt/api-client/client';
import type { ApiClient } from '../api/client.ts';
import { literal } from '../api/fiql.ts';
import { urnIn } from '../api/kind.ts';
import { catalogs, itemsOf } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { listOf } from '../api/pages.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

/** Resolves "CATALOG/ITEM", a name that only one catalog has, or a URN to the URN of the item. */
export async function itemNamed(client: ApiClient, text: string): Promise<string> {
  const urn = urnIn({ urn: 'catalogitem' }, text);
  if (urn !== undefined) return urn;
  const at = text.indexOf('/');
  if (at > 0) return (await itemIn(client, text.slice(0, at), text.slice(at + 1))).id;
  const found: Schemas['CatalogItem'][] = [];
  for (const { id } of await listOf(client, catalogs.list))
    found.push(...(await listOf(client, itemsOf(id).list, { filter: `name==${literal(text)}`, limit: 5 })));
  const [first, ...others] = found;
  if (first === undefined)
    throw new CliFailure(
      `no catalog has an item "${text}": see "ssvirt catalog list" and "ssvirt catalog item list CATALOG".`,
      exitCodes.notFound,
    );
  if (others.length === 0) return first.id;
  const names = found.map(({ catalog, name }) => `  ${catalog.name}/${name}`);
  throw new CliFailure(
    `several catalogs have an item "${text}": give one of these.\n${names.join('\n')}`,
    exitCodes.notFound,
  );
}

export async function itemIn(client: ApiClient, catalog: string, item: string): Promise<Schemas['CatalogItem']> {
  const { id } = await resolved(client, catalogs, catalog, { by: '--org' });
  return resolved(client, itemsOf(id), item);
}
