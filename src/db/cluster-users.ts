/** Who is in a cluster, for whoever wants to take it out of the fleet. */
import type { Pool } from 'pg';

/** More are of no use to anybody who reads it. */
const most = 100;

/** The virtual data centers that are not deleted, also those that are about to be, in words. */
export async function usersOfCluster(pool: Pick<Pool, 'query'>, cluster: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ readonly vdc: string; readonly organization: string }>(
    `SELECT v.name AS vdc, o.name AS organization FROM vdcs v JOIN organizations o ON o.id = v.organization_id
     WHERE v.cluster = $1 AND v.deleted_at IS NULL ORDER BY o.name, v.name LIMIT $2`,
    [cluster, most],
  );
  return rows.map(({ vdc, organization }) => `virtual data center "${vdc}" of organization "${organization}"`);
}
