/**
 * Which objects in a cluster were created for a Machine that no longer exists, for example because it was deleted by
 * force while the cluster did not answer. Labels decide; a Machine that was created again has another uid.
 */
import type { KubeObject } from '@ssvirt/kube/object';
import { controllerOf, parentUidOf } from '@ssvirt/kube/reconcile/owners';
import type { ResourceType } from '@ssvirt/kube/resource-type';

export interface MachineChild {
  readonly type: ResourceType<KubeObject>;
  readonly object: KubeObject;
}

export type IsLive = (uid: string) => boolean;

export function isOrphan({ metadata }: KubeObject, isLive: IsLive): boolean {
  const uid = parentUidOf(metadata);
  return uid !== undefined && !isLive(uid);
}

/** Without those that are deleted with another orphan: the instance of a VM, the claim of a DataVolume. */
export function orphansAmong(children: readonly MachineChild[], isLive: IsLive): readonly MachineChild[] {
  const orphans = children.filter(({ object }) => isOrphan(object, isLive));
  const uids = new Set(orphans.map(({ object }) => object.metadata.uid));
  return orphans.filter(({ object }) => {
    const controller = controllerOf(object);
    return controller === undefined || !uids.has(controller.uid);
  });
}
