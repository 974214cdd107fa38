import type { Command } from 'commander';
import { catalogs, organizations } from '../api/kinds.ts';
import { resolved } from '../api/names.ts';
import { changesAsked } from '../verbs/changes-asked.ts';
import { defined } from '../verbs/machine-options.ts';
import { named } from '../verbs/named.ts';
import { finishWriteVerb } from '../verbs/write-verb.ts';

interface CatalogOptions {
  readonly name?: string;
  readonly description?: string;
  readonly publish?: boolean;
  readonly templates?: boolean;
  readonly org?: string;
}

export function addCatalogWrites(catalog: Command): void {
  const create = withFields(
    catalog.command('create').description('make a catalog').argument('<NAME>', 'of the catalog'),
  );
  finishWriteVerb(create, {
    view: catalogs.view,
    examples: ['ssvirt catalog create Images --no-templates', 'ssvirt catalog create Shared --org acme --publish'],
    ask: async (client, [name = '']) => {
      const { org, ...options } = create.opts<CatalogOptions>();
      const orgId = org === undefined ? undefined : (await resolved(client, organizations, org)).id;
      return (await client.ask('POST', catalogs.path, { body: { ...fieldsOf(options), ...defined({ orgId }), name } }))
        .body;
    },
  });
  const edit = withFields(
    catalog
      .command('edit')
      .description('change a catalog; what is not named stays')
      .argument('<NAME>', 'its name or its URN')
      .option('--name <NEW>', 'another name'),
  );
  finishWriteVerb(edit, {
    view: catalogs.view,
    examples: ['ssvirt catalog edit Images --name Disks', 'ssvirt catalog edit Shared --no-publish'],
    ask: async (client, [name = '']) => {
      const options = edit.opts<CatalogOptions>();
      const body = changesAsked(
        { ...fieldsOf(options), name: options.name },
        '--name, --description, --publish or --templates',
      );
      const { id } = await named(client, catalogs, name, edit);
      return (await client.ask('PUT', `${catalogs.path}/${id}`, { body })).body;
    },
  });
}

/** Both of a pair stand here, so that what is not said stays as it is. */
function withFields(command: Command): Command {
  return command
    .option('--description <TEXT>', 'for people')
    .option('--publish', 'show it to all organizations')
    .option('--no-publish', 'show it to its own organization only')
    .option('--templates', 'have what the clusters offer among its items')
    .option('--no-templates', 'have its own items only');
}

function fieldsOf({ description, publish, templates }: CatalogOptions): Readonly<Record<string, unknown>> {
  return defined({ description, isPublished: publish, includesTemplates: templates });
}
