/**
 * The rows that are bound to VMs of a cluster, one page at a time, because a sweep of 100,000 must not hold them all.
 */
import type { Pool } from 'pg';
import type { BoundVm } from './contracts.ts';
import { runRows } from './connection.ts';

const query = {
  name: 'ssvirt_bound_vms',
  text: `
    SELECT vm_id AS "vmId", namespace, name, uid FROM vm_observed
    WHERE cluster = $1 AND NOT gone AND vm_id > $2::uuid AND ($3::text IS NULL OR namespace = $3)
    ORDER BY vm_id LIMIT $4`,
};

export interface BoundVmsOptions {
  readonly namespace?: string;
  readonly pageSize?: number;
}

export async function* boundVms(
  pool: Pool,
  cluster: string,
  { namespace, pageSize = 1000 }: BoundVmsOptions = {},
): AsyncGenerator<readonly BoundVm[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await runRows<BoundVm>(pool, { ...query, values: [cluster, after, namespace ?? null, pageSize] });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.vmId;
  }
}
