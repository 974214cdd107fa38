import type { Schemas } from '@ssvirt/api-client/client';
import { defined, type Defined } from '@ssvirt/base/values/defined';
import type { Command } from 'commander';
import { dataOf } from '../api/data-of.ts';
import { catalogs, organizations } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { changesAsked } from '../verbs/changes-asked.ts';
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
      const body: Schemas['NewCatalog'] = { ...fieldsOf(options), ...defined({ orgId }), name };
      return dataOf(client.api.POST('/cloudapi/1.0.0/catalogs', { body }));
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
      const body: Schemas['CatalogChange'] = changesAsked(
        { ...fieldsOf(options), name: options.name },
        '--name, --description, --publish or --templates',
      );
      const { id: catalogId } = await named(client, catalogs, name, edit);
      return dataOf(client.api.PUT('/cloudapi/1.0.0/catalogs/{catalogId}', { params: { path: { catalogId } }, body }));
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

function fieldsOf({
  description,
  publish,
  templates,
}: CatalogOptions): Defined<Pick<Schemas['CatalogChange'], 'description' | 'isPublished' | 'includesTemplates'>> {
  return defined({ description, isPublished: publish, includesTemplates: templates });
}
