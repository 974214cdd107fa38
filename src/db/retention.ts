/**
 * Removes what has been kept long enough. Small batches, each a statement of its own: no lock is held for long, rows that somebody holds are left for
 * the next time, and a sweep that is stopped has lost nothing. Children go before their parents, and a parent stays while a child does.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Tables } from './schema.ts';

/** How long things are kept after they are over, in milliseconds. */
export interface RetentionAges {
  readonly changeLog: number;
  /** Ended ones. */
  readonly tasks: number;
  readonly audit: number;
  /** Deleted rows, ended sessions, resolved sync failures. */
  readonly deleted: number;
}

export interface RetentionOptions {
  readonly batchSize?: number;
  readonly signal?: AbortSignal;
}

interface Rule {
  readonly table: keyof Tables;
  readonly age: keyof RetentionAges;
  /** When the row was over; null while it is not. */
  readonly over: RawBuilder<unknown>;
  /** Columns that name the row, for those that still stand on it: [table, column]. */
  readonly unlessNamedBy?: readonly (readonly [table: string, column: string])[];
}

/** In the order of the foreign keys. */
const rules: readonly Rule[] = [
  { table: 'change_log', age: 'changeLog', over: sql`t.at` },
  { table: 'audit_events', age: 'audit', over: sql`t.at` },
  { table: 'sync_failures', age: 'deleted', over: sql`t.resolved_at` },
  { table: 'sessions', age: 'deleted', over: sql`t.ended_at` },
  // Handed out or not; the sessions that came from it have ended with it.
  { table: 'api_tokens', age: 'deleted', over: sql`t.revoked_at` },
  { table: 'tasks', age: 'tasks', over: sql`t.ended_at` },
  // Gone from the cluster without anybody's wish: the row stays as long as it says 'present', since someone may look for it.
  {
    table: 'vms',
    age: 'deleted',
    over: sql`coalesce(t.deleted_at, CASE WHEN t.desired_state <> 'present' THEN
      (SELECT o.status_changed_at FROM vm_observed o WHERE o.vm_id = t.id AND o.status = 'DELETED') END)`,
  },
  { table: 'vapps', age: 'deleted', over: sql`t.deleted_at`, unlessNamedBy: [['vms', 'vapp_id']] },
  { table: 'catalog_items', age: 'deleted', over: sql`t.deleted_at` },
  { table: 'catalogs', age: 'deleted', over: sql`t.deleted_at`, unlessNamedBy: [['catalog_items', 'catalog_id']] },
  { table: 'vdcs', age: 'deleted', over: sql`t.deleted_at`, unlessNamedBy: [['vapps', 'vdc_id']] },
  {
    table: 'users',
    age: 'deleted',
    over: sql`t.deleted_at`,
    unlessNamedBy: [
      ['tasks', 'user_id'],
      ['catalogs', 'owner_id'],
    ],
  },
  {
    table: 'organizations',
    age: 'deleted',
    over: sql`t.deleted_at`,
    unlessNamedBy: [
      ['users', 'organization_id'],
      ['vdcs', 'organization_id'],
      ['catalogs', 'organization_id'],
      ['tasks', 'organization_id'],
      ['sessions', 'organization_id'],
    ],
  },
];

/** How many rows were removed, of each table that lost some. */
export async function sweepRetention(
  db: Kysely<Tables>,
  ages: RetentionAges,
  { batchSize = 500, signal }: RetentionOptions = {},
): Promise<ReadonlyMap<keyof Tables, number>> {
  const removed = new Map<keyof Tables, number>();
  for (const rule of rules) {
    for (let batch = batchSize; batch === batchSize;) {
      signal?.throwIfAborted();
      batch = await removeBatch(db, rule, ages[rule.age], batchSize);
      if (batch > 0) removed.set(rule.table, (removed.get(rule.table) ?? 0) + batch);
    }
  }
  return removed;
}

async function removeBatch(db: Kysely<Tables>, rule: Rule, ageMs: number, batchSize: number): Promise<number> {
  const table = sql.table(rule.table);
  const { numAffectedRows } = await sql`
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT t.ctid FROM ${table} t
      WHERE ${rule.over} < now() - ${ageMs} * interval '1 millisecond' ${unnamed(rule)}
      LIMIT ${batchSize} FOR UPDATE OF t SKIP LOCKED
    ))
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}

function unnamed({ unlessNamedBy = [] }: Rule): RawBuilder<unknown> {
  const conditions = unlessNamedBy.map(
    ([table, column]) => sql`AND NOT EXISTS (SELECT FROM ${sql.table(table)} c WHERE ${sql.ref(`c.${column}`)} = t.id)`,
  );
  return conditions.length === 0 ? sql`` : sql.join(conditions, sql` `);
}
