/** Whether this process can serve requests, and whether a vm-controller is running. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { staleClusters } from '../../../db/clusters/clusters.ts';
import { isLeaderAlive, vmControllerName } from '../../../db/clusters/leader-health.ts';
import type { ApiDeps } from '../../deps.ts';

type Asked = Pick<ApiDeps, 'database' | 'clusters' | 'waitsFor'>;

export interface Readiness {
  readonly ready: boolean;
  /** What the server is waiting for, if there is more to say than that the database does not answer. */
  readonly message?: string;
  readonly services: {
    readonly database: 'ready' | 'unavailable';
    /** `stale`: it answers this process, but the vm-controller does not reach it or is not running. */
    readonly clusters: Readonly<Record<string, 'ready' | 'unavailable' | 'stale'>>;
  };
  /** Names of clusters that are not ready: requests that need them wait, everything else works. */
  readonly degraded: readonly string[];
}

/** Probes have short timeouts, too. */
const deadlineMs = 3_000;

export async function readiness({ database: { pool }, clusters, waitsFor }: Asked): Promise<Readiness> {
  // The database also answers before the tables exist.
  const [answers, stale] = await Promise.all([
    inTime(
      pool.query('SELECT 1').then(() => true),
      false,
    ),
    inTime<readonly string[]>(staleClusters(pool), []),
  ]);
  const missing = waitsFor?.();
  const states = clusters
    .list()
    .map(
      ({ name, available }) => [name, !available ? 'unavailable' : stale.includes(name) ? 'stale' : 'ready'] as const,
    );
  return {
    ready: answers && missing === undefined,
    ...(missing === undefined ? {} : { message: missing }),
    services: {
      database: answers ? 'ready' : 'unavailable',
      clusters: Object.fromEntries(states),
    },
    degraded: states.filter(([, state]) => state !== 'ready').map(([name]) => name),
  };
}

/**
 * From the leader's heartbeat row, so that all replicas agree. If the database does not answer, the controller does not
 * count as running.
 */
export function isControllerRunning(pool: Pool): Promise<boolean> {
  return inTime(isLeaderAlive(pool, vmControllerName), false);
}

/** The answer, or `otherwise` if it fails or takes too long. */
async function inTime<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  const given = new AbortController();
  const late = sleep(deadlineMs, otherwise, { signal: given.signal }).catch(() => otherwise); // answered before
  try {
    return await Promise.race([answer.catch(() => otherwise), late]); // the database is unavailable: that is the answer
  } finally {
    given.abort();
  }
}
