/** Lists what uses a cluster, for a person who wants to remove it from the fleet. */
import type { Pool } from 'pg';

/** A longer list would not help a reader. */
const most = 100;

/** `usersOfCluster` returns the VDCs that are not deleted, including those whose removal is requested, as text for a message. */
export async function usersOfCluster(pool: Pick<Pool, 'query'>, cluster: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ readonly vdc: string; readonly organization: string }>(
    `SELECT v.name AS vdc, o.name AS organization FROM vdcs v JOIN organizations o ON o.id = v.organization_id
     WHERE v.cluster = $1 AND v.deleted_at IS NULL ORDER BY o.name, v.name LIMIT $2`,
    [cluster, most],
  );
  return rows.map(({ vdc, organization }) => `virtual data center "${vdc}" of organization "${organization}"`);
}
