/** A tenant with a VDC, a writer's term, and builders, for the tests of what the vm-controller writes. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { VmObservation, WriterTerm } from '../../packages/ssvirt/src/db/observations/contracts.ts';
import { createLeaderStore } from '../../packages/ssvirt/src/db/observations/leaders.ts';

export interface World {
  readonly pool: pg.Pool;
  readonly organization: string;
  readonly vdc: string;
  readonly vapp: string;
  readonly term: WriterTerm;
}

/** VDC `dev` is namespace `dev` of the cluster `east`, with a vApp `web`. */
export async function buildWorld(pool: pg.Pool): Promise<World> {
  const organization = await insert(pool, 'organizations', { name: 'acme' });
  const vdc = await addVdc(pool, organization, 'dev', 'east');
  const vapp = await insert(pool, 'vapps', { vdc_id: vdc, name: 'web' });
  const epoch = await createLeaderStore(pool).raise({
    name: 'vm-controller',
    leaseEpoch: 1,
    holder: 'one',
    staleAfterMs: 60_000,
  });
  if (epoch === undefined) throw new Error('there is no leader yet, and still the first one was refused');
  return { pool, organization, vdc, vapp, term: { name: 'vm-controller', epoch } };
}

export function addVdc(pool: pg.Pool, organization: string, namespace: string, cluster: string): Promise<string> {
  return insert(pool, 'vdcs', { organization_id: organization, name: `${cluster}-${namespace}`, cluster, namespace });
}

/** A row of `vms` that a user has requested. */
export function addVm(pool: pg.Pool, vapp: string, values: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return insert(pool, 'vms', {
    vapp_id: vapp,
    name: 'db',
    cluster: 'east',
    namespace: 'dev',
    vm_name: 'db',
    ...values,
  });
}

export async function insert(pool: pg.Pool, table: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  const columns = Object.keys(values);
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
    Object.values(values),
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`no row was inserted into ${table}`);
  return row.id;
}

/** A running VM `db` in the VDC of the world that has no row yet. */
export function observation(changes: Partial<VmObservation> = {}): VmObservation {
  return {
    cluster: 'east',
    namespace: 'dev',
    name: 'db',
    uid: randomUUID(),
    generation: 1,
    status: 'POWERED_ON',
    debouncing: false,
    busy: false,
    restartRequired: false,
    ipAddresses: [],
    disks: [],
    ...changes,
  };
}

/** Resolves once it is true. Polls the server's own state, which sends no notification. */
export async function until(what: string, holds: () => Promise<boolean>, withinMs = 5000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${withinMs} ms`);
    await new Promise((resolve) => void setTimeout(resolve, 5));
  }
}

/** Whether a statement with this beginning waits for a lock. */
export async function isWaiting(pool: pg.Pool, statement: string): Promise<boolean> {
  const { rows } = await pool.query<{ waiting: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%' || $1 || '%') AS waiting`,
    [statement],
  );
  return rows[0]?.waiting === true;
}
