/** The kinds that the runner reads, creates and removes. */
import type { Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';

function kind(group: string, version: string, name: string, plural: string, namespaced = true): ResourceType {
  return { group, version, kind: name, plural, namespaced };
}

export const namespaces = kind('', 'v1', 'Namespace', 'namespaces', false);
export const nodes = kind('', 'v1', 'Node', 'nodes', false);
export const services = kind('', 'v1', 'Service', 'services');
export const leases = kind('coordination.k8s.io', 'v1', 'Lease', 'leases');
export const storageClasses = kind('storage.k8s.io', 'v1', 'StorageClass', 'storageclasses', false);
export const machines = kind('vitistack.io', 'v1alpha1', 'Machine', 'machines');
export const orders = kind('cloudkit.openshift.io', 'v1alpha1', 'VirtualMachine', 'virtualmachines');
export const virtualMachines = kind('kubevirt.io', 'v1', 'VirtualMachine', 'virtualmachines');
export const instances = kind('kubevirt.io', 'v1', 'VirtualMachineInstance', 'virtualmachineinstances');
export const dataVolumes = kind('cdi.kubevirt.io', 'v1beta1', 'DataVolume', 'datavolumes');

/** The fields of an external object, if it has them. */
export function part(of: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  let found: unknown = of;
  for (const name of path) found = (found as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {};
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

export function conditionOf(object: Unstructured, type: string): Condition | undefined {
  const { conditions } = part(object, 'status');
  return Array.isArray(conditions) ? (conditions as readonly Condition[]).find((one) => one.type === type) : undefined;
}
