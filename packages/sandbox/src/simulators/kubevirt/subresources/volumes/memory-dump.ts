/** memorydump and removememorydump: write a request for virt-controller into the VM's status. */
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { JsonObject } from '../../../../values/json.ts';
import { StatusAnswer } from '../../../serving/contracts.ts';
import { serverWords } from '../../../server-words.ts';
import {
  persistentVolumeClaims,
  virtualMachines,
  type PersistentVolumeClaim,
  type VirtualMachine,
} from '../../objects.ts';
import { accepted, type SubresourceAnswer } from '../answer.ts';
import { instance, virtualMachine, type SubresourceCall } from '../call.ts';
import { overheadIn, unfitClaim } from './memory-dump-size.ts';
import { decode, memoryDumpOptions } from '../options.ts';
import { badRequest, conflict, internal, notFound } from '../refusals.ts';
import { isRunning } from '../power/run-state.ts';

interface DumpRequest {
  readonly claimName?: string;
  readonly phase?: string;
  readonly remove?: boolean;
}

const cdiConfigs: ResourceType = {
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind: 'CDIConfig',
  plural: 'cdiconfigs',
  namespaced: false,
};

export async function memoryDump(call: SubresourceCall): Promise<SubresourceAnswer> {
  const options = decode(await call.body(), memoryDumpOptions);
  const vm = await virtualMachine(call);
  const claimName = claimFor(vm, options['claimName'] as string | undefined);
  const vmi = await instance(call);
  if (!isRunning(vmi)) throw conflict('virtualmachineinstance', call.name, 'VMI is not running');
  const claim = await claimCalled(call, claimName);
  const storageClass = claim.spec['storageClassName'] as string | undefined;
  const why = unfitClaim(claim, vmi, overheadIn(await cdiConfig(call), storageClass));
  if (why !== undefined) throw conflict('persistentvolumeclaim', claimName, why);
  const busy = underway(dumpOf(vm), claimName);
  if (busy !== undefined) throw conflict('virtualmachine', call.name, busy);
  return request(call, vm, { claimName, phase: 'Associating' });
}

export async function removeMemoryDump(call: SubresourceCall): Promise<SubresourceAnswer> {
  const vm = await virtualMachine(call);
  const present = dumpOf(vm);
  if (present === undefined)
    throw conflict(
      'virtualmachine',
      call.name,
      `can't remove memory dump association for vm ${call.name}, no association found`,
    );
  if (present.remove === true)
    throw conflict(
      'virtualmachine',
      call.name,
      `memory dump remove request for pvc [${present.claimName ?? ''}] already exists`,
    );
  return request(call, vm, { claimName: present.claimName ?? '', phase: 'Dissociating', remove: true });
}

const dumpOf = (vm: VirtualMachine): DumpRequest | undefined =>
  vm.status?.['memoryDumpRequest'] as DumpRequest | undefined;

/** If no PVC is named, that of the last dump is used again. */
function claimFor(vm: VirtualMachine, wanted = ''): string {
  const present = dumpOf(vm);
  if (present === undefined) {
    if (wanted === '') throw badRequest('Memory dump requires claim name to be set');
    return wanted;
  }
  const claimName = present.claimName ?? '';
  if (wanted !== '' && wanted !== claimName)
    throw conflict(
      'virtualmachine',
      vm.metadata.name ?? '',
      `can't request memory dump for pvc [${wanted}] while pvc [${claimName}] is still associated as the memory dump pvc`,
    );
  return claimName;
}

function underway(present: DumpRequest | undefined, claimName: string): string | undefined {
  if (present === undefined || present.phase === 'Completed' || present.phase === 'Failed') return undefined;
  return present.phase === 'Dissociating'
    ? `can't dump memory for pvc [${claimName}] a remove memory dump request is in progress`
    : `memory dump request for pvc [${claimName}] already in progress`;
}

async function claimCalled({ client, namespace }: SubresourceCall, name: string): Promise<PersistentVolumeClaim> {
  try {
    return await client.get(persistentVolumeClaims, { namespace, name });
  } catch (error) {
    if (isNotFound(error)) throw notFound('persistentvolumeclaim', name);
    throw internal(`unable to retrieve pvc [${name}]: ${serverWords(error)}`);
  }
}

async function cdiConfig({ client }: SubresourceCall): Promise<Unstructured | undefined> {
  try {
    return await client.get(cdiConfigs, { name: 'config' });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw internal(`unable to retrieve cdi config: ${serverWords(error)}`);
  }
}

async function request(
  { client, namespace, name }: SubresourceCall,
  vm: VirtualMachine,
  wanted: DumpRequest,
): Promise<SubresourceAnswer> {
  const path = '/status/memoryDumpRequest';
  const present = dumpOf(vm);
  const operations = [
    { op: 'test', path, value: present ?? null },
    { op: present === undefined ? 'add' : 'replace', path, value: wanted },
  ] as const;
  try {
    await client.patch(virtualMachines, { namespace, name }, { type: 'json', operations }, { subresource: 'status' });
  } catch (error) {
    if (isKind(error, 'Invalid') && error.status !== undefined)
      throw new StatusAnswer(
        error.code ?? 422,
        error.status.reason,
        serverWords(error),
        error.status.details as JsonObject | undefined,
      );
    throw internal(`unable to patch vm status: ${serverWords(error)}`);
  }
  return accepted;
}
