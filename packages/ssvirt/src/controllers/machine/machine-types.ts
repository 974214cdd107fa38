/** The kinds of Machines and of their children. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ShapedStatus } from '@ssvirt/kube/reconcile/shape';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import {
  group,
  version,
  type MachineFacts,
  type MachineSpec,
  type NetworkConfigurationSpec,
} from '../../kubevirt/machine/resource.ts';

/**
 * The field manager of our applies in the members. Never change it: fields applied under another name would stay
 * behind.
 */
export const fieldManager = 'ssvirt-machine-operator';

/** The controller's name in logs and metrics, as in the reference. */
export const controllerName = 'Machine';

export interface MachineStatus extends MachineFacts, ShapedStatus {}

export interface Machine extends KubeObject {
  readonly spec: MachineSpec;
  readonly status?: MachineStatus;
}

export const machines: ResourceType<Machine> = {
  group,
  version,
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};

export interface NetworkConfiguration extends KubeObject {
  readonly spec?: NetworkConfigurationSpec;
  readonly status?: NetworkConfigurationStatus;
}

export interface NetworkConfigurationStatus extends ShapedStatus {
  readonly phase?: 'Pending' | 'Ready' | 'Failed';
  /** Where it was created. */
  readonly networks?: readonly {
    readonly kubevirtConfig: string;
    readonly namespace: string;
    readonly attachment: string;
  }[];
}

export const networkConfigurations: ResourceType<NetworkConfiguration> = {
  group,
  version,
  kind: 'NetworkConfiguration',
  plural: 'networkconfigurations',
  namespaced: true,
};

/** The API with the subresource `start` of a VirtualMachine. */
export const subresources = '/apis/subresources.kubevirt.io/v1';
