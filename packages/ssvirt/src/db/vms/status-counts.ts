/**
 * How many VMs and vApps have each status. They are counted from the copies by which lists are sorted: these have the
 * shown status of all VMs, while the views find it for one vApp after another.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { ShownVappStatus, ShownVmStatus, Tables, VdcId } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { clusterIsCurrent } from '../clusters/staleness.ts';

export interface StatusCount<Status extends string> {
  readonly status: Status;
  readonly total: number;
  /** Those whose status is stale. */
  readonly stale: number;
}

/** The VMs, each with its VDC as `d`, whose place is that of the VM, and `is_stale` as in the view vm_status. */
function listedVms(scope: Scope, vdc: VdcId | undefined): RawBuilder<unknown> {
  return sql`
    SELECT s.vapp_id, s.status, vm_is_stale(s.deleted_at, s.observed_status, d.namespace, clusters.name, ${clusterIsCurrent},
      clusters.unreadable_namespaces, u.id IS NOT NULL) AS is_stale
    FROM vm_list_states s
    JOIN vdcs d ON d.id = s.vdc_id
    LEFT JOIN clusters ON clusters.name = d.cluster
    LEFT JOIN (
      SELECT v.id FROM sync_failures f JOIN vms v ON (v.cluster, v.namespace, v.vm_name) = (f.cluster, f.namespace, f.vm_name)
      WHERE f.resolved_at IS NULL
    ) u ON u.id = s.vm_id
    WHERE s.listed AND ${inScope(scope, 's.organization_id')} ${vdc === undefined ? sql`` : sql`AND s.vdc_id = ${vdc}`}
  `;
}

const counts = sql`count(*)::integer AS total, (count(*) FILTER (WHERE is_stale))::integer AS stale`;

/** Those that `listVms` lists. */
export async function countVmsByStatus(
  db: Kysely<Tables>,
  scope: Scope,
  vdc?: VdcId,
): Promise<readonly StatusCount<ShownVmStatus>[]> {
  const { rows } = await sql<StatusCount<ShownVmStatus>>`
    SELECT upper(status) AS status, ${counts} FROM (${listedVms(scope, vdc)}) machines GROUP BY machines.status
  `.execute(db);
  return rows;
}

/** Those that `listVapps` lists; status and staleness are those of the view vapp_status. */
export async function countVappsByStatus(
  db: Kysely<Tables>,
  scope: Scope,
  vdc?: VdcId,
): Promise<readonly StatusCount<ShownVappStatus>[]> {
  const { rows } = await sql<StatusCount<ShownVappStatus>>`
    SELECT status, ${counts} FROM (
      SELECT
        CASE
          WHEN a.desired_state = 'absent' THEN 'DELETING'
          WHEN c.creation = 'running' THEN 'UNRESOLVED'
          WHEN c.creation = 'failed' THEN 'FAILED_CREATION'
          WHEN m.first IS NULL THEN 'RESOLVED'
          WHEN m.first = m.last THEN upper(m.first)
          ELSE 'MIXED'
        END AS status,
        coalesce(m.is_stale, clusters.name IS NOT NULL AND NOT ${clusterIsCurrent}) AS is_stale
      FROM vapps a
      JOIN vdcs d ON d.id = a.vdc_id
      LEFT JOIN clusters ON clusters.name = d.cluster
      LEFT JOIN vapp_observed o ON o.vapp_id = a.id
      CROSS JOIN LATERAL (SELECT CASE a.creation WHEN 'done' THEN coalesce(o.creation, 'done') ELSE a.creation END AS creation) c
      LEFT JOIN (
        SELECT vapp_id, min(status) AS first, max(status) AS last, bool_or(is_stale) AS is_stale
        FROM (${listedVms(scope, vdc)}) machines GROUP BY vapp_id
      ) m ON m.vapp_id = a.id
      WHERE a.deleted_at IS NULL AND NOT a.hidden AND ${inScope(scope, 'a.organization_id')}
        ${vdc === undefined ? sql`` : sql`AND a.vdc_id = ${vdc}`}
    ) vapps GROUP BY status
  `.execute(db);
  return rows;
}
