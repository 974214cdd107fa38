/** The resources that the Machine commands read in the supervisor. Only `adopt` writes, to a Machine. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ShapedStatus } from '@ssvirt/kube/reconcile/shape';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { group, version, type MachineFacts, type MachineSpec } from '../../kubevirt/machine/resource.ts';

export interface ShownMachine extends KubeObject {
  readonly spec: MachineSpec;
  readonly status?: MachineFacts & ShapedStatus;
}

export const machines: ResourceType<ShownMachine> = {
  group,
  version,
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};

export const networkConfigurations: ResourceType = {
  group,
  version,
  kind: 'NetworkConfiguration',
  plural: 'networkconfigurations',
  namespaced: true,
};
