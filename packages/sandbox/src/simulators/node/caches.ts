/**
 * The objects that the node simulators read. The caches are shared with the other simulators, so the index names are
 * our own.
 */
import { perCluster } from '@ssvirt/kube/per-cluster';
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Unstructured } from '@ssvirt/kube/object';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import {
  nodes as nodeType,
  persistentVolumeClaims,
  persistentVolumes,
  pods as podType,
  storageClasses,
  virtualMachineInstances,
  virtualMachines,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '../kubevirt/objects.ts';

const BY_NODE = 'nodes/node';
const BY_VMI = 'nodes/vmi';
const BY_CLAIM = 'nodes/claim';

export interface NodeCaches {
  readonly nodes: Informer<Unstructured>;
  readonly pods: Informer<Pod>;
  readonly vmis: Informer<VirtualMachineInstance>;
  readonly vms: Informer<VirtualMachine>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<Unstructured>;
  readonly classes: Informer<Unstructured>;
  podsOn(node: string): readonly Pod[];
  /** The launchers of a VMI, by the VMI's uid. */
  launchersOf(vmiUid: string): readonly Pod[];
  podsUsing(namespace: string, claim: string): readonly Pod[];
  /** VMIs that run on a node or are moving to it. */
  vmisOn(node: string): readonly VirtualMachineInstance[];
}

export const nodeCaches = perCluster(({ informers }): NodeCaches => {
  const pods = informers.informer(podType);
  pods.addIndex(BY_NODE, (pod) => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]));
  pods.addIndex(BY_VMI, (pod) => {
    const uid = isLauncher(pod) ? pod.metadata.labels?.['kubevirt.io/created-by'] : undefined;
    return uid === undefined ? [] : [uid];
  });
  pods.addIndex(BY_CLAIM, (pod) => claimsOf(pod).map((claim) => `${pod.metadata.namespace ?? ''}/${claim}`));
  const vmis = informers.informer(virtualMachineInstances);
  vmis.addIndex(BY_NODE, ({ status }) => {
    const target = status?.migrationState?.['targetNode'];
    return [...new Set([status?.nodeName, target])].filter((node) => typeof node === 'string');
  });
  return {
    pods,
    vmis,
    nodes: informers.informer(nodeType),
    vms: informers.informer(virtualMachines),
    claims: informers.informer(persistentVolumeClaims),
    volumes: informers.informer(persistentVolumes),
    classes: informers.informer(storageClasses),
    podsOn: (node) => pods.byIndex(BY_NODE, node),
    launchersOf: (uid) => pods.byIndex(BY_VMI, uid),
    podsUsing: (namespace, claim) => pods.byIndex(BY_CLAIM, `${namespace}/${claim}`),
    vmisOn: (node) => vmis.byIndex(BY_NODE, node),
  };
});

export function isLauncher({ metadata }: Pod): boolean {
  return metadata.labels?.['kubevirt.io'] === 'virt-launcher';
}

/** A launcher that is only the first consumer of a volume. */
export function isTemporary({ metadata }: Pod): boolean {
  return metadata.annotations?.['kubevirt.io/ephemeral-provisioning'] !== undefined;
}

/** The name of the VMI to which a launcher belongs. */
export function vmiNameOf({ metadata }: Pod): string | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === 'VirtualMachineInstance')?.name;
}

export function claimsOf(pod: Pod): readonly string[] {
  return listAt(pod.spec, 'volumes').flatMap((volume) => {
    const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
    if (claim !== '') return [claim];
    return objectAt(volume, 'ephemeral') === undefined ? [] : [`${pod.metadata.name ?? ''}-${textAt(volume, 'name')}`];
  });
}

export function isEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
