/**
 * Disks that are added or removed after a VM was created. An added disk is hot-plugged, whether the VM runs or not, and
 * can be unplugged the same way. A disk that the VM was created with is not hot-pluggable: it is removed from the lists
 * of the spec while the VM is off.
 */
import { fields, list, text, type Fields } from '../facts/reading.ts';
import { vmFacts } from '../facts/vm.ts';
import { assess } from '../status/assess.ts';
import { cdiVersion, kubevirtVersion, type KubeLike } from './kube-like.ts';
import { machineLabels, type VmIdentity } from './labels.ts';
import { domainOf, instanceSpecOf, parted, precondition, specOf } from './live.ts';
import { dataVolumeName } from './names.ts';
import type { DiskSpec } from './spec.ts';
import { blankDisk } from './storage.ts';

export interface AddedDisk {
  /** Must exist first. An existing DataVolume of that name that the VM (`uid`) does not own is not ours. */
  readonly dataVolume: KubeLike;
  /** The body of PUT virtualmachines/…/addvolume. The answer is 409 if the VM has the volume already. */
  readonly addVolumeOptions: Fields;
}

/** `uid` is that of the VirtualMachine: the disk is deleted with it. */
export function addedDisk(identity: VmIdentity, disk: DiskSpec, uid: string): AddedDisk {
  const { vmName, namespace } = identity;
  const name = dataVolumeName(vmName, disk.name);
  // Without `blockOwnerDeletion`: OpenShift would require a permission on the VM's finalizers.
  const owner = { apiVersion: kubevirtVersion, kind: 'VirtualMachine', name: vmName, uid };
  return {
    dataVolume: {
      apiVersion: cdiVersion,
      kind: 'DataVolume',
      metadata: { name, namespace, labels: machineLabels(identity), ownerReferences: [owner] },
      spec: blankDisk(disk),
    },
    addVolumeOptions: {
      name: disk.name,
      // Every KubeVirt version can hot-plug SCSI disks. The guest finds the disk by its serial number.
      disk: { disk: { bus: 'scsi' }, serial: disk.name },
      volumeSource: { dataVolume: { name } },
    },
  };
}

export type DiskRemoval =
  /** The VM has no such disk. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** By PUT virtualmachines/…/removevolume. */
  | { readonly kind: 'unplug'; readonly removeVolumeOptions: Fields; readonly dataVolume?: string }
  /** By a JSON merge patch of the VirtualMachine that includes uid and resourceVersion. */
  | { readonly kind: 'patch'; readonly patch: Fields; readonly dataVolume?: string };

/** `dataVolume` remains afterwards; the caller deletes it if the VM owns it. */
export function withoutDisk(vm: unknown, name: string): DiskRemoval {
  const [volume] = parted(instanceSpecOf(vm)['volumes'], name);
  if (volume === undefined) return { kind: 'gone' };
  const reason = whyKept(vm, name, volume);
  if (reason !== undefined) return { kind: 'refused', reason };
  const dataVolume = text(fields(volume['dataVolume'])['name']);
  const left = dataVolume === undefined ? {} : { dataVolume };
  if (isPluggable(volume) && !isOfTemplate(vm, dataVolume))
    return { kind: 'unplug', removeVolumeOptions: { name }, ...left };
  if (mayHaveInstance(vm))
    return {
      kind: 'refused',
      reason: `The machine was made with the disk "${name}", which can only be removed while it is off: power it off first.`,
    };
  return { kind: 'patch', patch: listsWithout(vm, name, dataVolume), ...left };
}

const guestDataKinds = ['cloudInitNoCloud', 'cloudInitConfigDrive', 'sysprep'];

function whyKept(vm: unknown, name: string, volume: Fields): string | undefined {
  if (guestDataKinds.some((kind) => volume[kind] !== undefined))
    return `"${name}" is not a disk but the cloud-init data of the guest: it cannot be removed.`;
  return name === bootDiskOf(vm) ? `The machine boots from the disk "${name}": it cannot be removed.` : undefined;
}

/**
 * A VM that waits for its disks has no instance yet, even if it is meant to run. The resourceVersion in the patch
 * prevents a start in between.
 */
function mayHaveInstance(vm: unknown): boolean {
  const facts = vmFacts(vm);
  const { printableStatus = '' } = facts;
  if (facts.created !== true && withoutInstance.has(printableStatus)) return false;
  return assess({ vm: facts, vmi: undefined, nameTaken: false, dataVolumes: [] }).status !== 'POWERED_OFF';
}

const withoutInstance = new Set(['Provisioning', 'DataVolumeError']);

/** `bootDiskOf` returns the disk with the lowest bootOrder, or else the first in the list. */
export function bootDiskOf(vm: unknown): string | undefined {
  const disks = list(fields(domainOf(vm)['devices'])['disks']).map(fields);
  const order = (disk: Fields): number =>
    typeof disk['bootOrder'] === 'number' ? disk['bootOrder'] : Number.POSITIVE_INFINITY;
  const [first] = disks.toSorted((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
  return text(first?.['name']) ?? text(fields(list(instanceSpecOf(vm)['volumes'])[0])['name']);
}

function isPluggable({ dataVolume, persistentVolumeClaim }: Fields): boolean {
  return fields(dataVolume ?? persistentVolumeClaim)['hotpluggable'] === true;
}

/** Such a disk cannot be unplugged: KubeVirt refuses a dataVolumeTemplate that no volume refers to. */
function isOfTemplate(vm: unknown, dataVolume: string | undefined): boolean {
  if (dataVolume === undefined) return false;
  return list(specOf(vm)['dataVolumeTemplates']).some((template) => templateName(template) === dataVolume);
}

function listsWithout(vm: unknown, name: string, dataVolume: string | undefined): Fields {
  const [, volumes] = parted(instanceSpecOf(vm)['volumes'], name);
  const [found, disks] = parted(fields(domainOf(vm)['devices'])['disks'], name);
  const templates = list(specOf(vm)['dataVolumeTemplates']);
  const isMade = isOfTemplate(vm, dataVolume);
  return {
    metadata: precondition(vm),
    spec: {
      ...(isMade ? { dataVolumeTemplates: templates.filter((one) => templateName(one) !== dataVolume) } : {}),
      template: { spec: { volumes, ...(found === undefined ? {} : { domain: { devices: { disks } } }) } },
    },
  };
}

function templateName(template: unknown): unknown {
  return fields(fields(template)['metadata'])['name'];
}
