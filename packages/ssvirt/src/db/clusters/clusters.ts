/**
 * What is known about the fleet's clusters beyond this process: their state as the vm-controller reports it, and how
 * many VDCs they have.
 */
import { sql, type Kysely } from 'kysely';
import type { Pool } from 'pg';

import type { ClusterTable, JsonObject, Tables } from '../schema/schema.ts';
import { clusterIsCurrent, stalenessOf, type Staleness } from './staleness.ts';

export interface ClusterRow {
  readonly name: string;
  /** Null when the vm-controller has not reached the cluster yet. */
  readonly state: ClusterTable['state'] | null;
  readonly message: string;
  readonly state_since: Date | null;
  readonly synced_at: Date | null;
  readonly contacted_at: Date | null;
  /**
   * Why the shown status of its VMs is stale; null when it is current, or when the vm-controller has not reached the
   * cluster yet.
   */
  readonly staleness: Staleness | null;
  readonly vdc_count: number;
  /** What the vm-controller read last; null before the first time. */
  readonly details: JsonObject | null;
  readonly details_read_at: Date | null;
  /** The vm-controller has missed two readings. */
  readonly details_stale: boolean;
}

const isStale = sql<boolean>`(clusters.state IS NOT NULL AND NOT ${clusterIsCurrent})`;

/** `followedClusters` returns whether the VMs of a cluster are followed at the moment. The vm-controller has never reached one that is missing. */
export async function followedClusters(pool: Pool): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await pool.query<{ name: string; current: boolean }>({
    name: 'ssvirt_followed_clusters',
    text: 'SELECT name, cluster_is_current(state, contacted_at, current_until) AS current FROM clusters',
  });
  return new Map(rows.map(({ name, current }) => [name, current]));
}

/** The vm-controller reads every five minutes (controllers/vm-status/cluster-details.ts). */
const detailsLifetime = sql`interval '15 minutes'`;

/** All clusters that have a row or a VDC. */
export async function listClusterRows(db: Kysely<Tables>): Promise<readonly ClusterRow[]> {
  const { rows } = await sql<ClusterRow>`
    SELECT name, clusters.state, coalesce(clusters.message, '') AS message, clusters.state_since, clusters.synced_at, clusters.contacted_at,
      ${stalenessOf(isStale, sql`NULL`)} AS staleness, coalesce(v.vdc_count, 0) AS vdc_count,
      d.details, d.read_at AS details_read_at,
      coalesce(d.read_at NOT BETWEEN statement_timestamp() - ${detailsLifetime} AND statement_timestamp() + interval '5 seconds', false) AS details_stale
    FROM clusters
    FULL JOIN (
      SELECT cluster AS name, count(*)::integer AS vdc_count FROM vdcs WHERE deleted_at IS NULL GROUP BY cluster
    ) v USING (name)
    LEFT JOIN cluster_details d ON d.cluster = name
    ORDER BY name
  `.execute(db);
  return rows;
}
