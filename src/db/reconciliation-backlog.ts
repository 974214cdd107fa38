/** How much work waits, and until when; and what is said of work that nobody takes. */
import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { ReconciledKind } from './reconciliations.ts';
import type { Tables } from './schema.ts';

export interface Backlog {
  /** Due and not claimed. */
  readonly due: number;
  /** Until something is due, or a lease ends; undefined where nothing waits. */
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
  /** Those that are worked on. */
  readonly except: readonly string[];
  readonly sinceMs: number;
}

/** Clusters with work that nobody has taken for a while: nobody can reach them. */
export async function overdueClusters(
  db: Kysely<Tables>,
  { kind, except, sinceMs }: Overdue,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly cluster: string }>`
    SELECT DISTINCT cluster FROM reconciliations WHERE ${unattended(kind, sinceMs)} AND cluster <> ALL (${except}::text[])
  `.execute(db);
  return rows.map(({ cluster }) => cluster);
}

/** Says what they wait for, of those that nobody has taken for a while. Claims nothing: another process may reach the cluster yet. */
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
