/** Has the change log say when what is shown of a cluster's machines becomes stale, or is current again: nobody writes when the vm-controller dies. */
import { sql, type Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** Resolves to the names of the clusters that have changed. Replicas that do it at the same time tell each change once. */
export async function tellStale(
  db: Kysely<Tables>,
): Promise<readonly { readonly name: string; readonly stale: boolean }[]> {
  const stale = sql`NOT cluster_is_current(state, contacted_at, current_until)`;
  const { rows } = await sql<{ name: string; stale: boolean }>`
    UPDATE clusters SET told_stale = ${stale} WHERE told_stale IS DISTINCT FROM (${stale}) RETURNING name, told_stale AS stale
  `.execute(db);
  return rows;
}
