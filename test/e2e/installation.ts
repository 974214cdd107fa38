/** What a run installs before it begins: missing definitions, and its own namespaces. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { checkDefinitions } from '../../packages/ssvirt/src/fleet/health/supervisor-checks.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import { labels } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { definitions, install } from '../fleet/definition.ts';
import { bindingManifests } from '../../packages/ssvirt/src/cli/cluster/bind-namespace.ts';
import { roleBindings } from '../../packages/ssvirt/src/fleet/identity/account.ts';
import { namespaces } from './kinds.ts';
import { runLabel, type Stage } from './stage.ts';
import { StoryError } from './wait.ts';

const folder = resolve(import.meta.dirname, '../../deploy/crds');

function ownDefinitions(run: string): readonly Unstructured[] {
  return globSync('*.yaml', { cwd: folder })
    .toSorted()
    .map((file) => parse(readFileSync(join(folder, file), 'utf8')) as Unstructured)
    .map((one) => ({ ...one, metadata: { ...one.metadata, labels: { ...one.metadata.labels, [runLabel]: run } } }));
}

/** Existing definitions stay unchanged, and have to be recent enough. */
export async function bringDefinitions(stage: Stage): Promise<void> {
  const missing: Unstructured[] = [];
  for (const one of ownDefinitions(stage.names.run))
    if ((await stage.find(definitions, { name: one.metadata.name ?? '' })) === undefined) missing.push(one);
  await install(stage.client, ...missing);
  const brought = missing.map(({ metadata }) => metadata.name);
  stage.journal.say(
    missing.length === 0 ? 'the definitions are there already' : `definitions are brought: ${brought.join(', ')}`,
  );
  const problems = (await checkDefinitions(stage.client, { signal: stage.signal })).filter(({ ok }) => !ok);
  if (problems.length > 0) throw new StoryError(problems.map(({ message }) => message).join('; '));
}

export async function makeNamespaces(stage: Stage): Promise<void> {
  const { run, system, machines, orders, tenant } = stage.names;
  const wanted: readonly (readonly [name: string, more: Readonly<Record<string, string>>])[] = [
    [system, {}],
    [machines, {}],
    [orders, {}],
    [tenant, { [labels.project]: orders }],
  ];
  for (const [name, more] of wanted)
    await stage.client.create(namespaces, { metadata: { name, labels: { [runLabel]: run, ...more } } });
  if (stage.options.accounts !== undefined) await bindNamespaces(stage);
  stage.journal.say(`namespaces are made: ${wanted.map(([name]) => name).join(', ')}`);
}

/**
 * What an administrator applies, from the output of `ssvirt order bind-namespace` and `ssvirt machine bind-namespace`.
 */
async function bindNamespaces({ client, names: { machines, orders, tenant } }: Stage): Promise<void> {
  const accountNamespace = 'ssvirt-system';
  const printed = [
    bindingManifests({ process: 'ssvirt-machine-operator', accountNamespace, namespaces: [machines] }),
    bindingManifests({ process: 'ssvirt-cloudkit-operator', accountNamespace, namespaces: [orders, tenant] }),
  ];
  for (const document of printed.flatMap((text) => parseAllDocuments(text)))
    await client.apply(roleBindings, document.toJS() as KubeObject, { fieldManager: 'administrator' });
}
