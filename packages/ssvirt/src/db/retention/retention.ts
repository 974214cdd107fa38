/**
 * Removes what has been kept long enough. Each small batch is a statement of its own: no lock is held for long, locked
 * rows are left for the next time, and an interrupted sweep loses nothing. Children are removed before their parents,
 * and a parent stays while it has a child.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Tables } from '../schema/schema.ts';

/** How long rows are kept after their end, in milliseconds. */
export interface RetentionAges {
  readonly changeLog: number;
  /** Ended tasks. */
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
  /** When the row ended; null while it is live. */
  readonly over: RawBuilder<unknown>;
  /** Columns that refer to the row, as [table, column]: the row stays while one of them does. */
  readonly unlessNamedBy?: readonly (readonly [table: string, column: string])[];
}

/** In the order of the foreign keys. */
const rules: readonly Rule[] = [
  { table: 'change_log', age: 'changeLog', over: sql`t.at` },
  { table: 'audit_events', age: 'audit', over: sql`t.at` },
  { table: 'sync_failures', age: 'deleted', over: sql`t.resolved_at` },
  { table: 'sessions', age: 'deleted', over: sql`t.ended_at` },
  // Includes tokens that were never handed out. The sessions of a revoked token have already ended.
  { table: 'api_tokens', age: 'deleted', over: sql`t.revoked_at` },
  { table: 'tasks', age: 'tasks', over: sql`t.ended_at` },
  // Also a VM that disappeared from its cluster without a request, which its tenant can see until then.
  {
    table: 'vms',
    age: 'deleted',
    over: sql`coalesce(t.deleted_at, (SELECT o.status_changed_at FROM vm_observed o WHERE o.vm_id = t.id AND o.status = 'DELETED'))`,
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
      ['vapps', 'owner_id'],
      ['vms', 'owner_id'],
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

/** `sweepRetention` resolves to the number of removed rows, by table. */
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
