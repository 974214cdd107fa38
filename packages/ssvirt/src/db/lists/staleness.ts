/**
 * Decides whether the cached total and positions of a list are still valid: the change log has nothing that the present
 * statement sees and the cached snapshot did not. The check is part of the statement that reads the page, so it holds
 * for exactly what that statement sees.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '../schema/scope.ts';
import type { Filter, ListRequest } from './contracts.ts';
import type { ListDefinition, ListField } from './definition.ts';

/** The changes that invalidate the cache. */
export interface InvalidatingChanges {
  readonly kinds: readonly string[];
  /** Includes updates, not only creation and deletion. */
  readonly updates: boolean;
  /** Kinds whose observations of another status count too. These come at any time, and often. */
  readonly observed: readonly string[];
  /** Kinds whose observations count, whatever they are of. */
  readonly noticed: readonly string[];
  readonly organization?: string;
}

/** Undefined when the change log does not cover the list: then nothing of it may be cached. */
export function watchedOf(list: ListDefinition, scope: Scope, asked: ListRequest): InvalidatingChanges | undefined {
  if (list.changes === undefined) return undefined;
  const fields = usedFields(list, asked);
  const others = fields.flatMap(({ from }) => from ?? []);
  const { kinds, withinOrganization, updatesMatter } = list.changes;
  return {
    kinds: [...new Set([...kinds, ...others])],
    observed: [...new Set(fields.flatMap(({ observed = [] }) => observed))],
    noticed: [...new Set(fields.flatMap(({ noticed = [] }) => noticed))],
    updates: updatesMatter || fields.some(({ fixed }) => fixed !== true),
    ...(withinOrganization && scope !== 'all' && !fields.some(({ elsewhere }) => elsewhere === true)
      ? { organization: scope }
      : {}),
  };
}

/** `usedFields` returns the fields that the filter and the order name, as far as the list has them; the order's comes first. */
export function usedFields(
  list: ListDefinition,
  { filter, sort = list.order }: Pick<ListRequest, 'filter' | 'sort'>,
): readonly ListField[] {
  const names = [sort.field, ...(filter === undefined ? [] : namesIn(filter))];
  return names.flatMap((name) => list.fields[name] ?? []);
}

function namesIn(filter: Filter): readonly string[] {
  return filter.kind === 'compare' ? [filter.field] : filter.parts.flatMap(namesIn);
}

/**
 * Evaluates to the statement's own snapshot when nothing has changed since `snapshot`, so that it can replace it;
 * otherwise to null.
 */
export function stillSo(
  { kinds, updates, observed, noticed, organization }: InvalidatingChanges,
  snapshot: string,
): RawBuilder<string | null> {
  const since = sql`${snapshot}::pg_snapshot`;
  const news = updates ? sql`` : sql`AND l.operation <> 'updated'`;
  const own = organization === undefined ? sql`` : sql`AND l.organization_id = ${organization}::uuid`;
  // These conditions must equal those of the indexes change_log_lists and change_log_statuses word for word.
  const asked = sql`(l.operation <> 'observed' OR l.data ->> 'status' = 'DELETED' OR l.data ->> 'previous' = 'DELETED')`;
  const seen = sql`l.operation = 'observed' AND (l.kind <> 'vm' OR l.data ->> 'status' IS DISTINCT FROM l.data ->> 'previous')`;
  // By the primary key: there are few changes since the snapshot.
  const any = sql`l.operation = 'observed'`;
  // ORDER BY instead of EXISTS: there is hardly ever a change, but PostgreSQL plans EXISTS as if one were found soon,
  // and reads the whole log.
  const none = (condition: RawBuilder<unknown>) => (kind: string) =>
    sql`(
      SELECT 1 FROM change_log l
      WHERE ${condition} AND l.kind = ${kind} AND l.transaction >= pg_snapshot_xmin(${since})
        AND NOT pg_visible_in_snapshot(l.transaction, ${since}) ${own}
      ORDER BY l.transaction LIMIT 1
    ) IS NULL`;
  const nothing = [
    ...kinds.map(none(sql`${asked} ${news}`)),
    ...observed.filter((kind) => !noticed.includes(kind)).map(none(seen)),
    ...noticed.map(none(any)),
  ];
  // A row that was purged from the log may have been such a change.
  const kept = sql`(SELECT p.transaction FROM change_log_purged p) < pg_snapshot_xmin(${since})`;
  return sql<
    string | null
  >`(SELECT CASE WHEN ${sql.join([kept, ...nothing], sql` AND `)} THEN pg_current_snapshot()::text END)`;
}
