import type { Static } from 'typebox';
import type { VdcUsage } from '../../db/vdcs/vdc-usage.ts';
import type { Vdc } from '../../db/vdcs/vdcs.ts';
import { isSystemAdministrator, type Caller } from '../caller.ts';
import { staleReason } from '../clusters/stale-reason.ts';
import { urnOf } from '../urn.ts';
import { limitOf, type Resource } from './limits.ts';
import type { AdminVdcBody, VdcBody, VdcUsageBody } from './schemas.ts';

type StatusText = 'READY' | 'NOT_READY' | 'FAILED_CREATION' | 'DELETING';

/** VCD's numbers; it has none for deletion. */
const numbers: Readonly<Record<StatusText, number>> = { READY: 1, NOT_READY: 0, FAILED_CREATION: -1, DELETING: 0 };

/** The messages for tenants; the cluster's own message is for the provider, who alone knows of clusters. */
const tenantMessages: Readonly<Record<StatusText, string>> = {
  READY: '',
  NOT_READY: 'It is being created.',
  FAILED_CREATION: 'It could not be created; ask the provider.',
  DELETING: 'It is being deleted.',
};

function statusOf({ desired_state, ready, fault }: Vdc): StatusText {
  if (desired_state === 'absent') return 'DELETING';
  if (ready) return 'READY';
  return fault === null ? 'NOT_READY' : 'FAILED_CREATION';
}

export function vdcBody(vdc: Vdc, caller: Pick<Caller, 'roles'>): Static<typeof VdcBody> {
  const statusText = statusOf(vdc);
  return {
    id: urnOf('vdc', vdc.id),
    name: vdc.name,
    description: vdc.description,
    allocationModel: vdc.allocation_model,
    computeCapacity: {
      cpu: {
        allocated: vdc.cpu_allocated_mhz,
        limit: vdc.cpu_limit_mhz,
        units: 'MHz',
        cores: limitOf(vdc, 'cpus') ?? 0,
      },
      memory: { allocated: vdc.memory_allocated_mb, limit: vdc.memory_limit_mb, units: 'MB' },
    },
    vCpuInMhz: vdc.vcpu_mhz,
    storageLimitMb: vdc.storage_limit_mb,
    vmQuota: vdc.vm_quota,
    nicQuota: vdc.nic_quota,
    networkQuota: vdc.network_quota,
    vdcStorageProfiles: {},
    isThinProvision: vdc.thin_provision,
    isEnabled: vdc.enabled,
    org: { name: vdc.organization_name, id: urnOf('org', vdc.organization_id) },
    status: numbers[statusText],
    statusText,
    stale: vdc.stale,
    staleReason: staleReason(vdc.staleness, caller, vdc),
    message: tenantMessages[statusText],
    createdAt: vdc.created_at.toISOString(),
    updatedAt: vdc.updated_at.toISOString(),
    ...(isSystemAdministrator(caller) ? { cluster: vdc.cluster, namespace: vdc.namespace } : {}),
  };
}

export function adminVdcBody(vdc: Vdc, caller: Pick<Caller, 'roles'>): Static<typeof AdminVdcBody> {
  return {
    ...vdcBody(vdc, caller),
    message: vdc.waits_for || vdc.fault || '',
    cluster: vdc.cluster,
    namespace: vdc.namespace,
  };
}

export function vdcUsageBody(vdc: Vdc, used: VdcUsage): Static<typeof VdcUsageBody> {
  const cpuLimit = vdc.cpu_limit_mhz === 0 ? undefined : vdc.cpu_limit_mhz;
  const of = (resource: Resource): Use => useOf(used[resource], limitOf(vdc, resource));
  return {
    vdc: { name: vdc.name, id: urnOf('vdc', vdc.id) },
    cpu: { ...useOf(used.cpus * vdc.vcpu_mhz, cpuLimit), units: 'MHz' },
    vCpus: of('cpus'),
    memory: { ...of('memoryMb'), units: 'MB' },
    storage: { ...of('storageMb'), units: 'MB' },
    vms: of('vms'),
    nics: of('nics'),
  };
}

type Use = Static<typeof VdcUsageBody>['vms'];

/** Usage can exceed the limit: the limit was lowered earlier, or a VM was created directly in the cluster. */
function useOf(used: number, limit: number | undefined): Use {
  return limit === undefined ? { used } : { used, limit, available: Math.max(0, limit - used) };
}
