/** A deletion is an update of `deleted_at`, which foreign keys do not see: what they would refuse is refused here. */
import { sql, type Kysely, type Transaction } from 'kysely';

import { InUse, Missing } from './duplicate.ts';
import type { Tables } from './schema.ts';

type Parent = 'organizations' | 'vdcs' | 'catalogs' | 'vapps';

/** What belongs to a row, and the column that says to which. */
const children: Readonly<Record<Parent, readonly (readonly [table: string, column: string, live: string])[]>> = {
  organizations: [
    ['vdcs', 'organization_id', 'deleted_at IS NULL'],
    ['catalogs', 'organization_id', 'deleted_at IS NULL'],
    ['users', 'organization_id', 'deleted_at IS NULL'],
  ],
  vdcs: [['vapps', 'vdc_id', 'deleted_at IS NULL']],
  catalogs: [['catalog_items', 'catalog_id', 'deleted_at IS NULL']],
  // One that the cluster says is gone belongs to nobody, though nobody here has deleted it.
  vapps: [['vm_status', 'vapp_id', "status <> 'DELETED'"]],
};

/**
 * Marks a row as deleted; refused (`InUse`) while live rows belong to it. The row is locked first, against `holdLive`: who makes a child holds it.
 * False where there is no live row.
 */
export async function deleteUnused(tx: Transaction<Tables>, table: Parent, id: string): Promise<boolean> {
  const row = sql`${sql.table(table)} WHERE id = ${id} AND deleted_at IS NULL`;
  const { rows } = await sql`SELECT FROM ${row} FOR NO KEY UPDATE`.execute(tx);
  if (rows.length === 0) return false;
  for (const [child, column, live] of children[table]) {
    const found = await sql`
      SELECT FROM ${sql.table(child)} WHERE ${sql.ref(column)} = ${id} AND ${sql.raw(live)} LIMIT 1
    `.execute(tx);
    if (found.rows.length > 0) throw new InUse(table, child === 'vm_status' ? 'vms' : child);
  }
  await markDeleted(tx, table, id);
  return true;
}

/** False where there is no live row. */
export async function markDeleted(
  db: Kysely<Tables>,
  table: Parent | 'users' | 'catalog_items' | 'vms',
  id: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(table)} SET deleted_at = now(), updated_at = now() WHERE id = ${id} AND deleted_at IS NULL
  `.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Rows whose removal is asked for before they are deleted: nothing new comes into them from then on. */
const staying: Readonly<Partial<Record<Parent, string>>> = { vdcs: "AND desired_state = 'present'" };

/**
 * Holds the row that a new one will belong to, so that it is not deleted at the same time. `column` of `table` is where its id will stand.
 */
export async function holdLive(
  tx: Transaction<Tables>,
  parent: 'organizations' | 'vdcs' | 'catalogs',
  id: string,
  [table, column]: readonly [table: string, column: string],
): Promise<void> {
  const { rows } = await sql`
    SELECT FROM ${sql.table(parent)} WHERE id = ${id} AND deleted_at IS NULL ${sql.raw(staying[parent] ?? '')} FOR SHARE
  `.execute(tx);
  if (rows.length === 0) throw new Missing(table, column);
}
