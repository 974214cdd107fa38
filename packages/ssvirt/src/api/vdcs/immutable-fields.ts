/** Clients may send back what they have read in an update; immutable fields must then be unchanged. */
import type { Vdc } from '../../db/vdcs/vdcs.ts';
import { badRequest } from '../errors.ts';
import { idOf } from '../urn.ts';
import { limitOf } from './limits.ts';
import type { VdcChangeInput } from './schemas.ts';
import type { VdcSettings } from './settings.ts';

export function requireUnchanged(before: Vdc, after: VdcSettings, asked: VdcChangeInput): void {
  if (asked.id !== undefined && idOf('vdc', asked.id, 'id') !== before.id)
    throw badRequest(`id: "${asked.id}" is not the one in the path; leave it out`);
  if (asked.org !== undefined && idOf('org', asked.org.id, 'org.id') !== before.organization_id)
    throw badRequest('org.id: a virtual data center cannot move to another organization; create one there');
  if (asked.cluster !== undefined && asked.cluster !== before.cluster)
    throw badRequest(
      `cluster: a virtual data center cannot move to another cluster (it is on "${before.cluster}"); create one there`,
    );
  if (asked.namespace !== undefined && asked.namespace !== before.namespace)
    throw badRequest(`namespace: it cannot be changed (it is "${before.namespace}"); leave it out`);
  requireCores(before, after, asked.computeCapacity?.cpu?.cores);
}

/** A client may send back the number of cores with a new limit; any other number would have no effect. */
function requireCores(before: Vdc, after: VdcSettings, cores: number | undefined): void {
  if (cores === undefined) return;
  if (![before, after].some((one) => (limitOf(one, 'cpus') ?? 0) === cores))
    throw badRequest(
      `computeCapacity.cpu.cores: ${cores} does not match limit and vCpuInMhz; leave it out, and set limit to ${cores} × ${after.vcpu_mhz} = ${cores * after.vcpu_mhz}`,
    );
}
