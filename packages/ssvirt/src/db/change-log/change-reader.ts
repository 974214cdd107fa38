/**
 * Reads the change log in the order of (transaction, sequence), only below the horizon of running transactions, so that
 * no commit is skipped.
 */
import type pg from 'pg';

/** `Position` is a position in the log. Transactions are PostgreSQL's xid8, as text because they may be above 2^53. */
export interface Position {
  readonly transaction: string;
  readonly sequence: number;
}

export type ReadOperation = 'created' | 'updated' | 'observed' | 'deleted';

export interface Change {
  readonly position: Position;
  readonly at: Date;
  /** Such as `vm`, `vapp`, `task` or `cluster`. */
  readonly kind: string;
  readonly operation: ReadOperation;
  readonly entityId: string;
  readonly organizationId?: string;
  readonly vdcId?: string;
  readonly vappId?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `formatPosition` returns the form that `Last-Event-ID` carries. */
export function formatPosition({ transaction, sequence }: Position): string {
  return `${transaction}-${sequence}`;
}

/** Undefined when the text is not a position. */
export function parsePosition(text: string): Position | undefined {
  const [, transaction, sequence] = /^(\d{1,20})-(\d{1,15})$/.exec(text) ?? [];
  if (transaction === undefined || sequence === undefined || BigInt(transaction) >= 2n ** 64n) return undefined;
  return { transaction, sequence: Number(sequence) };
}

/** `positionNow` returns the position of everything committed from now on, and perhaps of a few changes just before. */
export async function positionNow(pool: pg.Pool): Promise<Position> {
  const { rows } = await pool.query<{ horizon: string }>(
    'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon',
  );
  return { transaction: rows[0]!.horizon, sequence: 0 };
}

export interface ReadOptions {
  readonly kinds?: readonly string[] | undefined;
  /** Leaves out observations of clusters. */
  readonly desiredOnly?: boolean | undefined;
  /** Only what belongs to this organization. */
  readonly organization?: string | undefined;
  readonly limit?: number;
}

export interface ChangeBatch {
  readonly changes: readonly Change[];
  /** Where to continue. When the limit was not reached, this is past everything below the horizon. */
  readonly next: Position;
  readonly hasMore: boolean;
  /** The log has rows above the horizon. No notification will say when they become readable. */
  readonly isWaiting: boolean;
  /**
   * Rows after the position were removed, or the position is from before a change log reset: reading cannot continue
   * from it.
   */
  readonly isLost: boolean;
}

interface Row {
  readonly horizon: string;
  readonly waits: boolean;
  readonly lost: boolean;
  readonly transaction: string | null;
  readonly sequence: number;
  readonly at: Date;
  readonly kind: string;
  readonly operation: ReadOperation;
  readonly entity_id: string;
  readonly organization_id: string | null;
  readonly vdc_id: string | null;
  readonly vapp_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * One statement and so one snapshot: the horizon, the rows below it and the purged position are consistent. Rows above
 * the horizon are searched with ORDER BY, not with EXISTS: there is hardly ever one, but PostgreSQL plans EXISTS as if
 * one were found soon, and reads the whole log.
 */
const look = `
  WITH here AS (
    SELECT pg_snapshot_xmin(s) AS horizon, pg_snapshot_xmax(s) AS ahead FROM pg_current_snapshot() s
  )
  SELECT here.horizon::text AS horizon,
    (SELECT 1 FROM change_log WHERE transaction >= here.horizon ORDER BY transaction LIMIT 1) IS NOT NULL AS waits,
    (p.transaction, p.sequence) > ($1::xid8, $2::bigint) OR $1::xid8 > here.ahead AS lost,
    c.transaction::text AS transaction, c.sequence, c.at, c.kind, c.operation, c.entity_id, c.organization_id, c.vdc_id, c.vapp_id, c.data
  FROM here
  CROSS JOIN change_log_purged p
  LEFT JOIN LATERAL (
    SELECT * FROM change_log l
    WHERE (l.transaction, l.sequence) > ($1::xid8, $2::bigint) AND l.transaction < here.horizon
      AND ($3::text[] IS NULL OR l.kind = ANY ($3)) AND NOT ($5::boolean AND l.operation = 'observed')
      AND ($6::uuid IS NULL OR l.organization_id = $6)
    ORDER BY l.transaction, l.sequence
    LIMIT $4
  ) c ON true
  ORDER BY c.transaction, c.sequence`;

export async function readChanges(
  pool: pg.Pool,
  after: Position,
  { kinds, desiredOnly = false, organization, limit = 500 }: ReadOptions = {},
): Promise<ChangeBatch> {
  const { rows } = await pool.query<Row>({
    name: 'ssvirt-read-changes',
    text: look,
    values: [after.transaction, after.sequence, kinds ?? null, limit, desiredOnly, organization ?? null],
  });
  const first = rows[0]!;
  const changes = rows.filter((row) => row.transaction !== null).map(changeOf);
  const hasMore = changes.length === limit;
  const next = hasMore ? changes.at(-1)!.position : later(after, { transaction: first.horizon, sequence: 0 });
  return { changes, next, hasMore, isWaiting: first.waits, isLost: first.lost };
}

function changeOf(row: Row): Change {
  return {
    position: { transaction: row.transaction ?? '0', sequence: row.sequence },
    at: row.at,
    kind: row.kind,
    operation: row.operation,
    entityId: row.entity_id,
    ...(row.organization_id === null ? {} : { organizationId: row.organization_id }),
    ...(row.vdc_id === null ? {} : { vdcId: row.vdc_id }),
    ...(row.vapp_id === null ? {} : { vappId: row.vapp_id }),
    data: row.data,
  };
}

/** `isAtOrAfter` returns whether a reader at `one` has read everything up to `other`. */
export function isAtOrAfter(one: Position, other: Position): boolean {
  if (one.transaction !== other.transaction) return BigInt(one.transaction) > BigInt(other.transaction);
  return one.sequence >= other.sequence;
}

function later(one: Position, other: Position): Position {
  return BigInt(other.transaction) > BigInt(one.transaction) ? other : one;
}
