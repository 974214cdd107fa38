/**
 * A kube-controller-manager looks for new kinds every half minute. It counts a quota that names a new kind only when
 * the quota is new or some minutes old.
 */
import { vdcTypes } from '../../packages/ssvirt/src/controllers/tenancy/vdcs/vdc-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { KubeObject, ObjectKey, Unstructured } from '../../packages/kube/src/object.ts';
import { until } from '../runtime/until.ts';

const counted = 'count/virtualmachines.kubevirt.io';

/** Whether a new quota for VMs is counted soon; rejects if it is not. */
export async function countsMachines(client: Client): Promise<boolean> {
  const metadata = { namespace: 'default', name: 'probe' };
  await client.create(vdcTypes.ResourceQuota, { metadata, spec: { hard: { [counted]: '1' } } } as KubeObject);
  try {
    await until('it is counted', () => isCounted(client, metadata), { deadlineMs: 2000 });
    return true;
  } finally {
    await client.delete(vdcTypes.ResourceQuota, metadata);
  }
}

async function isCounted(client: Client, key: ObjectKey): Promise<boolean> {
  const quota = (await client.get(vdcTypes.ResourceQuota, key)) as Unstructured;
  const { used = {} } = (quota['status'] ?? {}) as { readonly used?: object };
  return counted in used;
}
