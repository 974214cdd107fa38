/** How many connections to PostgreSQL a process has, and whether somebody waits for one. */
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** More of one process are counted together. */
export type WatchedPool = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> & {
  readonly options: { readonly max?: number | undefined };
};

export function showPools(registry: Registry, pools: readonly WatchedPool[]): void {
  const sum = (of: (pool: WatchedPool) => number): number => pools.reduce((all, pool) => all + of(pool), 0);
  const gauge = (name: string, help: string, value: () => number): unknown =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('ssvirt_database_connections', 'Connections to PostgreSQL, idle ones too', () => sum((one) => one.totalCount));
  gauge('ssvirt_database_connections_idle', 'Connections to PostgreSQL that nobody uses now', () =>
    sum((one) => one.idleCount),
  );
  gauge('ssvirt_database_connections_max', 'Connections to PostgreSQL that the process makes at most', () =>
    sum((one) => one.options.max ?? 0),
  );
  gauge('ssvirt_database_waiting', 'Statements that wait for a connection: all are in use', () =>
    sum((one) => one.waitingCount),
  );
}
