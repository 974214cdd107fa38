/**
 * Secrets are written with the rights of a RoleBinding in the namespace of a VDC, which is deleted with the namespace.
 * So for a namespace that is gone or terminating, a cluster answers "forbidden" and not "not found".
 */
import { KubeError, isKind } from '@ssvirt/kube/errors';
import { childNames } from '../../../kubevirt/vdc/objects.ts';
import type { LeasedClient } from '../engine/leased-client.ts';
import { vdcTypes } from './vdc-types.ts';

/** `isLeaving` says whether a namespace is gone or terminating. */
export async function isLeaving(client: Pick<LeasedClient, 'get'>, name: string): Promise<boolean> {
  const found = await client.get(vdcTypes.Namespace, { name });
  return found === undefined || found.metadata.deletionTimestamp !== undefined;
}

/**
 * `whileBound` turns a refusal into NotFound, which is retried, while the namespace has no RoleBinding of ours. The
 * work on the VDC creates it.
 */
export async function whileBound<T>(
  client: Pick<LeasedClient, 'get'>,
  namespace: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isKind(error, 'Forbidden')) throw error;
    const binding = await client.get(vdcTypes.RoleBinding, { namespace, name: childNames.RoleBinding });
    if (binding !== undefined) throw error;
    throw new KubeError('NotFound', `namespace "${namespace}" has no RoleBinding "${childNames.RoleBinding}" yet`, {
      cause: error,
    });
  }
}
