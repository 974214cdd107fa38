/**
 * virt-api alone on a sandbox: its subresources, a virt-handler that records its requests, and definitions that accept
 * anything. No controller reacts to its writes, so a test sets the state of the VMs.
 */
import { pino } from 'pino';
import type { KubeObject, OwnerReference } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { createWorld, type CreatedWorld } from '../../packages/sandbox/src/simulators/create-world.ts';
import { installDefinitions, type Definition } from '../../packages/sandbox/src/simulators/install-definitions.ts';
import {
  kubeVirts,
  namespaces,
  nodes,
  virtualMachineInstanceMigrations,
  virtualMachineInstances,
  virtualMachines,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { subresourcesApis } from '../../packages/sandbox/src/simulators/kubevirt/subresources/api.ts';
import type { VirtHandler } from '../../packages/sandbox/src/simulators/kubevirt/virt-handler.ts';
import { serve, type Served } from '../../packages/sandbox/src/simulators/serving/serve.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { startSandbox } from '../cluster/sandbox.ts';
import { httpClient, type HttpClient } from '../conformance/http.ts';
import { fixedSource } from '../fleet/sandboxes.ts';

export const NAMESPACE = 'ns1';
export const API = `/apis/subresources.kubevirt.io/v1/namespaces/${NAMESPACE}`;

export interface VirtApiHarness {
  readonly world: CreatedWorld;
  readonly http: HttpClient;
  /** Replaces the present objects. The VMI belongs to the VM, if there is one. */
  place(vm: VirtualMachine | undefined, vmi: VirtualMachineInstance | undefined): Promise<void>;
  vm(): Promise<VirtualMachine>;
  vmi(): Promise<VirtualMachineInstance>;
  stop(): Promise<void>;
}

export async function startVirtApi(
  handler: VirtHandler,
  start: () => Promise<Cluster> = startSandbox,
): Promise<VirtApiHarness> {
  const cluster = await start();
  const world = createWorld({ name: 'virt-api', source: fixedSource(cluster), log: pino({ level: 'error' }) });
  const client = world.administrator;
  const http = httpClient(cluster);
  let served: Served | undefined;
  const stop = async (): Promise<void> => {
    await served?.close({ leaveRegistered: true });
    http.close();
    await world.close();
    await cluster.stop();
  };
  try {
    await installDefinitions(client, definitions, world.signal);
    for (const name of [NAMESPACE, world.kubevirtNamespace]) await client.create(namespaces, { metadata: { name } });
    for (const name of ['node01', 'node02']) await client.create(nodes, { metadata: { name } });
    await client.create(kubeVirts, { metadata: { namespace: world.kubevirtNamespace, name: 'kubevirt' }, spec: {} });
    served = await serve({
      client,
      webhooks: [],
      apis: subresourcesApis(world, handler),
      namespace: world.kubevirtNamespace,
      log: world.log,
      signal: world.signal,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const key = { namespace: NAMESPACE, name: 'vm1' };
  const clear = async (): Promise<void> => {
    for (const type of [virtualMachineInstances, virtualMachines, virtualMachineInstanceMigrations])
      await client.deleteCollection(type, { namespace: NAMESPACE });
  };
  const placeVm = async (vm: VirtualMachine): Promise<readonly OwnerReference[]> => {
    const { metadata } = await client.create(virtualMachines, vm);
    const body = { status: vm.status };
    await client.patch(virtualMachines, key, { type: 'merge', body }, { subresource: 'status' });
    return [
      { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'vm1', uid: metadata.uid ?? '', controller: true },
    ];
  };
  return {
    world,
    http,
    async place(vm, vmi) {
      await clear();
      const ownerReferences = vm === undefined ? [] : await placeVm(vm);
      if (vmi !== undefined)
        await client.create(virtualMachineInstances, { ...vmi, metadata: { ...vmi.metadata, ownerReferences } });
    },
    vm: () => client.get(virtualMachines, key),
    vmi: () => client.get(virtualMachineInstances, key),
    stop,
  };
}

const definitions: readonly Definition[] = [
  permissive(virtualMachines, { status: {} }),
  permissive(virtualMachineInstances),
  permissive(virtualMachineInstanceMigrations, { status: {} }),
  permissive(kubeVirts, { status: {} }),
];

function permissive<T extends KubeObject>(
  { group, version, kind, plural }: ResourceType<T>,
  subresources = {},
): Definition {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const spec = {
    group,
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: anything }, subresources }],
  };
  return { metadata: { name: `${plural}.${group}` }, spec };
}
