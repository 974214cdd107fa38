/**
 * Removes from the cluster what a run has created, whether or not its processes still run: it removes the finalizers of
 * objects that only their operator would release, then namespaces with their contents, and last the definitions that
 * the run installed, unless others use them by now.
 */
import type { Client } from '../../packages/kube/src/client/client.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { labels as vdcLabels } from '../../packages/ssvirt/src/kubevirt/vdc/labels.ts';
import { definitions } from '../fleet/definition.ts';
import type { Journal } from './journal.ts';
import { machines, namespaces, orders, part, text } from './kinds.ts';
import { runLabel } from './stage.ts';
import { waitUntil } from './wait.ts';

export interface Removal {
  readonly client: Client;
  readonly journal: Journal;
  readonly deadlineMs: number;
  /** Ends the waiting, not the requests. */
  readonly signal: AbortSignal;
}

/** The names of the runs that have left objects. */
export async function runsLeft(client: Client): Promise<readonly string[]> {
  const all = [
    ...(await list(client, namespaces, { labelSelector: runLabel })),
    ...(await list(client, definitions, { labelSelector: runLabel })),
  ];
  return [...new Set(all.map(({ metadata }) => metadata.labels?.[runLabel] ?? ''))];
}

/** What could not be removed, each as a command to type. Never rejects. */
export async function removeRun(run: string, removal: Removal): Promise<readonly string[]> {
  const left: string[] = [];
  const attempt = async (command: string, act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      left.push(`${command}   # ${(error as Error).message}`);
    }
  };
  await attempt(`kubectl delete namespaces -l ${runLabel}=${run}`, () => removeNamespaces(run, removal));
  await attempt(`kubectl delete customresourcedefinitions -l ${runLabel}=${run}`, () =>
    removeDefinitions(run, removal),
  );
  return left;
}

async function removeNamespaces(run: string, removal: Removal): Promise<void> {
  const { client, journal } = removal;
  const own = await list(client, namespaces, { labelSelector: `${runLabel}=${run}` });
  const vdcs = await list(client, namespaces, { labelSelector: `${vdcLabels.organization}=${run}` });
  const all = [...own, ...vdcs].map(({ metadata }) => metadata.name ?? '');
  if (all.length === 0) return;
  for (const namespace of all) for (const type of [machines, orders]) await letGo(client, type, namespace);
  for (const name of all) await client.delete(namespaces, { name });
  await waitUntil(
    'the namespaces are gone',
    async () => {
      const left = (await Promise.all(all.map((name) => stillThere(client, namespaces, name)))).flat();
      return left.length === 0
        ? { seen: 'the namespaces are gone', found: true }
        : { seen: `namespaces that end: ${left.map(({ metadata }) => metadata.name).join(', ')}` };
    },
    removal,
  );
  journal.say(`removed: namespaces ${all.join(', ')}`);
}

/** No process is left to remove the finalizers. What they guard goes with the namespace. */
async function letGo(client: Client, type: ResourceType, namespace: string): Promise<void> {
  for (const { metadata } of await list(client, type, { namespace }))
    await client
      .patch(
        type,
        { namespace, name: metadata.name ?? '' },
        { type: 'merge', body: { metadata: { finalizers: null } } },
      )
      .catch(unlessGone);
}

async function removeDefinitions(run: string, removal: Removal): Promise<void> {
  const { client, journal } = removal;
  const brought = await list(client, definitions, { labelSelector: `${runLabel}=${run}` });
  for (const definition of brought) {
    const name = definition.metadata.name ?? '';
    const users = await list(client, served(definition), {});
    if (users.length > 0)
      throw new Error(`"${name}" is kept: there are ${users.length} objects of it that are not of this run`);
    await client.delete(definitions, { name });
    await waitUntil(
      `the definition ${name} is gone`,
      async () => {
        const [there] = await stillThere(client, definitions, name);
        return there === undefined ? { seen: `${name} is gone`, found: true } : { seen: `${name} is still there` };
      },
      removal,
    );
  }
  if (brought.length > 0) journal.say('removed: the definitions that were brought');
}

function served(definition: Unstructured): ResourceType {
  const { group, names, scope, versions } = part(definition, 'spec');
  const [first] = versions as readonly { readonly name: string }[];
  const { kind, plural } = part(names);
  return {
    group: text(group),
    version: first?.name ?? '',
    kind: text(kind),
    plural: text(plural),
    namespaced: scope === 'Namespaced',
  };
}

async function stillThere(client: Client, type: ResourceType, name: string): Promise<readonly Unstructured[]> {
  return list(client, type, { fieldSelector: `metadata.name=${name}` });
}

/** Empty if the kind is not served. */
async function list(
  client: Client,
  type: ResourceType,
  which: { readonly labelSelector?: string; readonly fieldSelector?: string; readonly namespace?: string },
): Promise<readonly Unstructured[]> {
  try {
    return (await client.list(type, which)).items;
  } catch (error) {
    unlessGone(error);
    return [];
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
