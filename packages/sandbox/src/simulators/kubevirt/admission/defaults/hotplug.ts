/** The limits to which CPUs and memory of a running VMI can grow. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, numberAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import type { Quantity } from '../../../../objects/schema/quantity.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { amountOf, cpuOf, domainOf, exceeds, memoryOf, whole, written } from '../rules/amounts.ts';

const LEAST_GUEST = amountOf('1Gi');

export function setHotplug(spec: JsonObject, config: ClusterConfig): void {
  if (!config.liveUpdate) return;
  setMaxSockets(spec, config);
  setMaxGuest(spec, config);
}

function setMaxSockets(spec: JsonObject, config: ClusterConfig): void {
  const cpu = cpuOf(spec);
  // CPU hotplug is not supported on Arm.
  if (cpu === undefined || numberAt(cpu, 'maxSockets') !== 0 || textAt(spec, 'architecture') === 'arm64') return;
  const sockets = numberAt(cpu, 'sockets');
  const most = config.maxCpuSockets === 0 ? sockets * config.maxHotplugRatio : Math.max(config.maxCpuSockets, sockets);
  if (most > 0) cpu['maxSockets'] = most;
}

function setMaxGuest(spec: JsonObject, config: ClusterConfig): void {
  const memory = memoryOf(spec);
  if (memory === undefined || isSet(memory, 'maxGuest') || !isSet(memory, 'guest')) return;
  const guest = amountOf(memory['guest']);
  const most = config.maxGuest ?? times(guest, config.maxHotplugRatio);
  if (canGrow(spec, guest, most)) memory['maxGuest'] = written(most);
}

const times = (amount: Quantity, factor: number): Quantity => ({
  value: whole(amount) * BigInt(factor),
  scale: 0,
  format: 'BinarySI',
  int64: true,
});

/** No cause is reported if memory cannot grow: the VMI just has no memory hotplug. */
function canGrow(spec: JsonObject, guest: Quantity, most: Quantity): boolean {
  const cpu = cpuOf(spec);
  const rigid =
    isSet(cpu, 'realtime') ||
    isSet(objectAt(cpu, 'numa'), 'guestMappingPassthrough') ||
    isSet(domainOf(spec), 'launchSecurity') ||
    cpu?.['dedicatedCpuPlacement'] === true;
  const architecture = textAt(spec, 'architecture');
  if (rigid || (architecture !== 'amd64' && architecture !== 'arm64')) return false;
  return !exceeds(guest, most) && !exceeds(LEAST_GUEST, guest) && isAligned(guest, spec) && isAligned(most, spec);
}

const MEBIBYTE = 1024n * 1024n;

/** The alignment is 2Mi, or the size of the huge pages that back the guest. */
function isAligned(amount: Quantity, spec: JsonObject): boolean {
  const page = whole(amountOf(objectAt(memoryOf(spec), 'hugepages')?.['pageSize']));
  const alignment = page > 2n * MEBIBYTE ? page : 2n * MEBIBYTE;
  return whole(amount) % alignment === 0n;
}
