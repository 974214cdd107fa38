/** How many connections to PostgreSQL a process has, and how many callers wait for one. */
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** Several pools of one process are added up. */
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
  gauge('ssvirt_database_connections', 'Open connections to PostgreSQL, including idle ones', () =>
    sum((one) => one.totalCount),
  );
  gauge('ssvirt_database_connections_idle', 'Idle connections to PostgreSQL', () => sum((one) => one.idleCount));
  gauge('ssvirt_database_connections_max', 'Maximum number of connections to PostgreSQL', () =>
    sum((one) => one.options.max ?? 0),
  );
  gauge('ssvirt_database_waiting', 'Statements that wait for a free connection', () => sum((one) => one.waitingCount));
}
