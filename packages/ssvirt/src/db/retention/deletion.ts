/** A deletion is an update of `deleted_at`. Foreign keys do not see it, so this file refuses what they would refuse. */
import { sql, type Kysely, type Transaction } from 'kysely';

import { InUse, Missing } from '../connection/duplicate.ts';
import type { Tables } from '../schema/schema.ts';

type Parent = 'organizations' | 'vdcs' | 'catalogs' | 'vapps';

/** The tables that refer to a row, and the column of the reference. */
const children: Readonly<Record<Parent, readonly (readonly [table: string, column: string, live: string])[]>> = {
  organizations: [
    ['vdcs', 'organization_id', 'deleted_at IS NULL'],
    ['catalogs', 'organization_id', 'deleted_at IS NULL'],
    ['users', 'organization_id', 'deleted_at IS NULL'],
  ],
  vdcs: [['vapps', 'vdc_id', 'deleted_at IS NULL']],
  catalogs: [['catalog_items', 'catalog_id', 'deleted_at IS NULL']],
  // A VM that is gone from the cluster does not count, although its row was not deleted.
  vapps: [['vm_status', 'vapp_id', "status <> 'DELETED'"]],
};

/**
 * Marks a row as deleted; rejects with `InUse` while live rows belong to it. It locks the row first: `holdLive` takes a
 * conflicting lock when a child is created. Resolves to false when there is no live row.
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

/** `markDeleted` resolves to false when there is no live row. */
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

/** Rows of these tables accept no new children once their removal is requested. */
const staying: Readonly<Partial<Record<Parent, string>>> = { vdcs: "AND desired_state = 'present'" };

/**
 * Locks the parent of a row that is about to be created, so that it is not deleted at the same time. `table` and
 * `column` are where the parent's id will be stored.
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
