/** Whether this process can do its work, and whether the vm-controller does its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isLeaderAlive } from '../../db/leader-health.ts';
import type { ApiDeps } from '../deps.ts';

type Asked = Pick<ApiDeps, 'database' | 'clusters' | 'waitsFor'>;

export interface Readiness {
  readonly ready: boolean;
  /** What is waited for, where it is more than an answer. */
  readonly message?: string;
  readonly services: {
    readonly database: 'ready' | 'unavailable';
    readonly clusters: Readonly<Record<string, 'ready' | 'unavailable'>>;
  };
  /** Names of clusters that do not answer: what needs them waits, everything else goes on. */
  readonly degraded: readonly string[];
}

/** The Lease of the vm-controller, and its name in the database. */
const controllerName = 'ssvirt-vm-controller';
/** Its heartbeat comes every 5 s; a leader that has not been heard of for this long is none. */
const controllerStaleMs = 30_000;
/** Probes give up soon, too. */
const deadlineMs = 3_000;

export async function readiness({ database: { pool }, clusters, waitsFor }: Asked): Promise<Readiness> {
  const answers = await inTime(pool.query('SELECT 1').then(() => true));
  const missing = waitsFor?.();
  const entries = clusters.list();
  return {
    ready: answers && missing === undefined,
    ...(missing === undefined ? {} : { message: missing }),
    services: {
      database: answers ? 'ready' : 'unavailable',
      clusters: Object.fromEntries(entries.map(({ name, available }) => [name, available ? 'ready' : 'unavailable'])),
    },
    degraded: entries.filter(({ available }) => !available).map(({ name }) => name),
  };
}

/** By the row of its leader, so that every replica of this server says the same. Where nobody can be asked, it is not known to run. */
export function isControllerRunning(pool: Pool): Promise<boolean> {
  return inTime(isLeaderAlive(pool, controllerName, controllerStaleMs));
}

/** The answer, or false where it fails or does not come in time. */
async function inTime(answer: Promise<boolean>): Promise<boolean> {
  const given = new AbortController();
  const late = sleep(deadlineMs, false, { signal: given.signal }).catch(() => false); // answered before
  try {
    return await Promise.race([answer.catch(() => false), late]); // the database is away: that is the answer
  } finally {
    given.abort();
  }
}
