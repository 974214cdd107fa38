/** Whether this process can serve requests, and whether a vm-controller is running. */
import { defined } from '@ssvirt/base/values/defined';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { followedClusters } from '../../../db/clusters/clusters.ts';
import { isLeaderAlive, vmControllerName } from '../../../db/clusters/leader-health.ts';
import type { ApiDeps } from '../../deps.ts';

type Asked = Pick<ApiDeps, 'database' | 'clusters' | 'waitsFor'>;

/**
 * `unavailable`: it does not answer this process. `stale`: it does, but the vm-controller does not reach it or is not
 * running. `unknown`: it does, but the vm-controller has never reached it, or the database does not say.
 */
type ClusterState = 'ready' | 'unavailable' | 'stale' | 'unknown';

export interface Readiness {
  readonly ready: boolean;
  /** What the server is waiting for, if there is more to say than that the database does not answer. */
  readonly message?: string;
  readonly services: {
    readonly database: 'ready' | 'unavailable';
    /** How many clusters are in each state. Strangers ask, too: names are in `GET /clusters`. */
    readonly clusters: Readonly<Record<ClusterState, number>>;
  };
  /** How many clusters are not ready: requests that need them wait, everything else works. */
  readonly degraded: number;
}

/** Probes have short timeouts, too. */
const deadlineMs = 3_000;

export async function readiness({ database: { pool }, clusters, waitsFor }: Asked): Promise<Readiness> {
  // The database also answers before the tables exist.
  const [answers, followed] = await Promise.all([
    inTime(
      pool.query('SELECT 1').then(() => true),
      false,
    ),
    inTime<ReadonlyMap<string, boolean>>(followedClusters(pool), new Map()),
  ]);
  const missing = waitsFor?.();
  const states = clusters
    .list()
    .map(({ name, available }) => (available ? stateOf(followed.get(name)) : 'unavailable'));
  const count = (state: ClusterState): number => states.filter((one) => one === state).length;
  return {
    ready: answers && missing === undefined,
    ...defined({ message: missing }),
    services: {
      database: answers ? 'ready' : 'unavailable',
      clusters: {
        ready: count('ready'),
        unavailable: count('unavailable'),
        stale: count('stale'),
        unknown: count('unknown'),
      },
    },
    degraded: states.length - count('ready'),
  };
}

function stateOf(isFollowed: boolean | undefined): ClusterState {
  if (isFollowed === undefined) return 'unknown';
  return isFollowed ? 'ready' : 'stale';
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
