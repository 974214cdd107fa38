/**
 * One call of a subresource, and the clients that it uses. It reads from the API server, not from a cache, so a caller
 * sees its own last write.
 */
import type { Client } from '@ssvirt/kube/client/client';
import { isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { Caller } from '../../serving/contracts.ts';
import type { World } from '../../world.ts';
import { serverWords } from '../../server-words.ts';
import {
  kubeVirts,
  virtualMachineInstances,
  virtualMachines,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '../objects.ts';
import type { VirtHandler } from '../virt-handler.ts';
import { conflict, internal, notFound } from './refusals.ts';

export interface CallContext {
  readonly world: World;
  /** The client of virt-api. */
  readonly client: Client;
  readonly handler: VirtHandler;
  /** Opens streams of the handler, some of which have one user at a time. */
  readonly open: VirtHandler['open'];
}

export interface SubresourceCall extends CallContext {
  readonly namespace: string;
  readonly name: string;
  /** The parts of the path after the subresource: port and protocol. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  readonly caller: Caller;
  body(): Promise<Buffer>;
}

type Named = Pick<SubresourceCall, 'client' | 'namespace' | 'name'>;

export async function virtualMachine(call: Named): Promise<VirtualMachine> {
  const vm = await find(call, virtualMachines, 'vm');
  if (vm === undefined) throw notFound('virtualmachine', call.name);
  return vm;
}

export async function instance(call: Named): Promise<VirtualMachineInstance> {
  const vmi = await findInstance(call);
  if (vmi === undefined) throw notFound('virtualmachineinstance', call.name);
  return vmi;
}

export const findInstance = (call: Named): Promise<VirtualMachineInstance | undefined> =>
  find(call, virtualMachineInstances, 'vmi');

/** `instanceOfVm` returns the VMI of the VM, for calls that address the VM but act on its VMI. */
export async function instanceOfVm(call: Named): Promise<VirtualMachineInstance> {
  const vm = await virtualMachine(call);
  if (vm.status?.created !== true) throw conflict('virtualmachine', call.name, 'VMI is not started');
  return instance(call);
}

/** `installation` returns the KubeVirt object; undefined if neither it nor its definition exists, and then all defaults apply. */
export async function installation({ client, world }: CallContext): Promise<Unstructured | undefined> {
  try {
    return (await client.list(kubeVirts, { namespace: world.kubevirtNamespace })).items[0];
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function find<T extends KubeObject>(
  { client, namespace, name }: Named,
  type: ResourceType<T>,
  noun: string,
): Promise<T | undefined> {
  try {
    return await client.get(type, { namespace, name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw internal(`unable to retrieve ${noun} [${name}]: ${serverWords(error)}`);
  }
}
