/** Whether a singleton is at work, wherever it runs: by the heartbeat of the leader of now, and by PostgreSQL's clock. */
import type { Pool } from 'pg';

/** One that has just won, and has had no time for a heartbeat, counts from when it won. */
const alive = `
  SELECT greatest(l.won_at, h.at) > clock_timestamp() - make_interval(secs => $2::float8 / 1000) AS alive
  FROM leaders l LEFT JOIN heartbeats h ON h.name = l.name AND h.epoch = l.epoch
  WHERE l.name = $1`;

export async function isLeaderAlive(pool: Pool, name: string, staleAfterMs: number): Promise<boolean> {
  const { rows } = await pool.query<{ alive: boolean }>(alive, [name, staleAfterMs]);
  return rows[0]?.alive ?? false;
}
