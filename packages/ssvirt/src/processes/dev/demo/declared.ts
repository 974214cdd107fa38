/**
 * Machines as a platform team declares them, and orders as a service that sells VMs creates them: both written to the
 * supervisor as `kubectl create` does it.
 */
import { isKind } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import { annotations as machineAnnotations } from '../../../kubevirt/machine/resource.ts';
import { annotations as orderAnnotations, type Mode } from '../../../kubevirt/order/resource.ts';
import { ordersNamespace, tenantNamespace, withClient } from '../cluster.ts';
import type { DemoOptions } from './make.ts';

export const machinesNamespace = 'platform';

/** Existing objects stay unchanged. */
export async function declareAll({ folder, clusters, hasAap }: DemoOptions): Promise<void> {
  await withClient(folder.kubeconfig, clusters[0], async (client) => {
    for (const object of [namespace, ...machines(clusters), ...orders(hasAap)]) {
      const type = await client.typeOf(object.apiVersion ?? '', object.kind ?? '');
      try {
        await client.create(type, object);
      } catch (error) {
        if (!isKind(error, 'AlreadyExists')) throw error;
      }
    }
  });
}

/** A namespace that allows Machines to run beside their declaration. */
const namespace: Unstructured = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: machinesNamespace, labels: { [machineAnnotations.allowMachines]: 'true' } },
};

function machines([, one = 'local', other = one]: readonly string[]): readonly Unstructured[] {
  return [
    machine('builder', { template: 'small', kubevirtConfigRef: one }),
    machine('runner', { template: 'small', kubevirtConfigRef: other }),
    machine('spare', { template: 'small', kubevirtConfigRef: other, running: false }),
    // Its condition reports that the cluster does not exist.
    machine('nowhere', { template: 'small', kubevirtConfigRef: 'atlantis' }),
  ];
}

function machine(name: string, spec: object): Unstructured {
  const metadata = { name, namespace: machinesNamespace };
  return { apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', metadata, spec };
}

function orders(hasAap: boolean): readonly Unstructured[] {
  return [
    order('crm', 'controller', { cpu_cores: '1', memory: '2Gi', exposed_ports: '22/tcp,443/tcp' }),
    ...(hasAap ? [order('erp', 'aap', { cpu_cores: '1', memory: '2Gi' })] : []),
    // Refused; the message names the parameter.
    order('typo', 'controller', { cpu_cores: 'many' }),
  ];
}

function order(name: string, by: Mode, parameters: object): Unstructured {
  return {
    apiVersion: 'cloudkit.openshift.io/v1alpha1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: ordersNamespace, annotations: { [orderAnnotations.managedBy]: by } },
    spec: {
      templateID: 'osac.templates.ocp_virt_vm',
      templateParameters: JSON.stringify(parameters),
      tenantNamespace: tenantNamespace.metadata.name,
    },
  };
}
