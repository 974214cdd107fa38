/**
 * All objects of an order in the sequence of their creation, with the fields of AAP's role `ocp_virt_vm`: AAP can apply
 * its objects over ours, and we ours over AAP's, without a change that matters.
 */
import type { KubeLike } from '../tenant-vm/kube-like.ts';
import { buildDataVolume } from './data-volume.ts';
import type { OrderIdentity } from './identity.ts';
import type { OrderParameters } from './parameters/order-parameters.ts';
import { buildCloudInitSecret, buildSshKeySecret } from './parameters/secrets.ts';
import { buildService, serviceSelector } from './service.ts';
import { buildVirtualMachine, type LiveMachine, type OrderVmOptions } from './virtual-machine.ts';

export { buildDataVolume, dataVolumeMarks } from './data-volume.ts';
export { buildCloudInitSecret, buildSshKeySecret } from './parameters/secrets.ts';
export { buildService, portsToKeep, serviceSelector } from './service.ts';
export {
  atomicLists,
  buildVirtualMachine,
  liveMachine,
  type NetworkBinding as Binding,
  type LiveMachine,
  type OrderVmOptions as MachineOptions,
} from './virtual-machine.ts';

export interface OrderBuildContext extends OrderVmOptions {
  readonly storageClass: string;
  /** The existing VirtualMachine. */
  readonly live?: LiveMachine;
  /** The labels of the existing instance. */
  readonly instanceLabels?: Readonly<Record<string, unknown>>;
}

export function buildOrder(
  identity: OrderIdentity,
  parameters: OrderParameters,
  { storageClass, live, instanceLabels, binding }: OrderBuildContext,
): readonly KubeLike[] {
  const sshKey = buildSshKeySecret(identity, parameters);
  return [
    buildCloudInitSecret(identity, parameters),
    ...(sshKey === undefined ? [] : [sshKey]),
    buildDataVolume(identity, parameters, storageClass),
    buildVirtualMachine(identity, parameters, live, { binding }),
    buildService(identity, parameters, serviceSelector(identity, instanceLabels)),
  ];
}
