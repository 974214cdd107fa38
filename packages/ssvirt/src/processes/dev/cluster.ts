/** Prepares the simulated clusters: our kinds and namespaces, and a KubevirtConfig for each further cluster. */
import { defined } from '@ssvirt/base/values/defined';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Client } from '@ssvirt/kube/client/client';
import { createClient } from '@ssvirt/kube/client/create';
import { isNotFound } from '@ssvirt/kube/errors';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import { loadKubeconfig } from '@ssvirt/kube/kubeconfig/load';
import type { Unstructured } from '@ssvirt/kube/object';
import { annotations } from '../../kubevirt/machine/resource.ts';
import { labels } from '../../kubevirt/order/resource.ts';
import { kubeconfigOf } from './clusters.ts';

const definitions = resolve(import.meta.dirname, '../../../../../deploy/crds');
/** The namespace of the KubevirtConfigs. This and the namespace of the Leases are the defaults of the settings. */
const configsNamespace = 'kubevirt-configs';
/** `ordersNamespace` is a namespace for orders, and a tenant namespace bound to it, so that a person can create orders there. */
export const ordersNamespace = 'orders';
export const tenantNamespace: Unstructured = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'tenant-a', labels: { [labels.project]: ordersNamespace } },
};
const namespaces = ['ssvirt-system', configsNamespace, ordersNamespace];
const servedMs = 30_000;

/**
 * The first cluster is the one that ssvirt runs in: processes use its context as the current one. They find the others
 * through KubevirtConfigs.
 */
export async function prepareClusters(kubeconfig: string, [supervisor, ...others]: readonly string[]): Promise<void> {
  await inCluster(kubeconfig, supervisor, [
    ...globSync('*.yaml', { cwd: definitions })
      .toSorted()
      .map((file) => parse(readFileSync(join(definitions, file), 'utf8')) as Unstructured),
    ...namespaces.map((name): Unstructured => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    tenantNamespace,
    ...others.flatMap((name) => configOf(kubeconfig, name)),
  ]);
  await Promise.all(others.map((name) => inCluster(kubeconfig, name, [openNamespace])));
}

async function inCluster(path: string, context: string | undefined, objects: readonly Unstructured[]): Promise<void> {
  await withClient(path, context, async (client) => {
    for (const object of objects) await apply(client, object);
  });
}

export async function withClient(
  path: string,
  context: string | undefined,
  act: (client: Client) => Promise<void>,
): Promise<void> {
  const source = await loadKubeconfig({ path, ...defined({ context }) });
  const client = createClient({
    cluster: context ?? 'sandbox',
    source,
    userAgent: 'ssvirt-dev',
    fieldManager: 'ssvirt-dev',
  });
  try {
    await act(client);
  } finally {
    await client.close();
  }
}

/** A kind of ours is served shortly after its definition was created. */
async function apply(client: Client, object: Unstructured): Promise<void> {
  const giveUpAt = systemClock.now() + servedMs;
  for (;;) {
    try {
      const type = await client.typeOf(object.apiVersion ?? '', object.kind ?? '');
      await client.apply(type, object, { force: true });
      return;
    } catch (error) {
      if (!isNotFound(error) || systemClock.now() > giveUpAt) throw error;
      await sleep(systemClock, 50);
    }
  }
}

function configOf(kubeconfig: string, name: string): readonly Unstructured[] {
  const secret = `${name}-kubeconfig`;
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: secret, namespace: configsNamespace },
      stringData: { kubeconfig: kubeconfigOf(kubeconfig, name) },
    },
    {
      apiVersion: 'vitistack.io/v1alpha1',
      kind: 'KubevirtConfig',
      metadata: { name, namespace: configsNamespace },
      spec: { name, kubeconfigSecretRef: secret },
    },
  ];
}

/**
 * The operator uses a namespace that it did not create only when the namespace allows that. This one does, for a person
 * who starts here.
 */
const openNamespace: Unstructured = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'default', labels: { [annotations.allowMachines]: 'true' } },
};
