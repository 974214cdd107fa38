/**
 * Checks whether the template differs from the one from which the VMI was started in fields that cannot be changed
 * live.
 */
import type { VirtualMachineInstance, VmiSpec } from '../../objects.ts';
import { byName, disksOf, domainOf, isHotpluggable, same, volumesOf, withDevices, withDomain } from '../domain.ts';
import type { Named } from '../domain.ts';

export const RESTART_REQUIRED = 'a non-live-updatable field was changed in the template spec';

export interface Change {
  /** The template from which the VMI was started, and the VM's current one, both with the instance type applied. */
  readonly started: VmiSpec;
  readonly current: VmiSpec;
  readonly vmi: VirtualMachineInstance;
  /** Whether `updateVolumesStrategy` is Migration. */
  readonly volumesMigrate: boolean;
}

export function needsRestart(change: Change): boolean {
  return !same(neutralised(change), change.current);
}

/** The started template, with every field that can be changed live set to its current value. */
function neutralised(change: Change): VmiSpec {
  const { started, current, vmi } = change;
  let spec = withLiveFields(started, current);
  if (volumesMayChange(change)) spec = withFields(spec, { volumes: current.volumes });
  const devices: Fields = {
    ...(disksMayChange(started, current) ? { disks: domainOf(current).devices?.disks } : {}),
    ...(needsRestartForNetworks(current, vmi) ? {} : { interfaces: domainOf(current).devices?.interfaces }),
  };
  if ('interfaces' in devices) spec = withFields(spec, { networks: current.networks });
  return withSameFirmwareUuid(withDevices(spec, devices), current, vmi);
}

type Fields = Readonly<Record<string, unknown>>;

/** Takes the fields of the other spec. An undefined field is fine: `same` treats it as absent. */
function withFields(spec: VmiSpec, fields: Fields): VmiSpec {
  return { ...spec, ...fields };
}

function withLiveFields(started: VmiSpec, current: VmiSpec): VmiSpec {
  const [was, is] = [domainOf(started), domainOf(current)];
  const sockets: Fields = { sockets: is.cpu?.sockets };
  const spec = withDomain(started, {
    ...was,
    ...(was.cpu !== undefined && is.cpu !== undefined ? { cpu: { ...was.cpu, ...sockets } } : {}),
    ...(is.memory?.guest === undefined ? {} : { memory: { ...was.memory, guest: is.memory.guest } }),
  });
  const { nodeSelector, affinity, tolerations } = current;
  return withFields(spec, { nodeSelector, affinity, tolerations });
}

function volumesMayChange({ started, current, volumesMigrate }: Change): boolean {
  const left = byName(volumesOf(started));
  for (const volume of volumesOf(current)) {
    const before = left.get(volume.name);
    left.delete(volume.name);
    if (isHotpluggable(volume)) continue;
    if (before === undefined) return false;
    const persistent = volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined;
    if (!(persistent && volumesMigrate) && !same(before, volume)) return false;
  }
  return [...left.values()].every(isHotpluggable);
}

function disksMayChange(started: VmiSpec, current: VmiSpec): boolean {
  const left = byName(disksOf(started));
  const volumes = byName(volumesOf(current));
  for (const disk of disksOf(current)) {
    const before = left.get(disk.name);
    const volume = volumes.get(disk.name);
    left.delete(disk.name);
    if (volume !== undefined && isHotpluggable(volume)) continue;
    if (before === undefined || !same(before, disk)) return false;
  }
  const oldVolumes = byName(volumesOf(started));
  return [...left.values()].every((disk) => {
    const volume = oldVolumes.get(disk.name);
    return (volume === undefined || isHotpluggable(volume)) && disk['cdrom'] === undefined;
  });
}

/** New interfaces can be hotplugged; existing ones must not change, except for their state. */
function needsRestartForNetworks(current: VmiSpec, vmi: VirtualMachineInstance): boolean {
  const wanted = byName(domainOf(current).devices?.interfaces ?? []);
  const interfaces = domainOf(vmi.spec).devices?.interfaces ?? [];
  if (!interfaces.every((nic) => same(withoutState(wanted.get(nic.name)), withoutState(nic)))) return true;
  const networks = byName((current.networks ?? []) as unknown as readonly Named[]);
  const theirs = (vmi.spec.networks ?? []) as unknown as readonly Named[];
  const hasPod = (list: Iterable<Named>): boolean => [...list].some(({ pod }) => pod !== undefined);
  return (hasPod(networks.values()) && !hasPod(theirs)) || !theirs.every((net) => same(networks.get(net.name), net));
}

function withoutState(nic: Named | undefined): object | undefined {
  return nic === undefined ? undefined : { ...nic, state: undefined };
}

/** A uuid that was set after the start is no change if the guest already has it. */
function withSameFirmwareUuid(spec: VmiSpec, current: VmiSpec, vmi: VirtualMachineInstance): VmiSpec {
  const uuid = domainOf(current).firmware?.uuid;
  if (uuid === undefined || domainOf(vmi.spec).firmware?.uuid !== uuid) return spec;
  const domain = domainOf(spec);
  return withDomain(spec, { ...domain, firmware: { ...domain.firmware, uuid } });
}
