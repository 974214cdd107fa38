/** The settings of a virtual data center: from the request to columns. */
import type { Selectable } from 'kysely';
import type { VdcTable } from '../../db/schema/schema.ts';
import { badRequest } from '../errors.ts';
import type { NewVdcInput, VdcChangeInput } from './schemas.ts';

/** The columns that a request can set, by the names of their fields. */
const fieldOf = {
  name: 'name',
  description: 'description',
  allocation_model: 'allocationModel',
  cpu_allocated_mhz: 'computeCapacity.cpu.allocated',
  cpu_limit_mhz: 'computeCapacity.cpu.limit',
  memory_allocated_mb: 'computeCapacity.memory.allocated',
  memory_limit_mb: 'computeCapacity.memory.limit',
  vcpu_mhz: 'vCpuInMhz',
  storage_limit_mb: 'storageLimitMb',
  vm_quota: 'vmQuota',
  nic_quota: 'nicQuota',
  network_quota: 'networkQuota',
  thin_provision: 'isThinProvision',
  enabled: 'isEnabled',
} as const satisfies Partial<Record<keyof VdcTable, string>>;

type Column = keyof typeof fieldOf;

export type VdcSettings = Pick<Selectable<VdcTable>, Column>;

/** `initialSettings` are the defaults of a new VDC. */
export const initialSettings: Omit<VdcSettings, 'name'> = {
  description: '',
  allocation_model: 'PayAsYouGo',
  cpu_allocated_mhz: 0,
  cpu_limit_mhz: 0,
  memory_allocated_mb: 0,
  memory_limit_mb: 0,
  vcpu_mhz: 1000,
  storage_limit_mb: 0,
  vm_quota: 0,
  nic_quota: 100,
  network_quota: 50,
  thin_provision: false,
  enabled: true,
};

/** `withAsked` returns the current settings, replaced by those in the request: false, 0 and '' are values. */
export function withAsked(now: VdcSettings, asked: NewVdcInput | VdcChangeInput): VdcSettings {
  const { cpu, memory } = asked.computeCapacity ?? {};
  return {
    name: asked.name ?? now.name,
    description: asked.description ?? now.description,
    allocation_model: asked.allocationModel ?? now.allocation_model,
    cpu_allocated_mhz: cpu?.allocated ?? now.cpu_allocated_mhz,
    cpu_limit_mhz: cpu?.limit ?? now.cpu_limit_mhz,
    memory_allocated_mb: memory?.allocated ?? now.memory_allocated_mb,
    memory_limit_mb: memory?.limit ?? now.memory_limit_mb,
    vcpu_mhz: asked.vCpuInMhz ?? now.vcpu_mhz,
    storage_limit_mb: asked.storageLimitMb ?? now.storage_limit_mb,
    vm_quota: asked.vmQuota ?? now.vm_quota,
    nic_quota: asked.nicQuota ?? now.nic_quota,
    network_quota: asked.networkQuota ?? now.network_quota,
    thin_provision: asked.isThinProvision ?? now.thin_provision,
    enabled: asked.isEnabled ?? now.enabled,
  };
}

/** `changedFields` returns the fields that differ, for the audit record. */
export function changedFields(before: VdcSettings, after: VdcSettings): readonly string[] {
  const columns = Object.keys(fieldOf) as readonly Column[];
  return columns.filter((column) => before[column] !== after[column]).map((column) => fieldOf[column]);
}

/**
 * A reservation above its limit could not be satisfied; a limit below one vCPU would permit no VM, and would be shown
 * as no limit.
 */
export function requireConsistent(settings: VdcSettings): void {
  const pairs = [
    ['cpu_allocated_mhz', 'cpu_limit_mhz', 'MHz'],
    ['memory_allocated_mb', 'memory_limit_mb', 'MB'],
  ] as const;
  for (const [allocated, limit, unit] of pairs)
    if (settings[limit] > 0 && settings[allocated] > settings[limit])
      throw badRequest(
        `${fieldOf[allocated]}: ${settings[allocated]} ${unit} is more than ${fieldOf[limit]} (${settings[limit]} ${unit}); allocate at most the limit, or set the limit to 0 for no limit`,
      );
  const { cpu_limit_mhz, vcpu_mhz } = settings;
  if (cpu_limit_mhz > 0 && cpu_limit_mhz < vcpu_mhz)
    throw badRequest(
      `computeCapacity.cpu.limit: ${cpu_limit_mhz} MHz is less than one vCPU (vCpuInMhz: ${vcpu_mhz} MHz); set it to ${vcpu_mhz} or more, or to 0 for no limit`,
    );
}
