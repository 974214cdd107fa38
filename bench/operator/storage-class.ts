/** A StorageClass whose disks are never provisioned. */
import { storageClasses } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';

export async function makeStorageClass(client: Client): Promise<void> {
  const metadata = { name: 'bench', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } };
  const standard: Unstructured = { metadata, provisioner: 'bench.invalid', allowVolumeExpansion: true };
  await client.create(storageClasses, standard);
}
