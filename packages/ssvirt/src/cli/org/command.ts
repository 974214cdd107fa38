/** `ssvirt org …`: organizations. */
import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import type { Command } from 'commander';
import { dataOf } from '../api/data-of.ts';
import { organizations } from '../api/entity-kinds.ts';
import { changesAsked } from '../verbs/changes-asked.ts';
import { addDeleteVerb } from '../verbs/delete-verb.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';
import { named } from '../verbs/named.ts';
import { enabledOf, finishWriteVerb, withEnabled } from '../verbs/write-verb.ts';

export function registerOrgCommand(program: Command): void {
  const org = program
    .command('org')
    .description('organizations: list and show; create, change and delete as the provider');
  addListVerb(org, {
    description: 'list the organizations; tenants see only their own',
    examples: ['ssvirt org list', 'ssvirt org list --filter isEnabled==false -o wide'],
    easy: ['name'],
    kind: () => organizations,
  });
  addGetVerb(org, organizations, { examples: ['ssvirt org get acme', 'ssvirt org get acme -o yaml'] });
  const create = withFields(
    org.command('create').description('create an organization').argument('<NAME>', 'the name of the organization'),
  );
  finishWriteVerb(create, {
    view: organizations.view,
    examples: ['ssvirt org create acme --display-name "Acme Inc."', 'ssvirt org create acme --publish -o json'],
    ask: (client, [name = '']) => {
      const body: Schemas['NewOrganization'] = { ...fieldsOf(create), name };
      return dataOf(client.api.POST('/cloudapi/1.0.0/orgs', { body }));
    },
  });
  const edit = withFields(
    org
      .command('edit')
      .description('change an organization; options that you leave out change nothing')
      .argument('<NAME>', 'name or URN')
      .option('--name <NEW>', 'the new name; users log in with it'),
  );
  finishWriteVerb(edit, {
    view: organizations.view,
    examples: ['ssvirt org edit acme --disable', 'ssvirt org edit acme --display-name "Acme Corporation"'],
    ask: async (client, [name = '']) => {
      const { name: renamed } = edit.opts<{ readonly name?: string }>();
      const body: Schemas['OrganizationChange'] = changesAsked(
        { ...fieldsOf(edit), name: renamed },
        '--name, --display-name, --description, --enable, --disable or --publish',
      );
      const { id: orgId } = await named(client, organizations, name, edit);
      return dataOf(client.api.PUT('/cloudapi/1.0.0/orgs/{orgId}', { params: { path: { orgId } }, body }));
    },
  });
  addDeleteVerb(org, organizations, {
    description: 'delete organizations that have no virtual data centers, users or catalogs',
    examples: ['ssvirt org delete acme', 'ssvirt org delete acme globex'],
  });
}

function withFields(command: Command): Command {
  return withEnabled(
    command
      .option('--display-name <TEXT>', 'the display name')
      .option('--description <TEXT>', 'free text')
      .option('--publish', 'allow it to publish catalogs to other organizations')
      .option('--no-publish', 'do not allow it to publish catalogs'),
    'the organization; users of a disabled organization cannot log in',
  );
}

interface OrgOptions {
  readonly displayName?: string;
  readonly description?: string;
  readonly publish?: boolean;
}

function fieldsOf(
  command: Command,
): Pick<Schemas['OrganizationChange'], 'displayName' | 'description' | 'canPublish' | 'isEnabled'> {
  const { displayName, description, publish } = command.opts<OrgOptions>();
  return defined({ displayName, description, canPublish: publish, isEnabled: enabledOf(command) });
}
