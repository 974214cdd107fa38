/**
 * Writes to the change log when the shown status of a cluster's VMs becomes stale or current again. It is needed
 * because nothing is written when the vm-controller dies.
 */
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../schema/schema.ts';

/** `tellStale` resolves to the clusters whose staleness changed. Replicas that run it concurrently report each change once. */
export async function tellStale(
  db: Kysely<Tables>,
): Promise<readonly { readonly name: string; readonly stale: boolean }[]> {
  const stale = sql`NOT cluster_is_current(state, contacted_at, current_until)`;
  const { rows } = await sql<{ name: string; stale: boolean }>`
    UPDATE clusters SET told_stale = ${stale} WHERE told_stale IS DISTINCT FROM (${stale}) RETURNING name, told_stale AS stale
  `.execute(db);
  return rows;
}
