/** Whose faults apply to a pod or VMI: those in its own annotations, and those of its VM. */
import type { Sufferer } from '../faults.ts';
import type { Pod, VirtualMachineInstance } from '../kubevirt/objects.ts';
import { vmiNameOf, type NodeCaches } from './caches.ts';

export function sufferingVmi(caches: NodeCaches, vmi: VirtualMachineInstance): Sufferer {
  const { namespace = '', name = '', annotations, ownerReferences } = vmi.metadata;
  const owner = ownerReferences?.find(({ kind }) => kind === 'VirtualMachine')?.name;
  const vm = owner === undefined ? undefined : caches.vms.get({ namespace, name: owner });
  const node = vmi.status?.nodeName;
  return {
    namespace,
    names: [name],
    annotations: [annotations, vm?.metadata.annotations],
    ...(node === undefined ? {} : { node }),
  };
}

export function sufferingPod(caches: NodeCaches, pod: Pod): Sufferer {
  const { namespace = '', name = '', annotations } = pod.metadata;
  const node = pod.spec.nodeName;
  const place = node === undefined ? {} : { node };
  const vmiName = vmiNameOf(pod);
  const vmi = vmiName === undefined ? undefined : caches.vmis.get({ namespace, name: vmiName });
  if (vmi === undefined)
    return {
      namespace,
      names: [name, ...(vmiName === undefined ? [] : [vmiName])],
      annotations: [annotations],
      ...place,
    };
  const { annotations: above = [], names = [] } = sufferingVmi(caches, vmi);
  return { namespace, names, annotations: [annotations, ...above], ...place };
}
