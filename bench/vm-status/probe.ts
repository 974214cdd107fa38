/**
 * What the database reports about the writes of a contestant. The time of a write is that of its commit, which is fair
 * with and without batching.
 */
import type pg from 'pg';
import type { Write } from './latencies.ts';
import type { Versions } from './load.ts';
import { indexOf } from './machines.ts';

const pollEvery = 100;

/** Records a row for each write of a status, in an unlogged table. */
export async function watchWrites(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE UNLOGGED TABLE bench_writes (
      sequence bigint GENERATED ALWAYS AS IDENTITY,
      transaction xid NOT NULL DEFAULT pg_current_xact_id()::xid,
      vm_id uuid NOT NULL,
      status text NOT NULL
    );
    CREATE FUNCTION bench_write() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO bench_writes (vm_id, status) VALUES (NEW.vm_id, NEW.status);
        RETURN NULL;
      END $$;
    CREATE TRIGGER bench_insert AFTER INSERT ON vm_observed FOR EACH ROW EXECUTE FUNCTION bench_write();
    CREATE TRIGGER bench_update AFTER UPDATE ON vm_observed FOR EACH ROW
      WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION bench_write();
  `);
}

export class Probe {
  readonly #pool: pg.Pool;
  readonly #role: string;

  constructor(pool: pg.Pool, role: string) {
    this.#pool = pool;
    this.#role = role;
  }

  /** Writes and statements count from here. */
  async reset(): Promise<void> {
    await this.#pool.query('TRUNCATE bench_writes');
    await this.#pool.query('SELECT pg_stat_statements_reset()');
  }

  async statements(): Promise<number> {
    const { rows } = await this.#pool.query<{ calls: string }>(
      `SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements
       WHERE toplevel AND userid = $1::regrole AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [this.#role],
    );
    return Number(rows[0]?.calls ?? 0);
  }

  async writes(): Promise<readonly Write[]> {
    const { rows } = await this.#pool.query<{ vm_id: string; status: string; at: string }>(
      `SELECT vm_id, status, extract(epoch FROM pg_xact_commit_timestamp(transaction)) * 1000 AS at
       FROM bench_writes ORDER BY sequence`,
    );
    return rows.map(({ vm_id: id, status, at }) => ({ index: indexOf(id), status, at: Number(at) }));
  }

  /**
   * Waits until every row matches its VM. Returns false at the timeout: the contestant has lost events, or is too slow.
   */
  async inSync(versions: Versions, patience: number, isAlive: () => boolean): Promise<boolean> {
    const deadline = performance.now() + patience;
    const expected = versions.tally();
    for (;;) {
      if ((await this.#tallies(expected)) && (await this.#wrongRows(versions)) === 0) return true;
      if (!isAlive() || performance.now() > deadline) return false;
      await new Promise((wake) => setTimeout(wake, pollEvery));
    }
  }

  /** Cheap enough to repeat often; the rows themselves are compared once this holds. */
  async #tallies(expected: ReadonlyMap<string, number>): Promise<boolean> {
    const { rows } = await this.#pool.query<{ status: string; count: string }>(
      'SELECT status, count(*) FROM vm_observed GROUP BY status',
    );
    return rows.length === expected.size && rows.every(({ status, count }) => expected.get(status) === Number(count));
  }

  async #wrongRows(versions: Versions): Promise<number> {
    const { rows } = await this.#pool.query<{ vm_id: string; status: string }>('SELECT vm_id, status FROM vm_observed');
    return rows.filter(({ vm_id: id, status }) => versions.rowStatus(indexOf(id)) !== status).length;
  }
}
