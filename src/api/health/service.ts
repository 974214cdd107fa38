/** Whether this process can do its work, and whether the vm-controller does its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { staleClusters } from '../../db/clusters.ts';
import { isLeaderAlive, vmControllerName } from '../../db/leader-health.ts';
import type { ApiDeps } from '../deps.ts';

type Asked = Pick<ApiDeps, 'database' | 'clusters' | 'waitsFor'>;

export interface Readiness {
  readonly ready: boolean;
  /** What is waited for, where it is more than an answer. */
  readonly message?: string;
  readonly services: {
    readonly database: 'ready' | 'unavailable';
    /** `stale`: it answers this process, and the vm-controller does not reach it, or is not there. */
    readonly clusters: Readonly<Record<string, 'ready' | 'unavailable' | 'stale'>>;
  };
  /** Names of clusters that are not ready: what needs them waits, everything else goes on. */
  readonly degraded: readonly string[];
}

/** Probes give up soon, too. */
const deadlineMs = 3_000;

export async function readiness({ database: { pool }, clusters, waitsFor }: Asked): Promise<Readiness> {
  // Before the tables are there the database answers, too.
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

/** By the row of its leader, so that every replica of this server says the same. Where nobody can be asked, it is not known to run. */
export function isControllerRunning(pool: Pool): Promise<boolean> {
  return inTime(isLeaderAlive(pool, vmControllerName), false);
}

/** The answer, or the other value where it fails or does not come in time. */
async function inTime<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  const given = new AbortController();
  const late = sleep(deadlineMs, otherwise, { signal: given.signal }).catch(() => otherwise); // answered before
  try {
    return await Promise.race([answer.catch(() => otherwise), late]); // the database is away: that is the answer
  } finally {
    given.abort();
  }
}
