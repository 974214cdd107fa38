/** Renders the VMI of a VM: the VM's template, and the metadata that every VMI of a VM has. */
import { createHash } from 'node:crypto';
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import { virtualMachines, type VirtualMachine, type VirtualMachineInstance, type VmiSpec } from '../objects.ts';
import { byName, disksOf, domainOf, volumesOf, withDevices, withDomain } from './domain.ts';
import { isDumped, memoryDumpOf, withoutDumpVolume } from './memory-dump.ts';
import { hasStartPausedRequest, runStrategyOf } from './state-change.ts';

export const VM_FINALIZER = 'kubevirt.io/virtualMachineControllerFinalize';
export const GENERATION_ANNOTATION = 'kubevirt.io/vm-generation';

/** Without defaults and instance type; see `withDeviceDefaults`. */
export function vmiOf(vm: VirtualMachine, revisionName: string): VirtualMachineInstance {
  const { name, namespace, generation = 0 } = vm.metadata;
  const { generateName: _, ...template } = vm.spec.template.metadata ?? {};
  const receives = runStrategyOf(vm) === 'WaitAsReceiver' ? { 'kubevirt.io/create-migration-target': 'true' } : {};
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      ...template,
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      annotations: { ...template.annotations, [GENERATION_ANNOTATION]: String(generation), ...receives },
      // With our finalizer, the VMI is not deleted before its end was recorded.
      finalizers: [...(template.finalizers ?? []), VM_FINALIZER],
      ownerReferences: [controllerReference(virtualMachines, vm)],
    },
    spec: specOf(vm),
    status: { virtualMachineRevisionName: revisionName },
  };
}

function specOf(vm: VirtualMachine): VmiSpec {
  const template = vm.spec.template.spec;
  const dump = memoryDumpOf(vm);
  let spec: VmiSpec = dump !== undefined && isDumped(vm) ? withoutDumpVolume(template, dump.claimName) : template;
  if (hasStartPausedRequest(vm)) spec = { ...spec, startStrategy: 'Paused' };
  return withDiskOfEveryVolume(withFirmwareUuid(spec, vm.metadata.name ?? ''));
}

export function withFirmwareUuid(spec: VmiSpec, name: string): VmiSpec {
  const domain = domainOf(spec);
  if (domain.firmware?.uuid !== undefined && domain.firmware.uuid !== '') return spec;
  return withDomain(spec, { ...domain, firmware: { ...domain.firmware, uuid: legacyUuid(name) } });
}

const uuidSpace = Buffer.from('6a1a24a1406146078bf4a3963d0c5895', 'hex');

/**
 * The uuid (version 5) from the VM's name, for VMs that predate stored uuids: guests see the same one after every
 * restart.
 */
export function legacyUuid(name: string): string {
  const bytes = createHash('sha1').update(uuidSpace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function withDiskOfEveryVolume(spec: VmiSpec): VmiSpec {
  const known = byName([...disksOf(spec), ...(domainOf(spec).devices?.filesystems ?? [])]);
  const missing = volumesOf(spec).filter(({ name }) => !known.has(name));
  return missing.length === 0
    ? spec
    : withDevices(spec, { disks: [...disksOf(spec), ...missing.map(({ name }) => ({ name }))] });
}

export type DefaultBinding = 'bridge' | 'masquerade';

/** `withDeviceDefaults` adds an input device and a network if the VM should have one and names none. */
export function withDeviceDefaults(spec: VmiSpec, binding: DefaultBinding): VmiSpec {
  const { autoattachInputDevice, inputs = [] } = domainOf(spec).devices ?? {};
  const withInput =
    autoattachInputDevice === true && inputs.length === 0
      ? withDevices(spec, { inputs: [{ name: 'default-0' }] })
      : spec;
  return withDefaultNetwork(withInput, binding);
}

function withDefaultNetwork(spec: VmiSpec, binding: DefaultBinding): VmiSpec {
  const { autoattachPodInterface, interfaces = [] } = domainOf(spec).devices ?? {};
  if (autoattachPodInterface === false || interfaces.length > 0 || (spec.networks ?? []).length > 0) return spec;
  return withDevices(
    { ...spec, networks: [{ name: 'default', pod: {} }] },
    { interfaces: [{ name: 'default', [binding]: {} }] },
  );
}
