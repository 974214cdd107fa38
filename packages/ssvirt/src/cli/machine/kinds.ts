/**
 * The kinds that the Machine commands read, in the supervisor and in the Machine's cluster. Only `adopt` writes, to a
 * Machine.
 */
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import type { ShapedStatus } from '@ssvirt/kube/reconcile/shape';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { group, version, type MachineFacts, type MachineSpec } from '../../kubevirt/machine/resource.ts';

export interface ShownMachine extends KubeObject {
  readonly spec: MachineSpec;
  readonly status?: MachineFacts & ShapedStatus;
}

function namespaced<T extends KubeObject = Unstructured>(
  group: string,
  version: string,
  kind: string,
  plural: string,
): ResourceType<T> {
  return { group, version, kind, plural, namespaced: true };
}

export const machines = namespaced<ShownMachine>(group, version, 'Machine', 'machines');
export const networkConfigurations = namespaced(group, version, 'NetworkConfiguration', 'networkconfigurations');
export const virtualMachines = namespaced('kubevirt.io', 'v1', 'VirtualMachine', 'virtualmachines');
export const instances = namespaced('kubevirt.io', 'v1', 'VirtualMachineInstance', 'virtualmachineinstances');
export const dataVolumes = namespaced('cdi.kubevirt.io', 'v1beta1', 'DataVolume', 'datavolumes');
export const claims = namespaced('', 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims');
export const secrets = namespaced('', 'v1', 'Secret', 'secrets');
export const attachments = namespaced(
  'k8s.cni.cncf.io',
  'v1',
  'NetworkAttachmentDefinition',
  'network-attachment-definitions',
);
