/**
 * Changes of a template that are applied to the running guest. Each rule returns the patch for the VMI, or why it is
 * not possible now.
 */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import { parseQuantity, quantityAsFloat, ZERO_QUANTITY } from '../../../../objects/schema/quantity.ts';
import type { VirtualMachineInstance, VmiSpec } from '../../objects.ts';
import { domainOf, same, type Cpu, type Resources } from '../domain.ts';
import { none, refuse, restart, type LiveChange } from './live-change.ts';
import { memoryChange } from './live-memory.ts';
import { hasCondition, isMigrating } from '../vmi-state.ts';

export interface LiveRule {
  /** The reason of the condition Failure, and the start of its message. */
  readonly reason: string;
  readonly about: string;
  /** `wanted` is the VM's template with its instance type applied. */
  readonly change: (wanted: VmiSpec, vmi: VirtualMachineInstance) => LiveChange;
}

/** In the order in which they are checked. */
export const liveRules: readonly LiveRule[] = [
  { reason: 'HotPlugCPUError', about: 'Error encountered while handling CPU change request', change: cpuChange },
  {
    reason: 'AffinityChangeError',
    about: 'Error encountered while handling node affinity change request',
    change: placementChange,
  },
  {
    reason: 'TolerationsChangeError',
    about: 'Error encountered while handling tolerations change request',
    change: tolerationsChange,
  },
  {
    reason: 'HotPlugMemoryError',
    about: 'error encountered while handling memory hotplug requests',
    change: memoryChange,
  },
];

export function cpuChange(wanted: VmiSpec, vmi: VirtualMachineInstance): LiveChange {
  const cpu = domainOf(wanted).cpu;
  const theirs = domainOf(vmi.spec).cpu;
  if (cpu === undefined || theirs === undefined) return none;
  const [sockets, before] = [cpu.sockets ?? 0, theirs.sockets ?? 0];
  if (sockets === before) return none;
  if (hasCondition(vmi, 'HotVCPUChange', 'True')) return refuse('another CPU hotplug is in progress');
  if (isMigrating(vmi)) return refuse('CPU hotplug is not allowed while VMI is migrating');
  if (sockets > (theirs.maxSockets ?? 0))
    return restart("CPU sockets updated in template spec to a value higher than what's available");
  if (sockets < before) return restart('Reduction of CPU socket count requires a restart');
  if (wanted['architecture'] === 'arm64') return restart("ARM doesn't support CPU hotplug");
  const operations: JsonPatchOperation[] = [
    { op: 'test', path: '/spec/domain/cpu/sockets', value: theirs.sockets },
    { op: 'replace', path: '/spec/domain/cpu/sockets', value: sockets },
  ];
  const more = (vcpus(cpu) - vcpus(theirs)) * milliPerVcpu;
  const resources = domainOf(wanted).resources;
  const has = domainOf(vmi.spec).resources;
  for (const kind of ['requests', 'limits'] as const) operations.push(...cpuResource(kind, resources, has, more));
  return { kind: 'patch', operations };
}

/** The CPU request for each vCPU is a tenth of a core, unless KubeVirt's configuration sets another ratio. */
const milliPerVcpu = 100;

function vcpus({ sockets = 0, cores = 0, threads = 0 }: Cpu): number {
  return (sockets || 1) * (cores || 1) * (threads || 1);
}

function cpuResource(
  kind: 'requests' | 'limits',
  wanted: Resources | undefined,
  has: Resources | undefined,
  moreMilli: number,
): readonly JsonPatchOperation[] {
  const before = has?.[kind]?.['cpu'];
  if (wanted?.[kind]?.['cpu'] === undefined || before === undefined) return [];
  const milli = milliOf(before) + moreMilli;
  const path = `/spec/domain/resources/${kind}/cpu`;
  const value = milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`;
  return [
    { op: 'test', path, value: before },
    { op: 'replace', path, value },
  ];
}

/** Parses any form of a quantity: `2`, `1500m`, `1k`. */
function milliOf(cpu: string | number): number {
  return Math.round(quantityAsFloat(parseQuantity(String(cpu)) ?? ZERO_QUANTITY) * 1000);
}

export function placementChange(wanted: VmiSpec, vmi: VirtualMachineInstance): LiveChange {
  const operations = (['affinity', 'nodeSelector'] as const).flatMap((field) => fieldChange(field, wanted, vmi));
  if (operations.length === 0) return none;
  if (isMigrating(vmi)) return refuse('Node affinity should not be changed during VMI migration');
  return { kind: 'patch', operations };
}

export function tolerationsChange(wanted: VmiSpec, vmi: VirtualMachineInstance): LiveChange {
  const operations = fieldChange('tolerations', wanted, vmi);
  if (operations.length === 0) return none;
  if (isMigrating(vmi)) return refuse('tolerations should not be changed during VMI migration');
  return { kind: 'patch', operations };
}

function fieldChange(field: string, wanted: VmiSpec, { spec }: VirtualMachineInstance): readonly JsonPatchOperation[] {
  const [value, before, path] = [wanted[field], spec[field], `/spec/${field}`];
  if (same(value, before) || (isEmpty(value) && isEmpty(before))) return [];
  if (value === undefined) return [{ op: 'remove', path }];
  if (before === undefined) return [{ op: 'add', path, value }];
  return [
    { op: 'test', path, value: before },
    { op: 'replace', path, value },
  ];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
