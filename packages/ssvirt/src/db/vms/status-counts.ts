/** How many VMs and vApps have each status. */
import { sql, type Kysely } from 'kysely';
import type { ShownVappStatus, ShownVmStatus, Tables, VdcId } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { vmIsStale } from '../clusters/staleness.ts';

export interface StatusCount<Status extends string> {
  readonly status: Status;
  readonly total: number;
  /** Those whose status is stale. */
  readonly stale: number;
}

const total = sql<number>`count(*)::integer`.as('total');

/** Those that `listVms` lists. */
export function countVmsByStatus(
  db: Kysely<Tables>,
  scope: Scope,
  vdc?: VdcId,
): Promise<readonly StatusCount<ShownVmStatus>[]> {
  const status = sql<ShownVmStatus>`shown_vm_status(vms.deleted_at, vms.desired_state, o.status)`;
  const counts = db
    .selectFrom('vms')
    .leftJoin('vm_observed as o', 'o.vm_id', 'vms.id')
    .leftJoin('clusters', 'clusters.name', 'vms.cluster')
    .select([
      status.as('status'),
      total,
      sql<number>`(count(*) FILTER (WHERE ${vmIsStale('vms')}))::integer`.as('stale'),
    ])
    .where('vms.deleted_at', 'is', null)
    .where(sql<boolean>`o.gone IS NOT TRUE`)
    .where(inScope(scope, 'vms.organization_id'))
    .groupBy(status);
  return (vdc === undefined ? counts : counts.where('vms.vdc_id', '=', vdc)).execute();
}

/** Those that `listVapps` lists. */
export function countVappsByStatus(
  db: Kysely<Tables>,
  scope: Scope,
  vdc?: VdcId,
): Promise<readonly StatusCount<ShownVappStatus>[]> {
  const counts = db
    .selectFrom('vapps')
    .innerJoin('vapp_status as s', 's.vapp_id', 'vapps.id')
    .select(['s.status', total, sql<number>`(count(*) FILTER (WHERE s.stale))::integer`.as('stale')])
    .where('vapps.deleted_at', 'is', null)
    .where('vapps.hidden', '=', false)
    .where(inScope(scope, 'vapps.organization_id'))
    .groupBy('s.status');
  return (vdc === undefined ? counts : counts.where('vapps.vdc_id', '=', vdc)).execute();
}
