/** Whether a singleton is at work, wherever it runs: by the heartbeat of the leader of now, and by PostgreSQL's clock. */
import type { Pool } from 'pg';

/** The Lease of the vm-controller, and its name in `leaders` and `heartbeats`. */
export const vmControllerName = 'ssvirt-vm-controller';

/**
 * One that has just won, and has had no time for a heartbeat, counts from when it won. A heartbeat says for how long it counts. One that lies in the future
 * is from before the clock was set back, and proves nothing.
 */
const alive = `
  SELECT r.at > statement_timestamp() - leader_silence(h.details) AND r.at < statement_timestamp() + interval '5 seconds' AS alive
  FROM leaders l LEFT JOIN heartbeats h ON h.name = l.name AND h.epoch = l.epoch
  CROSS JOIN LATERAL (SELECT greatest(l.won_at, h.at) AS at) r
  WHERE l.name = $1`;

export async function isLeaderAlive(pool: Pool, name: string): Promise<boolean> {
  const { rows } = await pool.query<{ alive: boolean }>(alive, [name]);
  return rows[0]?.alive ?? false;
}
