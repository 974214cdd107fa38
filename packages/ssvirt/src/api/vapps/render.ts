import type { Vapp } from '../../db/vapps/vapps.ts';
import type { VappVm } from '../../db/vapps/vapp-requests.ts';
import type { Caller } from '../caller.ts';
import { staleReason } from '../clusters/stale-reason.ts';
import { redactClusterNames } from '../clusters/redaction.ts';
import { urnOf } from '../urn.ts';
import { ownerOf } from '../vms/render.ts';
import { statusCodes } from '../vms/status-code.ts';
import { vappOperations } from './power.ts';
import type { ChangedVappShape, VappBodyShape, VappDetailShape } from './schemas.ts';
import type { VappWithMachines } from './service.ts';

export function vappHref(vapp: Pick<Vapp, 'id'>, base: string): string {
  return `${base}/cloudapi/1.0.0/vapps/${urnOf('vapp', vapp.id)}`;
}

/** `vappBody` shows nothing of clusters and namespaces, which are the provider's. `base` is the URL of the server. */
export function vappBody(vapp: Vapp, caller: Pick<Caller, 'roles'>, base: string): ChangedVappShape {
  return {
    id: urnOf('vapp', vapp.id),
    name: vapp.name,
    description: vapp.description,
    href: vappHref(vapp, base),
    status: vapp.status,
    statusCode: statusCodes[vapp.status],
    stale: vapp.stale,
    staleReason: staleReason(vapp.staleness, caller, vapp),
    vdc: { name: vapp.vdc_name, id: urnOf('vdc', vapp.vdc_id) },
    owner: ownerOf(vapp),
    numberOfVMs: vapp.machines,
    fault: vapp.fault === null ? null : redactClusterNames(vapp.fault, vapp),
    createdAt: vapp.created_at.toISOString(),
    updatedAt: vapp.updated_at.toISOString(),
  };
}

export function listedVapp(
  { vapp, machines }: VappWithMachines,
  caller: Pick<Caller, 'roles'>,
  base: string,
): VappBodyShape & Pick<VappDetailShape, 'operations'> {
  return {
    ...vappBody(vapp, caller, base),
    numberOfVMs: machines.length,
    operations: vappOperations(vapp, machines),
  };
}

export function vappDetail(seen: VappWithMachines, caller: Pick<Caller, 'roles'>, base: string): VappDetailShape {
  const { machines } = seen;
  return {
    ...listedVapp(seen, caller, base),
    vms: machines.map((machine) => vmOf(machine, base)),
  };
}

function vmOf({ id, name, status, stale }: VappVm, base: string): VappDetailShape['vms'][number] {
  const urn = urnOf('vm', id);
  return { id: urn, name, href: `${base}/cloudapi/1.0.0/vms/${urn}`, status, statusCode: statusCodes[status], stale };
}
