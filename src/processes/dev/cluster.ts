/** What ssvirt expects in its own cluster, put into the simulated one: the kind of KubevirtConfigs, and the namespaces. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { createClient } from '../../kube/client/create.ts';
import { loadKubeconfig } from '../../kube/kubeconfig/load.ts';
import type { Unstructured } from '../../kube/object.ts';

const definition = resolve(import.meta.dirname, '../../../deploy/crds/kubevirtconfigs.vitistack.io.yaml');
/** Of the Lease, and of the KubevirtConfigs; the defaults of the settings. */
const namespaces = ['ssvirt-system', 'kubevirt-configs'];

export async function prepareCluster(kubeconfig: string): Promise<void> {
  const source = await loadKubeconfig({ path: kubeconfig });
  const client = createClient({ cluster: 'sandbox', source, userAgent: 'ssvirt-dev', fieldManager: 'ssvirt-dev' });
  const objects = [
    parse(readFileSync(definition, 'utf8')) as Unstructured,
    ...namespaces.map((name): Unstructured => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
  ];
  try {
    for (const object of objects) {
      const type = await client.typeOf(object.apiVersion ?? '', object.kind ?? '');
      await client.apply(type, object, { force: true });
    }
  } finally {
    await client.close();
  }
}
