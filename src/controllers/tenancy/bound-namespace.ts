/**
 * Secrets are written by the RoleBinding in the namespace of a virtual data center, which goes with the namespace: in one that is gone or ends, a cluster answers
 * "forbidden" and not "not found".
 */
import { ApiError, isKind } from '../../kube/errors.ts';
import { childNames } from '../../virt/vdc/objects.ts';
import type { ClusterHand } from './cluster-hand.ts';
import { vdcTypes } from './kinds.ts';

/** `isLeaving` says whether a namespace is gone or ends, with all that is in it. */
export async function isLeaving(hand: Pick<ClusterHand, 'get'>, name: string): Promise<boolean> {
  const found = await hand.get(vdcTypes.Namespace, { name });
  return found === undefined || found.metadata.deletionTimestamp !== undefined;
}

/** `whileBound` reports a refusal as NotFound, which is tried again, while the namespace has no RoleBinding of ours: the work on its virtual data center makes it. */
export async function whileBound<T>(
  hand: Pick<ClusterHand, 'get'>,
  namespace: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isKind(error, 'Forbidden')) throw error;
    const binding = await hand.get(vdcTypes.RoleBinding, { namespace, name: childNames.RoleBinding });
    if (binding !== undefined) throw error;
    throw new ApiError('NotFound', `namespace "${namespace}" has no RoleBinding "${childNames.RoleBinding}" yet`, {
      cause: error,
    });
  }
}
