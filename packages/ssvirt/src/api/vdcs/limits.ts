/** The limits of a virtual data center and its usage. */
import type { Vdc } from '../../db/vdcs/vdcs.ts';
import type { VdcUsage } from '../../db/vdcs/vdc-usage.ts';
import { ApiError } from '../errors.ts';

export type Resource = keyof VdcUsage;

type Limited = Pick<
  Vdc,
  'cpu_limit_mhz' | 'vcpu_mhz' | 'memory_limit_mb' | 'storage_limit_mb' | 'vm_quota' | 'nic_quota'
>;

const words: Readonly<Record<Resource, string>> = {
  vms: 'virtual machines',
  cpus: 'vCPUs',
  memoryMb: 'MB of memory',
  storageMb: 'MB of storage',
  nics: 'network cards',
};

export const resources = Object.keys(words) as readonly Resource[];

/** Undefined if there is no limit, which is 0 in the row. */
export function limitOf(vdc: Limited, resource: Resource): number | undefined {
  const limits: Readonly<Record<Resource, number>> = {
    vms: vdc.vm_quota,
    cpus: Math.floor(vdc.cpu_limit_mhz / vdc.vcpu_mhz),
    memoryMb: vdc.memory_limit_mb,
    storageMb: vdc.storage_limit_mb,
    nics: vdc.nic_quota,
  };
  return limits[resource] === 0 ? undefined : limits[resource];
}

/**
 * Throws if the request does not fit next to current usage; a resource that the request does not add to is not checked.
 */
export function requireRoom(vdc: Limited & Pick<Vdc, 'name'>, used: VdcUsage, asked: VdcUsage): void {
  const lacks = resources.flatMap((resource) => {
    const limit = limitOf(vdc, resource);
    if (limit === undefined || asked[resource] <= 0 || used[resource] + asked[resource] <= limit) return [];
    return [`${words[resource]}: ${used[resource]} of ${limit} are used, ${asked[resource]} more are requested`];
  });
  if (lacks.length > 0)
    throw new ApiError(
      'QUOTA_EXCEEDED',
      `The virtual data center "${vdc.name}" has not enough capacity (${lacks.join('; ')}). Request less, delete what you do not need, or ask the provider to raise the limit.`,
    );
}

/** `requireAboveUse` throws for a new limit below current usage. An unchanged limit does not prevent other changes. */
export function requireAboveUse(before: Limited, after: Limited, used: VdcUsage): void {
  const short = resources.flatMap((resource) => {
    const limit = limitOf(after, resource);
    if (limit === undefined || limit === limitOf(before, resource) || used[resource] <= limit) return [];
    return [`${words[resource]}: ${used[resource]} are used, the requested limit is ${limit}`];
  });
  if (short.length > 0)
    throw new ApiError(
      'QUOTA_EXCEEDED',
      `The limit is below current usage (${short.join('; ')}). Request a higher limit, or delete virtual machines first.`,
    );
}
