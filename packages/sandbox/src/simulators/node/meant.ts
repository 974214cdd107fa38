/** The objects to which a fault of the dials applies. */
import { keyOfObject, type KubeObject, type ObjectKey } from '@ssvirt/kube/object';
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { SimulatedFault } from '../dials.ts';
import { vmiNameOf, type NodeCaches } from './caches.ts';

export function vmisMeant(caches: NodeCaches, { namespace, name, node }: SimulatedFault): readonly ObjectKey[] {
  if (node !== undefined) return caches.vmisOn(node).map(keyOfObject);
  if (namespace !== undefined && name !== undefined) return [{ namespace, name }];
  return named(caches.vmis, namespace, (vmi) => name === undefined || vmi.metadata.name === name);
}

export function podsMeant(caches: NodeCaches, { namespace, name, node }: SimulatedFault): readonly ObjectKey[] {
  if (node !== undefined) return caches.podsOn(node).map(keyOfObject);
  return named(
    caches.pods,
    namespace,
    (pod) => name === undefined || pod.metadata.name === name || vmiNameOf(pod) === name,
  );
}

function named<T extends KubeObject>(
  informer: Informer<T>,
  namespace: string | undefined,
  isMeant: (object: T) => boolean,
): readonly ObjectKey[] {
  return informer.list(namespace).filter(isMeant).map(keyOfObject);
}

/** `podsOfVm` returns the launchers of a VM's VMI. */
export function podsOfVm(caches: NodeCaches, { metadata }: KubeObject): readonly ObjectKey[] {
  const vmi = caches.vmis.get(keyOfObject({ metadata }));
  return vmi === undefined ? [] : caches.launchersOf(vmi.metadata.uid ?? '').map(keyOfObject);
}
