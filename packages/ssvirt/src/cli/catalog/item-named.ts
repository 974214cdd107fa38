/** Finds an item of a catalog as every command names it: CATALOG/ITEM, ITEM alone, a URN, or the two apart. */
import type { Schemas } from '@ssvirt/api-client/client';
import type { Command } from 'commander';
import type { ApiClient } from '../api/client.ts';
import { literal } from '../api/fiql.ts';
import { urnIn } from '../api/kind.ts';
import { catalogs, itemsOf } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { listOf } from '../api/pages.ts';
import { columns } from '../output/columns.ts';
import { exitCodes } from '../output/exit-code.ts';
import { Absent, CliFailure } from '../output/failure.ts';

type Item = Schemas['CatalogItem'];

/** More than one is ambiguous, and a few show how. */
const mostPerCatalog = 5;

export function withItem(command: Command): Command {
  return command
    .argument('<[CATALOG/]ITEM>', 'the item: its name, with the catalog if the name is ambiguous, or its URN')
    .argument('[ITEM]', 'the item, if the first argument is only its catalog');
}

export async function itemNamed(client: ApiClient, text: string, inCatalog?: string): Promise<Item> {
  if (inCatalog !== undefined) return itemIn(client, text, inCatalog);
  const urn = urnIn({ urn: 'catalogitem' }, text);
  const at = text.indexOf('/');
  if (urn === undefined && at > 0) return itemIn(client, text.slice(0, at), text.slice(at + 1));
  const filter = urn === undefined ? `name==${literal(text)}` : `id==${urn}`;
  const found: Item[] = [];
  for (const { id } of await listOf(client, catalogs.list))
    found.push(...(await listOf(client, itemsOf(id).list, { filter, limit: mostPerCatalog })));
  const [first, ...others] = found;
  if (first === undefined)
    throw new Absent(
      `no catalog has an item "${text}": see "ssvirt catalog list" and "ssvirt catalog item list CATALOG".`,
    );
  if (others.length === 0) return first;
  const rows = found.map(({ catalog, name, source, id }) => [`${catalog.name}/${name}`, source.kind, id]);
  throw new CliFailure(
    `several items have the name "${text}": give CATALOG/ITEM, or the URN.\n${columns(rows).join('\n')}`,
    exitCodes.notFound,
  );
}

async function itemIn(client: ApiClient, catalog: string, item: string): Promise<Item> {
  const { id } = await resolved(client, catalogs, catalog, { by: '--org' });
  return resolved(client, itemsOf(id), item);
}
