/** Whether a singleton works, wherever it runs: by the heartbeat of the present leader and PostgreSQL's clock. */
import type { Pool } from 'pg';

/** The name of the vm-controller's Lease, also used in `leaders` and `heartbeats`. */
export const vmControllerName = 'ssvirt-vm-controller';

/**
 * A leader that has just won and has not sent a heartbeat counts from its win. A heartbeat says for how long it counts.
 * A time in the future is from before the clock was set back and proves nothing.
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
