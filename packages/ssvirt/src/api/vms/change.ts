/** What an update changes in a VM, and by how much the VM grows. */
import type { Matcher } from '../../kubevirt/tenant-vm/spec.ts';
import type { Vm } from '../../db/vms/vms.ts';
import { badRequest, conflict } from '../errors.ts';
import { idOf } from '../urn.ts';
import { noAllocation, type Allocation } from '../vdcs/allocation.ts';
import { largest, leastMemoryMb } from './new-vm.ts';
import type { Offers } from './offers.ts';
import type { VmChangeInput } from './schemas.ts';
import { specOf } from './shown-disks.ts';
import { sizeOfType } from './size.ts';

export interface RequestedVmChange {
  readonly name?: string;
  readonly description?: string;
  readonly cpus?: number;
  readonly memoryMb?: number;
  readonly instancetype?: Matcher;
  /** The fields of the request that differ. */
  readonly fields: readonly string[];
}

interface Sized {
  readonly cpus: number | null;
  readonly memoryMb: number | null;
}

/** Only the fields that differ from the row: clients may send back what they have read. */
export function changeOf(offers: Offers, vm: Vm, asked: VmChangeInput): RequestedVmChange {
  if (asked.id !== undefined && idOf('vm', asked.id, 'id') !== vm.id)
    throw badRequest(`id: "${asked.id}" is not the one in the path; leave it out`);
  const texts = {
    ...(differs(asked.name, vm.name) ? { name: asked.name } : {}),
    ...(differs(asked.description, vm.description) ? { description: asked.description } : {}),
  };
  const change = { ...texts, ...hardwareChange(offers, vm, asked) };
  const fields = Object.keys(change);
  // The size follows from the instance type.
  return { ...change, fields: change.instancetype === undefined ? fields : [...Object.keys(texts), 'instancetype'] };
}

function hardwareChange(
  offers: Offers,
  vm: Vm,
  { cpus, memoryMb, instancetype }: VmChangeInput,
): Pick<RequestedVmChange, 'cpus' | 'memoryMb' | 'instancetype'> {
  const now = sizeNow(vm);
  const current = specOf(vm).instancetype;
  const size = {
    ...(differs(cpus, now.cpus) ? { cpus } : {}),
    ...(differs(memoryMb, now.memoryMb) ? { memoryMb } : {}),
  };
  for (const [field, asked] of Object.entries(size)) requireWithin(field as keyof typeof limits, asked);
  const [sized] = Object.keys(size);
  if (current === undefined) {
    if (instancetype !== undefined)
      throw conflict(
        `instancetype: the VM "${vm.name}" was created with explicit CPUs and memory and cannot get an instance type; change cpus and memoryMb.`,
      );
    return size;
  }
  if (sized !== undefined)
    throw badRequest(
      `${sized}: the instance type "${current.name}" of the VM sets this; choose another instancetype instead.`,
    );
  if (instancetype === undefined || instancetype === current.name) return {};
  return { ...sizeOfType(offers, instancetype), instancetype: { ...current, name: instancetype } };
}

const limits = { cpus: [1, largest.cpus], memoryMb: [leastMemoryMb, largest.memoryMb] } as const;

function requireWithin(field: keyof typeof limits, asked: number): void {
  const [minimum, maximum] = limits[field];
  if (asked < minimum || asked > maximum)
    throw badRequest(`${field} is ${asked}; it must be ${minimum} to ${maximum}.`);
}

function differs<T>(asked: T | null | undefined, now: T | null): asked is T {
  return asked !== undefined && asked !== null && asked !== now;
}

function sizeNow(vm: Vm): Sized {
  return { cpus: vm.cpu_count ?? vm.observed_cpu_count, memoryMb: vm.memory_mb ?? vm.observed_memory_mb };
}

/** The growth beyond what already counts (`vdcUsage`); 0 for what shrinks. */
export function growthOf(vm: Vm, { cpus, memoryMb }: Partial<Sized>): Allocation {
  return {
    ...noAllocation,
    cpus: grown([vm.cpu_count, vm.observed_cpu_count], cpus),
    memoryMb: grown([vm.memory_mb, vm.observed_memory_mb], memoryMb),
  };
}

function grown(now: readonly (number | null)[], then: number | null | undefined): number {
  return Math.max(0, (then ?? 0) - Math.max(...now.map((size) => size ?? 0)));
}
