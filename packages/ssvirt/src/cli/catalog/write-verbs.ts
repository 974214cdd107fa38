import type { Command } from 'commander';
import { catalogs, organizations } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { changesAsked } from '../verbs/changes-asked.ts';
import { defined } from '../verbs/vm-options.ts';
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
    catalog.command('create').description('create a catalog').argument('<NAME>', 'the name of the catalog'),
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
      .description('change a catalog; options that you leave out change nothing')
      .argument('<NAME>', 'name or URN')
      .option('--name <NEW>', 'the new name'),
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

/** Each pair has both flags, so that an absent flag leaves the value unchanged. */
function withFields(command: Command): Command {
  return command
    .option('--description <TEXT>', 'free text')
    .option('--publish', 'publish it to all organizations')
    .option('--no-publish', 'show it only to its own organization')
    .option('--templates', 'include what the clusters offer among its items')
    .option('--no-templates', 'include only its own items');
}

function fieldsOf({ description, publish, templates }: CatalogOptions): Readonly<Record<string, unknown>> {
  return defined({ description, isPublished: publish, includesTemplates: templates });
}
