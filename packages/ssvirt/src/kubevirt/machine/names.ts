/**
 * The names of a Machine's objects in the cluster of its VM. A Machine may have any name that Kubernetes accepts (253
 * characters, dots). Its objects get DNS labels, because host names, labels and pod names derive from them. If the
 * plain name is not a DNS label, it is shortened, and a hash of the whole name keeps it unique.
 */
import { cut, slug } from '../slug.ts';
import { fingerprint } from './fingerprint.ts';

const maxLength = 63;
const hashLength = 10;
const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const labelValue = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/** `vmName` returns the VirtualMachine, and therefore the instance. */
export function vmName(machine: string): string {
  return label(`vm-${machine}`, 'vm', machine);
}

/** `diskName` returns the claim of a disk, and the DataVolume that fills it. */
export function diskName(machine: string, disk: string): string {
  return label(`${machine}-${disk}`, 'disk', machine, disk);
}

export function cloudInitSecretName(machine: string): string {
  return `${vmName(machine)}-cloudinit`;
}

/** `attachmentName` returns the NetworkAttachmentDefinition of a NetworkConfiguration. Some versions of Multus accept no dots. */
export function attachmentName(networkName: string): string {
  return label(networkName, 'network', networkName);
}

/**
 * The value of the label `vitistack.io/machine`: the name itself if a label can hold it, so that people can select by
 * it.
 */
export function machineLabel(machine: string): string {
  if (labelValue.test(machine)) return machine;
  const start = machine.slice(0, maxLength - hashLength - 1).replace(/[^A-Za-z0-9]+$/, '');
  return `${start}-${hash('label', machine)}`;
}

/** `macAddress` returns a locally administered unicast address; it stays the same for the life of the Machine. */
export function macAddress(uid: string, network: string): string {
  const digits = fingerprint('mac', uid, network).slice(0, hashLength);
  return ['02', ...(digits.match(/../g) ?? [])].join(':');
}

export function isDnsLabel(name: string): boolean {
  return dnsLabel.test(name);
}

function label(plain: string, ...parts: readonly string[]): string {
  if (isDnsLabel(plain)) return plain;
  return `${cut(slug(plain, 'x', maxLength), maxLength - hashLength - 1)}-${hash(...parts)}`;
}

function hash(...parts: readonly string[]): string {
  return fingerprint(...parts).slice(0, hashLength);
}
