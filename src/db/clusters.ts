/** What is known of the clusters of the fleet beyond this process: how the vm-controller finds them, and how many virtual data centers are there. */
import { sql, type Kysely } from 'kysely';

import type { ClusterTable, Tables } from './schema.ts';

export interface ClusterRow {
  readonly name: string;
  /** Null where the vm-controller has not been there yet. */
  readonly state: ClusterTable['state'] | null;
  readonly message: string;
  readonly state_since: Date | null;
  readonly synced_at: Date | null;
  readonly vdc_count: number;
}

/** All that have a row, or a virtual data center. */
export async function listClusterRows(db: Kysely<Tables>): Promise<readonly ClusterRow[]> {
  const { rows } = await sql<ClusterRow>`
    SELECT name, c.state, coalesce(c.message, '') AS message, c.state_since, c.synced_at, coalesce(v.vdc_count, 0) AS vdc_count
    FROM clusters c
    FULL JOIN (
      SELECT cluster AS name, count(*)::integer AS vdc_count FROM vdcs WHERE deleted_at IS NULL GROUP BY cluster
    ) v USING (name)
    ORDER BY name
  `.execute(db);
  return rows;
}
