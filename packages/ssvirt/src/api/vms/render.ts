import type { Vm } from '../../db/vms/vms.ts';
import { powerDecisions } from '../../kubevirt/power/table.ts';
import { isSystemAdministrator, type Caller } from '../caller.ts';
import { staleReason } from '../clusters/stale-reason.ts';
import { redactClusterNames } from '../clusters/redaction.ts';
import { urnOf } from '../urn.ts';
import type { VmBodyShape } from './schemas.ts';
import { shownDisks, specOf } from './shown-disks.ts';
import { statusCodes } from './status-code.ts';

/** Tenants see nothing of clusters, namespaces and nodes. `base` is the URL of the server. */
export function vmBody(vm: Vm, caller: Pick<Caller, 'roles'>, base: string): VmBodyShape {
  const id = urnOf('vm', vm.id);
  const { instancetype, networks } = specOf(vm);
  const isProvider = isSystemAdministrator(caller);
  return {
    id,
    name: vm.name,
    description: vm.description,
    href: `${base}/cloudapi/1.0.0/vms/${id}`,
    status: vm.status,
    statusCode: statusCodes[vm.status],
    operations: powerDecisions(vm.status, vm.stale),
    stale: vm.stale,
    staleReason: staleReason(vm.staleness, caller, vm),
    vapp: { name: vm.vapp_name, id: urnOf('vapp', vm.vapp_id) },
    standalone: vm.vapp_hidden,
    vdc: { name: vm.vdc_name, id: urnOf('vdc', vm.vdc_id) },
    owner: ownerOf(vm),
    cpus: vm.cpu_count ?? vm.observed_cpu_count,
    memoryMb: vm.memory_mb ?? vm.observed_memory_mb,
    ...(instancetype === undefined ? {} : { instancetype: instancetype.name }),
    guestOs: vm.observed_guest_os ?? vm.guest_os,
    hostName: vm.host_name,
    ipAddresses: vm.ip_addresses ?? [],
    restartRequired: vm.restart_required ?? false,
    fault: faultOf(vm, isProvider),
    busy: vm.busy ?? false,
    disks: shownDisks(vm),
    networks: [...(networks ?? [])],
    createdAt: vm.created_at.toISOString(),
    updatedAt: vm.updated_at.toISOString(),
    observed: { cpus: vm.observed_cpu_count, memoryMb: vm.observed_memory_mb },
    ...(isProvider ? { placement: placementOf(vm) } : {}),
  };
}

export function ownerOf({ owner_id, owner_name }: Pick<Vm, 'owner_id' | 'owner_name'>): VmBodyShape['owner'] {
  return owner_id === null ? null : { name: owner_name ?? '', id: urnOf('user', owner_id) };
}

function faultOf(vm: Vm, isProvider: boolean): VmBodyShape['fault'] {
  if (vm.status === 'DELETED' && vm.desired_state === 'present')
    return {
      reason: 'DELETED_IN_CLUSTER',
      message: `It was deleted in its cluster, not by a request to this API; that was seen at ${vm.status_changed_at?.toISOString() ?? 'an unknown time'}. It is not created again.`,
    };
  if (vm.fault === null) return null;
  return { reason: vm.fault_reason ?? '', message: isProvider ? vm.fault : redactClusterNames(vm.fault, vm) };
}

function placementOf({ cluster, namespace, vm_name, node }: Vm): NonNullable<VmBodyShape['placement']> {
  return { cluster, namespace, vmName: vm_name, node };
}
