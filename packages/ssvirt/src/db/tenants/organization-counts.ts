/** Counts what organizations contain: a whole page of organizations in one statement. */
import { sql, type Kysely } from 'kysely';

import type { OrganizationId, Tables } from '../schema/schema.ts';

export interface OrganizationCounts {
  readonly vdcs: number;
  readonly catalogs: number;
  /** Without vApps that were created for a single VM. */
  readonly vapps: number;
  readonly users: number;
  /** VMs that are shown as POWERED_ON. */
  readonly runningVms: number;
  /** Disks of VMs that are not DELETED, as their clusters report them. */
  readonly disks: number;
  /** Organizations that it manages: the provider's organization manages all others. */
  readonly managed: number;
}

const none: OrganizationCounts = { vdcs: 0, catalogs: 0, vapps: 0, users: 0, runningVms: 0, disks: 0, managed: 0 };

interface Row extends OrganizationCounts {
  readonly id: OrganizationId;
}

export async function countInOrganizations(
  db: Kysely<Tables>,
  ids: readonly OrganizationId[],
  provider: OrganizationId,
): Promise<(id: OrganizationId) => OrganizationCounts> {
  if (ids.length === 0) return () => none;
  // Reads each table once for all organizations. With one query per organization, PostgreSQL would scan whole tables
  // each time it estimates that the organization is large.
  const asked = sql`organization_id = ANY (${ids}::uuid[]) AND`;
  const { rows } = await sql<Row>`
    WITH held AS MATERIALIZED (SELECT d.id, d.organization_id FROM vdcs d WHERE d.${asked} d.deleted_at IS NULL),
    own_vdcs AS (SELECT organization_id AS id, count(*)::integer AS total FROM held GROUP BY organization_id),
    own_catalogs AS (
      SELECT organization_id AS id, count(*)::integer AS total FROM catalogs c WHERE c.${asked} c.deleted_at IS NULL GROUP BY organization_id
    ),
    own_users AS (
      SELECT organization_id AS id, count(*)::integer AS total FROM users u WHERE u.${asked} u.deleted_at IS NULL GROUP BY organization_id
    ),
    own_vapps AS (
      SELECT d.organization_id AS id, count(*)::integer AS total
      FROM held d JOIN vapps a ON a.vdc_id = d.id AND a.deleted_at IS NULL AND NOT a.hidden
      GROUP BY d.organization_id
    ),
    machines AS (
      SELECT d.organization_id AS id,
        count(*) FILTER (WHERE o.status = 'POWERED_ON' AND v.desired_state <> 'absent')::integer AS running,
        coalesce(sum(jsonb_array_length(o.disks)), 0)::integer AS disks
      FROM held d
      JOIN vapps a ON a.vdc_id = d.id AND a.deleted_at IS NULL
      JOIN vms v ON v.vapp_id = a.id AND v.deleted_at IS NULL
      JOIN vm_observed o ON o.vm_id = v.id AND NOT o.gone
      GROUP BY d.organization_id
    )
    SELECT asked.id,
      coalesce(own_vdcs.total, 0) AS vdcs, coalesce(own_catalogs.total, 0) AS catalogs, coalesce(own_users.total, 0) AS users,
      coalesce(own_vapps.total, 0) AS vapps, coalesce(machines.running, 0) AS "runningVms", coalesce(machines.disks, 0) AS disks,
      CASE asked.id WHEN ${provider} THEN (
        SELECT count(*)::integer FROM organizations WHERE deleted_at IS NULL AND id <> asked.id
      ) ELSE 0 END AS managed
    FROM unnest(${ids}::uuid[]) AS asked (id)
    LEFT JOIN own_vdcs USING (id) LEFT JOIN own_catalogs USING (id) LEFT JOIN own_users USING (id)
    LEFT JOIN own_vapps USING (id) LEFT JOIN machines USING (id)
  `.execute(db);
  const counts = new Map(rows.map(({ id, ...count }) => [id, count]));
  return (id) => counts.get(id) ?? none;
}
