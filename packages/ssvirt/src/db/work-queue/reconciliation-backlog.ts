/** How much work waits and until when, and the message on work that no process claims. */
import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { ReconciledKind } from './reconciliations.ts';
import type { Tables } from '../schema/schema.ts';

export interface Backlog {
  /** Due and not claimed. */
  readonly due: number;
  /** The time until something is due or a lease ends; undefined when nothing waits. */
  readonly nextInMs: number | undefined;
}

export async function backlogOf(db: Kysely<Tables>, kind: ReconciledKind, cluster: string): Promise<Backlog> {
  const { rows } = await sql<{ readonly due: number; readonly next: number | null }>`
    SELECT count(*) FILTER (WHERE at <= now())::integer AS due, (extract(epoch FROM min(at) - now()) * 1000)::float8 AS next
    FROM (SELECT greatest(due_at, lease_until) AS at FROM reconciliations WHERE kind = ${kind} AND cluster = ${cluster}) waiting
  `.execute(db);
  const { due = 0, next = null } = rows[0] ?? {};
  return { due, nextInMs: next === null ? undefined : Math.max(0, next) };
}

export interface Overdue {
  readonly kind: ReconciledKind;
  /** Clusters that this process reaches. */
  readonly except: readonly string[];
  readonly sinceMs: number;
}

/** Clusters with work that no process has claimed for a while, which means that no process reaches them. */
export async function overdueClusters(
  db: Kysely<Tables>,
  { kind, except, sinceMs }: Overdue,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly cluster: string }>`
    SELECT DISTINCT cluster FROM reconciliations WHERE ${unattended(kind, sinceMs)} AND cluster <> ALL (${except}::text[])
  `.execute(db);
  return rows.map(({ cluster }) => cluster);
}

/**
 * Writes to work that was not claimed for a while what it waits for. Claims nothing: another process may still reach
 * the cluster.
 */
export async function explainOverdue(
  db: Kysely<Tables>,
  { kind, cluster, sinceMs, message }: Omit<Overdue, 'except'> & { readonly cluster: string; readonly message: string },
): Promise<void> {
  await sql`
    UPDATE reconciliations SET message = ${message}, updated_at = now()
    WHERE ${unattended(kind, sinceMs)} AND cluster = ${cluster} AND message <> ${message}
  `.execute(db);
}

function unattended(kind: ReconciledKind, sinceMs: number): RawBuilder<unknown> {
  return sql`kind = ${kind} AND greatest(due_at, lease_until) < now() - ${sinceMs}::float8 * interval '1 millisecond'`;
}
