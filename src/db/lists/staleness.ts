/**
 * Whether what is remembered of a list still holds: the change log has nothing that a later statement sees and the remembered snapshot did not. Asked in
 * the statement that reads the page, it is true of exactly what that statement sees.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '../scope.ts';
import type { Filter, ListRequest } from './contracts.ts';
import type { ListDefinition, ListField } from './definition.ts';

/** What would make it stale. */
export interface Watched {
  readonly kinds: readonly string[];
  /** Not only what comes and goes. */
  readonly updates: boolean;
  /** Of these kinds also what clusters say: that comes at any time, and often. */
  readonly observed: readonly string[];
  readonly organization?: string;
}

/** Undefined where the change log does not tell: then nothing of the list may be remembered. */
export function watchedOf(list: ListDefinition, scope: Scope, asked: ListRequest): Watched | undefined {
  if (list.changes === undefined) return undefined;
  const fields = usedFields(list, asked);
  const others = fields.flatMap(({ from }) => from ?? []);
  const { kinds, withinOrganization, updatesMatter } = list.changes;
  return {
    kinds: [...new Set([...kinds, ...others])],
    observed: [...new Set(fields.flatMap(({ observed = [] }) => observed))],
    updates: updatesMatter || fields.some(({ fixed }) => fixed !== true),
    ...(withinOrganization && scope !== 'all' ? { organization: scope } : {}),
  };
}

function usedFields(list: ListDefinition, { filter, sort = list.order }: ListRequest): readonly ListField[] {
  const names = [sort.field, ...(filter === undefined ? [] : namesIn(filter))];
  return names.flatMap((name) => list.fields[name] ?? []);
}

function namesIn(filter: Filter): readonly string[] {
  return filter.kind === 'compare' ? [filter.field] : filter.parts.flatMap(namesIn);
}

/** The snapshot of the statement where nothing has changed since `snapshot`, so that it can take its place; null where something has. */
export function stillSo(
  { kinds, updates, observed, organization }: Watched,
  snapshot: string,
): RawBuilder<string | null> {
  const since = sql`${snapshot}::pg_snapshot`;
  const news = updates ? sql`` : sql`AND l.operation <> 'updated'`;
  const own = organization === undefined ? sql`` : sql`AND l.organization_id = ${organization}::uuid`;
  // The conditions of the indexes change_log_lists and change_log_statuses stand here word for word.
  const asked = sql`(l.operation <> 'observed' OR l.data ->> 'status' = 'DELETED' OR l.data ->> 'previous' = 'DELETED')`;
  const seen = sql`l.operation = 'observed' AND (l.kind <> 'vm' OR l.data ->> 'status' IS DISTINCT FROM l.data ->> 'previous')`;
  // Ordered, and not EXISTS: that is planned as if a change were soon found, by reading the whole log, and there is hardly ever one.
  const none = (condition: RawBuilder<unknown>) => (kind: string) =>
    sql`(
      SELECT 1 FROM change_log l
      WHERE ${condition} AND l.kind = ${kind} AND l.transaction >= pg_snapshot_xmin(${since})
        AND NOT pg_visible_in_snapshot(l.transaction, ${since}) ${own}
      ORDER BY l.transaction LIMIT 1
    ) IS NULL`;
  const nothing = [...kinds.map(none(sql`${asked} ${news}`)), ...observed.map(none(seen))];
  // What the log does not have any more may have been of them.
  const kept = sql`(SELECT p.transaction FROM change_log_purged p) < pg_snapshot_xmin(${since})`;
  return sql<
    string | null
  >`(SELECT CASE WHEN ${sql.join([kept, ...nothing], sql` AND `)} THEN pg_current_snapshot()::text END)`;
}
