/**
 * Reconcile requests: work on entities whose desired state must be applied to a cluster. They are written together with
 * the desired state and claimed by one process at a time.
 *
 * A claim is a lease: it ends by PostgreSQL's clock, and the next claim raises `attempt`. Every write for a claim
 * checks that `attempt` is unchanged, so a lost claim writes nothing.
 */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';

import type { Tables } from '../schema/schema.ts';
import { inTransaction } from '../connection/transaction.ts';

export const reconciledKinds = ['vdc', 'vapp', 'vm'] as const;
export type ReconciledKind = (typeof reconciledKinds)[number];

export interface Claim {
  readonly kind: ReconciledKind;
  readonly entityId: string;
  readonly cluster: string;
  readonly attempt: number;
  /** The number of the last reconcile request that the claim knows. */
  readonly requestNumber: number;
  /** The failed attempts in a row before this one. */
  readonly failures: number;
}

/** Another worker has the entity now, or the entity is gone. */
export class LostClaim extends Error {
  override readonly name = 'LostClaim';

  constructor({ kind, entityId, attempt }: Claim) {
    super(`cannot go on with ${kind} ${entityId}: attempt ${attempt} is not the last`);
  }
}

export interface ReconcileRequestOptions {
  /**
   * Applies to an entity without a row. The caller marks it due when there is something to do; otherwise it is looked
   * at after this time. The default is at once.
   */
  readonly dueInMs?: number;
}

/**
 * Must be called in the transaction that writes the desired state; a present claim on the entity is then followed by
 * another. A former row of the entity may have been removed when its work was done. So `attempt` starts at the
 * transaction id, which is above all former attempts, and no former claim matches the new row.
 */
export async function requestReconciliation(
  db: Kysely<Tables>,
  kind: ReconciledKind,
  entityId: string,
  cluster: string,
  { dueInMs = 0 }: ReconcileRequestOptions = {},
): Promise<void> {
  await sql`
    INSERT INTO reconciliations (kind, entity_id, cluster, attempt, due_at)
    VALUES (${kind}, ${entityId}, ${cluster}, pg_current_xact_id()::text::bigint, now() + ${milliseconds(dueInMs)})
    ON CONFLICT (kind, entity_id) DO UPDATE SET wish = reconciliations.wish + 1, due_at = now(), failures = 0, updated_at = now()
  `.execute(db);
}

/**
 * The cluster's objects have changed: the entities must be looked at again. An entity whose attempts fail keeps its
 * retry time.
 */
export async function markDue(db: Kysely<Tables>, kind: ReconciledKind, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await mark(db, kind, ids, sql`ORDER BY entity_id FOR NO KEY UPDATE`);
  return rows.length;
}

/**
 * The same for many entities, most of which have no work: these have no row and cost nothing. Resolves to the number of
 * rows. Rows that others have locked are awaited one by one, because a holder of several may have locked them in any
 * order, and all replicas observe the same changes at the same time.
 */
export async function markSeen(db: Kysely<Tables>, kind: ReconciledKind, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await mark(db, kind, ids, sql`FOR NO KEY UPDATE SKIP LOCKED`);
  const marked = new Set(rows.map(({ id }) => id));
  const left = ids.filter((id) => !marked.has(id));
  if (left.length === 0) return marked.size;
  const { rows: held } = await sql<{ readonly id: string }>`
    SELECT entity_id AS id FROM reconciliations WHERE kind = ${kind} AND entity_id = ANY (${left}::uuid[])
  `.execute(db);
  for (const { id } of held) await markDue(db, kind, [id]);
  return marked.size + held.length;
}

function mark(
  db: Kysely<Tables>,
  kind: ReconciledKind,
  ids: readonly string[],
  locking: RawBuilder<unknown>,
): Promise<{ readonly rows: readonly { readonly id: string }[] }> {
  return sql<{ readonly id: string }>`
    WITH found AS (
      SELECT kind, entity_id FROM reconciliations WHERE kind = ${kind} AND entity_id = ANY (${ids}::uuid[]) ${locking}
    )
    UPDATE reconciliations r SET wish = wish + 1, due_at = CASE failures WHEN 0 THEN least(due_at, now()) ELSE due_at END
    FROM found WHERE r.kind = found.kind AND r.entity_id = found.entity_id RETURNING r.entity_id AS id
  `.execute(db);
}

export interface ClaimRequest {
  readonly kind: ReconciledKind;
  /** For people. */
  readonly owner: string;
  readonly clusters: readonly string[];
  /** The limit per cluster: a cluster that hangs delays only its own entities. */
  readonly limit: number;
  readonly leaseMs: number;
}

/**
 * Claims the entities that have waited longest. Throws in a transaction, because a claim must be committed before work
 * starts.
 */
export async function claimDue(db: Kysely<Tables>, request: ClaimRequest): Promise<readonly Claim[]> {
  const { kind, owner, clusters, limit, leaseMs } = request;
  if (db.isTransaction) throw new Error('cannot claim in a transaction: no other process would see the claim');
  const { rows } = await sql<Claim>`
    WITH due AS (
      SELECT r.kind, r.entity_id FROM unnest(${clusters}::text[]) AS wanted (name)
      CROSS JOIN LATERAL (
        SELECT kind, entity_id FROM reconciliations
        WHERE cluster = wanted.name AND kind = ${kind} AND due_at <= now() AND (lease_until IS NULL OR lease_until <= now())
        ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) r
    )
    UPDATE reconciliations r SET owner = ${owner}, attempt = r.attempt + 1, lease_until = now() + ${milliseconds(leaseMs)}, updated_at = now()
    FROM due WHERE r.kind = due.kind AND r.entity_id = due.entity_id
    RETURNING r.kind, r.entity_id AS "entityId", r.cluster, r.attempt, r.wish AS "requestNumber", r.failures
  `.execute(db);
  return rows;
}

/** `renewClaim` resolves to false when the claim was lost. A claim that has expired but was not taken is renewed. */
export async function renewClaim(db: Kysely<Tables>, claim: Claim, leaseMs: number): Promise<boolean> {
  return written(
    db,
    sql`UPDATE reconciliations SET lease_until = now() + ${milliseconds(leaseMs)}, updated_at = now() WHERE ${mine(claim)}`,
  );
}

export interface Completion {
  /** When to look again; at once when a new request came in the meantime. */
  readonly dueInMs: number;
  /** What the entity waits for, when it is not done. */
  readonly message?: string;
}

/** `completeClaim` resolves to false when the claim was lost. */
export async function completeClaim(
  db: Kysely<Tables>,
  claim: Claim,
  { dueInMs, message = '' }: Completion,
): Promise<boolean> {
  return written(
    db,
    sql`
      UPDATE reconciliations SET owner = NULL, lease_until = NULL, failures = 0, message = ${message}, updated_at = now(),
        due_at = ${dueAfter(claim, dueInMs)}
      WHERE ${mine(claim)}
    `,
  );
}

export interface Failure {
  readonly message: string;
  readonly retryInMs: number;
}

/**
 * Resolves to false when the claim was lost. When a new request came in the meantime, the next attempt is due at once.
 */
export async function failClaim(db: Kysely<Tables>, claim: Claim, { message, retryInMs }: Failure): Promise<boolean> {
  return written(
    db,
    sql`
      UPDATE reconciliations SET owner = NULL, lease_until = NULL, failures = failures + 1, message = ${message}, updated_at = now(),
        due_at = ${dueAfter(claim, retryInMs)}
      WHERE ${mine(claim)}
    `,
  );
}

/** The entity is gone and needs no more work. Resolves to false when the claim was lost. */
export async function endClaim(db: Kysely<Tables>, claim: Claim): Promise<boolean> {
  return written(db, sql`DELETE FROM reconciliations WHERE ${mine(claim)}`);
}

/**
 * Everything requested is done and nothing needs to be watched: deletes the row. When a new request came in the
 * meantime, the row stays and is due at once. Resolves to false when the claim was lost.
 */
export async function finishClaim(db: Kysely<Tables>, claim: Claim): Promise<boolean> {
  const isDone = await written(
    db,
    sql`DELETE FROM reconciliations WHERE ${mine(claim)} AND wish = ${claim.requestNumber}`,
  );
  return isDone || completeClaim(db, claim, { dueInMs: 0 });
}

/** `holdsClaim` returns whether the claim is still held. In a transaction it stays held until the end. */
export async function holdsClaim(db: Kysely<Tables>, claim: Claim): Promise<boolean> {
  const { rows } = await heldClaim(claim).execute(db);
  return rows.length > 0;
}

/** `heldClaim` selects a row while the claim is held; a part of a statement that writes for the claim. */
export function heldClaim(claim: Claim): RawBuilder<unknown> {
  return sql`SELECT FROM reconciliations WHERE ${mine(claim)} FOR NO KEY UPDATE`;
}

/** `underClaim` runs several writes for a claim in one transaction that holds it. Throws LostClaim, and then nothing is written. */
export function underClaim<T>(
  db: Kysely<Tables>,
  claim: Claim,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    if (!(await holdsClaim(tx, claim))) throw new LostClaim(claim);
    return work(tx);
  });
}

function mine({ kind, entityId, attempt }: Claim): RawBuilder<unknown> {
  return sql`kind = ${kind} AND entity_id = ${entityId} AND attempt = ${attempt} AND owner IS NOT NULL`;
}

function dueAfter({ requestNumber }: Claim, afterMs: number): RawBuilder<unknown> {
  return sql`CASE WHEN wish = ${requestNumber} THEN now() + ${milliseconds(afterMs)} ELSE now() END`;
}

function milliseconds(amount: number): RawBuilder<unknown> {
  return sql`${amount}::float8 * interval '1 millisecond'`;
}

async function written(db: Kysely<Tables>, statement: RawBuilder<unknown>): Promise<boolean> {
  const { numAffectedRows } = await statement.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}
