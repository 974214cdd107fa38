/** A StorageClass whose disks are never provisioned. */
import { storageClasses } from '../../src/controllers/machine/kinds.ts';
import type { Client } from '../../src/kube/client/client.ts';
import type { Unstructured } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';

export async function makeStorageClass(client: Client): Promise<void> {
  const metadata = { name: 'bench', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } };
  const standard: Unstructured = { metadata, provisioner: 'bench.invalid', allowVolumeExpansion: true };
  await client.create(storageClasses as ResourceType, standard);
}
