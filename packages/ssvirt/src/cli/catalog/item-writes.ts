import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { asking, withServer } from '../api/asking.ts';
import { dataOf } from '../api/data-of.ts';
import { catalogs, itemsOf } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { ended, withExamples } from '../output/command.ts';
import { confirmDeletion, withYes } from '../output/confirm.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { note } from '../output/streams.ts';
import { changesAsked } from '../verbs/changes-asked.ts';
import { fileText } from '../verbs/vm-options.ts';
import { finishWriteVerb } from '../verbs/write-verb.ts';
import { itemNamed, withItem } from './item-named.ts';

export function addItemWrites(item: Command): void {
  const create = item
    .command('create')
    .description('create an item of the catalog itself')
    .argument('<CATALOG/ITEM>', 'the catalog, by name or URN, and the name of the item')
    .argument('[ITEM]', 'the name of the item, if the first argument is only its catalog')
    .requiredOption(
      '-f, --filename <FILE>',
      'YAML or JSON with its definition: image, dataSource or url, cpus and memoryMb or instancetype, and more; - for standard input',
    )
    .option('--description <TEXT>', 'free text');
  finishWriteVerb(create, {
    view: itemsOf('').view,
    examples: [
      'ssvirt catalog item create Images/fedora -f fedora.yaml',
      'ssvirt catalog item create Images/fedora -f - --description "Fedora on a container disk"',
    ],
    ask: async (client, [first = '', second]) => {
      const [catalog, name] = newItemOf(first, second);
      const { filename, description } = create.opts<{ readonly filename: string; readonly description?: string }>();
      const definition = definitionIn(filename);
      const { id: catalogId } = await resolved(client, catalogs, catalog, { by: '--org' });
      const body: Schemas['NewCatalogItem'] = { ...defined({ description }), name, definition };
      return dataOf(
        client.api.POST('/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems', { params: { path: { catalogId } }, body }),
      );
    },
  });

  const edit = withItem(
    item.command('edit').description('change an item of the catalog itself; options that you leave out change nothing'),
  )
    .option('--name <NEW>', 'the new name')
    .option('--description <TEXT>', 'free text')
    .option(
      '-f, --filename <FILE>',
      'YAML or JSON with a definition that replaces the present one; - for standard input',
    );
  finishWriteVerb(edit, {
    view: itemsOf('').view,
    examples: [
      'ssvirt catalog item edit Images/fedora --name fedora-42',
      'ssvirt catalog item edit Images/fedora -f fedora.yaml --description "with more memory"',
    ],
    ask: async (client, [text = '', inCatalog]) => {
      const { name, description, filename } = edit.opts<ItemChanges>();
      const definition = filename === undefined ? undefined : definitionIn(filename);
      const body: Schemas['CatalogItemChange'] = changesAsked(
        { name, description, definition },
        '--name, --description or --filename',
      );
      const { id: itemId, catalog } = await itemNamed(client, text, inCatalog);
      const path = { catalogId: catalog.id, itemId };
      return dataOf(
        client.api.PUT('/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems/{itemId}', { params: { path }, body }),
      );
    },
  });

  const remove = withYes(
    withItem(withServer(item.command('delete').description('delete an item of the catalog itself'))),
  );
  withExamples(remove, [
    'ssvirt catalog item delete Images/fedora',
    'ssvirt catalog item delete Images/old-fedora --org acme --yes',
  ]);
  remove.action((text: string, inCatalog?: string) =>
    ended(() =>
      asking(remove, async (client) => {
        const one = await itemNamed(client, text, inCatalog);
        await confirmDeletion(remove, `Delete the item ${one.catalog.name}/${one.name}?`);
        await itemsOf(one.catalog.id).delete(client.api, one, {});
        note(`${one.name}: deleted.`);
      }),
    ),
  );
}

interface ItemChanges {
  readonly name?: string;
  readonly description?: string;
  readonly filename?: string;
}

function newItemOf(first: string, second: string | undefined): readonly [catalog: string, name: string] {
  if (second !== undefined) return [first, second];
  const at = first.indexOf('/');
  if (at > 0) return [first.slice(0, at), first.slice(at + 1)];
  throw new CliFailure(`"${first}": write the new item as CATALOG/ITEM.`, exitCodes.usage);
}

/** The server checks it. */
function definitionIn(file: string): Schemas['NewCatalogItem']['definition'] {
  try {
    return parse(fileText(file)) as Schemas['NewCatalogItem']['definition'];
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw new CliFailure(`${file} is neither YAML nor JSON: ${(error as Error).message}`, exitCodes.usage);
  }
}
