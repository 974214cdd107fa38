/** The rows of the database as users would see them. */
import type { Pool } from 'pg';
import { until, type UntilOptions } from '../runtime/until.ts';

export interface ShownVm {
  readonly id: string;
  readonly vapp_id: string;
  readonly vm_name: string;
  readonly origin: string;
  readonly status: string;
  readonly stale: boolean;
  readonly uid: string | null;
  readonly fault_reason: string | null;
  readonly fault: string | null;
  readonly cpu_count: number | null;
  readonly memory_mb: number | string | null;
  readonly guest_os: string | null;
  readonly ip_addresses: readonly string[] | null;
  readonly node: string | null;
  readonly host_name: string | null;
  readonly disks: readonly Readonly<Record<string, unknown>>[] | null;
}

export interface ShownCluster {
  readonly name: string;
  readonly identity: string | null;
  readonly state: string;
  readonly message: string;
  readonly unreadable_namespaces: readonly string[];
}

export interface ShownFailure {
  readonly vm_name: string;
  readonly error_type: string;
  readonly message: string;
  readonly attempts: number;
  readonly resolved: boolean;
}

const IN_TIME = { deadlineMs: 60_000, everyMs: 25 } as const;

export class Rows {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** In order of creation. */
  async vms(namespace: string): Promise<readonly ShownVm[]> {
    const { rows } = await this.#pool.query<ShownVm>(
      `SELECT v.id, v.vapp_id, v.vm_name, v.origin, s.status, s.stale, o.uid, o.fault_reason, o.fault, o.cpu_count, o.memory_mb, o.guest_os,
        o.ip_addresses, o.node, o.host_name, o.disks
       FROM vms v JOIN vm_status s ON s.vm_id = v.id LEFT JOIN vm_observed o ON o.vm_id = v.id
       WHERE v.namespace = $1 ORDER BY v.created_at, v.id`,
      [namespace],
    );
    return rows;
  }

  async vapp(id: string): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ status: string }>(
      'SELECT status FROM vapp_status WHERE vapp_id = $1::uuid',
      [id],
    );
    return rows[0]?.status;
  }

  async vappStatus(id: string, wanted: string): Promise<void> {
    await until(
      `the vApp is ${wanted}`,
      async () => {
        const status = await this.vapp(id);
        if (status === wanted) return true;
        throw new Error(`it is ${status}`);
      },
      IN_TIME,
    );
  }

  async cluster(name: string): Promise<ShownCluster | undefined> {
    const { rows } = await this.#pool.query<ShownCluster>(
      'SELECT name, identity, state, message, unreadable_namespaces FROM clusters WHERE name = $1',
      [name],
    );
    return rows[0];
  }

  async failures(namespace: string): Promise<readonly ShownFailure[]> {
    const { rows } = await this.#pool.query<ShownFailure>(
      `SELECT vm_name, error_type, message, attempts, resolved_at IS NOT NULL AS resolved FROM sync_failures WHERE namespace = $1 ORDER BY first_failed_at`,
      [namespace],
    );
    return rows;
  }

  /** Waits until the probe accepts the rows of the namespace; resolves to them. An error shows the last rows. */
  async until(
    what: string,
    namespace: string,
    probe: (rows: readonly ShownVm[]) => boolean,
    options: UntilOptions = {},
  ): Promise<readonly ShownVm[]> {
    let found: readonly ShownVm[] = [];
    await until(
      what,
      async () => {
        found = await this.vms(namespace);
        if (probe(found)) return true;
        throw new Error(`the rows are ${JSON.stringify(found)}`);
      },
      { ...IN_TIME, ...options },
    );
    return found;
  }

  /** Waits until the only row of the namespace has that status; resolves to it. */
  async status(namespace: string, wanted: string): Promise<ShownVm> {
    const [row] = await this.until(
      `the row is ${wanted}`,
      namespace,
      (rows) => rows.length === 1 && rows[0]?.status === wanted,
    );
    if (row === undefined) throw new Error('until has not waited');
    return row;
  }
}
