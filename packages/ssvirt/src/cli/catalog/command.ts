/** `ssvirt catalog …`: catalogs and their items. */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import { catalogs, itemsOf } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { say } from '../output/streams.ts';
import { addDeleteVerb } from '../verbs/delete-verb.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';
import { addCatalogWrites } from './write-verbs.ts';
import { itemNamed, withItem } from './item-named.ts';
import { addItemWrites } from './item-writes.ts';

export function registerCatalogCommand(program: Command): void {
  const catalog = program.command('catalog').description('catalogs of templates and images, and their items');
  addListVerb(catalog, {
    description: 'list the catalogs of your organization and the published catalogs of others',
    examples: ['ssvirt catalog list', 'ssvirt catalog list --name "T*" -o json'],
    easy: ['name'],
    kind: () => catalogs,
  });
  addGetVerb(catalog, catalogs, { examples: ['ssvirt catalog get Templates', 'ssvirt catalog get Templates -o yaml'] });
  addCatalogWrites(catalog);
  addDeleteVerb(catalog, catalogs, {
    description: 'delete catalogs that have no items of their own',
    examples: ['ssvirt catalog delete Old', 'ssvirt catalog delete Old Older --org acme'],
  });
  addItems(catalog);
}

function addItems(catalog: Command): void {
  const item = catalog.command('item').description('items of a catalog: list, get, create, change, delete');
  addListVerb(item, {
    description: 'list the items of a catalog',
    examples: ['ssvirt catalog item list Templates', 'ssvirt catalog item list Templates --name "fedora*" -o wide'],
    easy: ['name', 'status'],
    argument: ['<CATALOG>', 'the catalog: name or URN'],
    canWatch: false,
    kind: async (client, [name = '']) => itemsOf((await resolved(client, catalogs, name, { by: '--org' })).id),
  });
  const get = withItem(withServer(item.command('get').description('show an item of a catalog, with its parameters')));
  withExamples(withOutput(get), [
    'ssvirt catalog item get Templates/fedora-server-small',
    'ssvirt catalog item get fedora-server-small -o yaml',
  ]);
  get.action((text: string, inCatalog?: string) =>
    ended(() =>
      asking(get, async (client) => {
        const [{ itemPage }, { printOne }] = await Promise.all([
          import('./item-page.ts'),
          import('../output/print.ts'),
        ]);
        const one = await itemNamed(client, text, inCatalog);
        const format = outputOf(get);
        if (format === 'table') say(itemPage(one));
        else printOne(itemsOf(one.catalog.id).view, format, one);
      }),
    ),
  );
  addItemWrites(item);
}
