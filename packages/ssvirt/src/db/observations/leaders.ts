/** Which process may write, and when it was last alive. */
import type { Pool } from 'pg';
import { Fenced, type Heartbeat, type LeaderStore } from './contracts.ts';
import { runRows } from './connection.ts';
import { jsonParameter } from './json.ts';

/**
 * The row lock waits for statements of the previous leader, which hold the row FOR SHARE: once this statement returns,
 * no statement of an older epoch writes any more. The wait can be as long as such a statement may run. The times are
 * clock_timestamp(), because now() is from before the wait.
 */
const raise = {
  name: 'ssvirt_raise_leader',
  text: `
    INSERT INTO leaders AS l (name, epoch, lease_epoch, holder, won_at)
    SELECT $1::text, greatest(1, $2::bigint), $2, $3::text, clock_timestamp() FROM set_config('lock_timeout', '0', true)
    ON CONFLICT (name) DO UPDATE SET
      epoch = greatest(l.epoch + 1, excluded.lease_epoch), lease_epoch = excluded.lease_epoch, holder = excluded.holder,
      won_at = clock_timestamp(), round = 0
    WHERE l.lease_epoch < excluded.lease_epoch
      -- An answer that was lost.
      OR (l.lease_epoch = excluded.lease_epoch AND l.holder = excluded.holder)
      -- A heartbeat of another epoch says nothing of this leader: it counts from when it won.
      OR greatest(l.won_at, (SELECT h.at FROM heartbeats h WHERE h.name = l.name AND h.epoch = l.epoch))
        < clock_timestamp() - make_interval(secs => $4::float8 / 1000)
    RETURNING epoch`,
};

/**
 * Takes no lock on the leader's row, so it never waits for a batch. A heartbeat that is overtaken by a new leader's is
 * dropped.
 */
const beat = {
  name: 'ssvirt_beat',
  text: `
    WITH term AS MATERIALIZED (SELECT 1 FROM leaders WHERE name = $1 AND epoch = $2),
    written AS (
      INSERT INTO heartbeats AS h (name, epoch, holder, at, details)
      SELECT $1, $2, $3::text, clock_timestamp(), $4::jsonb FROM term
      ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder, at = excluded.at, details = excluded.details
      WHERE h.epoch <= excluded.epoch
    )
    SELECT 1 FROM term`,
};

const lastBeat = {
  name: 'ssvirt_last_beat',
  text: `
    SELECT epoch, holder, extract(epoch FROM clock_timestamp() - at)::float8 * 1000 AS "ageMs", details FROM heartbeats WHERE name = $1`,
};

export function createLeaderStore(pool: Pool): LeaderStore {
  return {
    async raise({ name, leaseEpoch, holder, staleAfterMs }) {
      const values = [name, leaseEpoch, holder, staleAfterMs];
      const { rows } = await runRows<{ epoch: string | number }>(pool, { ...raise, values });
      return rows[0] === undefined ? undefined : Number(rows[0].epoch);
    },
    async beat({ name, epoch }, holder, details) {
      const { rowCount } = await runRows(pool, { ...beat, values: [name, epoch, holder, jsonParameter(details)] });
      if (rowCount === 0)
        throw new Fenced(`cannot send a heartbeat as ${name} of epoch ${epoch}: another has become the leader since`);
    },
    async lastBeat(name) {
      const { rows } = await runRows<Omit<Heartbeat, 'epoch'> & { readonly epoch: string | number }>(pool, {
        ...lastBeat,
        values: [name],
      });
      return rows[0] === undefined ? undefined : { ...rows[0], epoch: Number(rows[0].epoch) };
    },
  };
}
