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
import { fileText } from '../verbs/vm-options.ts';
import { finishWriteVerb } from '../verbs/write-verb.ts';

export function addItemWrites(item: Command): void {
  const create = item
    .command('create')
    .description('create an item of the catalog itself')
    .argument('<CATALOG>', 'the catalog: name or URN')
    .argument('<ITEM>', 'the name of the item')
    .requiredOption(
      '-f, --filename <FILE>',
      'YAML or JSON with its definition: image, dataSource or url, cpus and memoryMb or instancetype, and more; - for standard input',
    )
    .option('--description <TEXT>', 'free text');
  finishWriteVerb(create, {
    view: itemsOf('').view,
    examples: [
      'ssvirt catalog item create Images fedora -f fedora.yaml',
      'ssvirt catalog item create Images fedora -f - --description "Fedora on a container disk"',
    ],
    ask: async (client, [catalog = '', name = '']) => {
      const { filename, description } = create.opts<{ readonly filename: string; readonly description?: string }>();
      const definition = definitionIn(filename);
      const { id: catalogId } = await resolved(client, catalogs, catalog, { by: '--org' });
      const body: Schemas['NewCatalogItem'] = { ...defined({ description }), name, definition };
      return dataOf(
        client.api.POST('/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems', { params: { path: { catalogId } }, body }),
      );
    },
  });

  const remove = withYes(
    withServer(
      item
        .command('delete')
        .description('delete an item of the catalog itself')
        .argument('<CATALOG>', 'the catalog: name or URN')
        .argument('<ITEM>', 'the item: name or URN'),
    ),
  );
  withExamples(remove, [
    'ssvirt catalog item delete Images fedora',
    'ssvirt catalog item delete Images old-fedora --org acme',
  ]);
  remove.action((catalog: string, name: string) =>
    ended(() =>
      asking(remove, async (client) => {
        const { itemIn } = await import('./item-named.ts');
        const one = await itemIn(client, catalog, name);
        await confirmDeletion(remove, `Delete the item ${one.catalog.name}/${one.name}?`);
        await itemsOf(one.catalog.id).delete(client.api, one, {});
        note(`${one.name}: deleted.`);
      }),
    ),
  );
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
