/** Requests and limits of the compute container. */
import type { JsonObject } from '../../../../values/json.ts';
import type { VirtualMachineInstance } from '../../objects.ts';
import { domainOf, isCpuDedicated, vcpusOf, type VmiDomain } from '../domain.ts';
import { bytesOf, plus, scaledText } from './quantities.ts';

export interface LauncherContext {
  /** How many vCPUs share one requested CPU. */
  readonly cpuAllocationRatio: number;
  readonly memoryOvercommit: number;
  readonly useEmulation: boolean;
  /** The limits that quotas of the namespace require: they are set, because the pod would be refused without them. */
  readonly limited: { readonly cpu: boolean; readonly memory: boolean };
  readonly memoryLimitsRatio: number;
}

export const defaultSurroundings: LauncherContext = {
  cpuAllocationRatio: 10,
  memoryOvercommit: 100,
  useEmulation: false,
  limited: { cpu: false, memory: false },
  memoryLimitsRatio: 2,
};

type List = Record<string, string>;

export function computeResources(vmi: VirtualMachineInstance, around: LauncherContext, overhead: number): JsonObject {
  const domain = domainOf(vmi);
  const { limits: ownLimits = {}, requests: ownRequests = {}, overcommitGuestOverhead } = domain.resources ?? {};
  const asked = { requests: texts(ownRequests), limits: texts(ownLimits) };
  const calculated: { requests: List; limits: List } = { requests: {}, limits: {} };
  asked.requests['ephemeral-storage'] = plusDecimal(asked.requests['ephemeral-storage']);
  if (asked.limits['ephemeral-storage'] !== undefined)
    asked.limits['ephemeral-storage'] = plusDecimal(asked.limits['ephemeral-storage']);
  requestMemory(domain, around, asked);
  if (isCpuDedicated(domain)) pinCpus(domain, asked);
  else shareCpus(domain, around, ownLimits, calculated);
  if (domain.memory?.hugepages === undefined) addOverhead(asked, overhead, overcommitGuestOverhead === true);
  else addHugepages(domain, asked, calculated, overhead);
  if (around.limited.memory && ownLimits['memory'] === undefined)
    calculated.limits['memory'] = scaledText(asked.requests['memory'] ?? '0', around.memoryLimitsRatio);
  for (const device of devices(domain, around.useEmulation)) {
    const count = plus(asked.limits[device], 1);
    asked.limits[device] = count;
    asked.requests[device] = count;
  }
  return { limits: { ...calculated.limits, ...asked.limits }, requests: { ...calculated.requests, ...asked.requests } };
}

interface Asked {
  readonly requests: List;
  readonly limits: List;
}

const texts = (list: Readonly<Record<string, string | number>>): List =>
  Object.fromEntries(Object.entries(list).map(([name, value]) => [name, String(value)]));

/** The compute container needs at least this much ephemeral storage in addition to the request. */
const plusDecimal = (text: string | undefined): string => (text === undefined ? '50M' : plus(text, 50_000_000));

function requestMemory(domain: VmiDomain, { memoryOvercommit }: LauncherContext, { requests, limits }: Asked): void {
  if (bytesOf(requests['memory']) > 0) return;
  delete requests['memory'];
  if (bytesOf(limits['memory']) > 0) {
    requests['memory'] = limits['memory'] ?? '0';
    return;
  }
  const memory = domain.memory?.guest ?? domain.memory?.hugepages?.pageSize;
  if (memory === undefined || bytesOf(memory) <= 0) return;
  const whole = memoryOvercommit === 100 || domain.memory?.hugepages !== undefined || isCpuDedicated(domain);
  requests['memory'] = whole ? memory : scaledText(memory, 100 / memoryOvercommit);
}

function shareCpus(
  { cpu, ioThreads }: VmiDomain,
  { cpuAllocationRatio, limited }: LauncherContext,
  ownLimits: Readonly<Record<string, string | number>>,
  { requests, limits }: Asked,
): void {
  const cpus = vcpusOf(cpu) + (ioThreads?.supplementalPoolThreadCount ?? 0);
  if (cpuAllocationRatio <= 0) return;
  const share = cpus / cpuAllocationRatio;
  requests['cpu'] = Number.isInteger(share) ? `${share}` : `${Math.ceil(share * 1000)}m`;
  if (limited.cpu && ownLimits['cpu'] === undefined) limits['cpu'] = `${cpus}`;
}

function pinCpus({ cpu, ioThreads }: VmiDomain, { requests, limits }: Asked): void {
  const emulator = cpu?.isolateEmulatorThread === true ? 1 : 0;
  const cpus = String(vcpusOf(cpu) + (ioThreads?.supplementalPoolThreadCount ?? 0) + emulator);
  requests['cpu'] = cpus;
  limits['cpu'] = cpus;
  if (requests['memory'] !== undefined) limits['memory'] = requests['memory'];
}

function addOverhead({ requests, limits }: Asked, overhead: number, overcommit: boolean): void {
  requests['memory'] = overcommit ? (requests['memory'] ?? '0') : plus(requests['memory'], overhead);
  if (limits['memory'] !== undefined) limits['memory'] = plus(limits['memory'], overhead);
}

/** Guest memory is requested as huge pages; the rest of the pod still needs ordinary memory. */
function addHugepages({ memory }: VmiDomain, asked: Asked, calculated: Asked, overhead: number): void {
  const guest = memory?.guest;
  const kind = `hugepages-${memory?.hugepages?.pageSize ?? ''}`;
  const beyond = (text: string | undefined): number =>
    guest === undefined ? 0 : Math.max(0, bytesOf(text) - bytesOf(guest));
  const pages = guest !== undefined && beyond(asked.requests['memory']) > 0 ? guest : (asked.requests['memory'] ?? '0');
  calculated.requests[kind] = pages;
  calculated.limits[kind] = pages;
  asked.requests['memory'] = plus(undefined, overhead + beyond(asked.requests['memory']));
  if (asked.limits['memory'] !== undefined)
    asked.limits['memory'] = plus(undefined, overhead + beyond(asked.limits['memory']));
}

function* devices(domain: VmiDomain, emulation: boolean): Iterable<string> {
  const { interfaces = [], autoattachPodInterface, autoattachVSOCK, gpus = [], hostDevices = [] } = domain.devices;
  if (!emulation) yield 'devices.kubevirt.io/kvm';
  if (interfaces.length > 0 || autoattachPodInterface !== false) yield 'devices.kubevirt.io/tun';
  const virtio = interfaces.some(({ model, sriov }) => sriov === undefined && (model ?? 'virtio') === 'virtio');
  if (virtio && !emulation) yield 'devices.kubevirt.io/vhost-net';
  if (autoattachVSOCK === true) yield 'devices.kubevirt.io/vhost-vsock';
  for (const { deviceName } of [...gpus, ...hostDevices]) if (deviceName !== undefined) yield deviceName;
}
