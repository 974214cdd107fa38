/**
 * Work on entities whose desired state is to be brought to a cluster: asked for with the desired state, claimed by one process at a time.
 *
 * A claim is a lease: it ends by PostgreSQL's clock, and whoever claims after that raises `attempt`. All that is written for a claim is written where the
 * attempt is still the same; for a lost claim nothing is.
 */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';

import type { Tables } from './schema.ts';
import { inTransaction } from './transaction.ts';

export const reconciledKinds = ['vdc', 'vapp', 'vm'] as const;
export type ReconciledKind = (typeof reconciledKinds)[number];

export interface Claim {
  readonly kind: ReconciledKind;
  readonly entityId: string;
  readonly cluster: string;
  readonly attempt: number;
  /** The last wish that the claim knows of. */
  readonly wish: number;
  /** Attempts in a row that have failed before this one. */
  readonly failures: number;
}

/** Somebody else has the entity now, or it is gone. */
export class LostClaim extends Error {
  override readonly name = 'LostClaim';

  constructor({ kind, entityId, attempt }: Claim) {
    super(`cannot go on with ${kind} ${entityId}: attempt ${attempt} is not the last`);
  }
}

export interface WishOptions {
  /** Where there is no work on it yet: somebody says so when there is something to do, and if not it is looked after this. At once unless said. */
  readonly dueInMs?: number;
}

/**
 * In the transaction that writes the desired state: whoever works on the entity now is not the last. A row may have been there before, and gone when all was
 * done: attempts go on from the number of the transaction, which is above all that there were, so that none is taken for one of then.
 */
export async function requestReconciliation(
  db: Kysely<Tables>,
  kind: ReconciledKind,
  entityId: string,
  cluster: string,
  { dueInMs = 0 }: WishOptions = {},
): Promise<void> {
  await sql`
    INSERT INTO reconciliations (kind, entity_id, cluster, attempt, due_at)
    VALUES (${kind}, ${entityId}, ${cluster}, pg_current_xact_id()::text::bigint, now() + ${milliseconds(dueInMs)})
    ON CONFLICT (kind, entity_id) DO UPDATE SET wish = reconciliations.wish + 1, due_at = now(), failures = 0, updated_at = now()
  `.execute(db);
}

/** What stands in the cluster is not what it was: look again. One that fails anyway is tried again in its own time. */
export async function markDue(db: Kysely<Tables>, kind: ReconciledKind, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await mark(db, kind, ids, sql`ORDER BY entity_id FOR NO KEY UPDATE`);
  return rows.length;
}

/**
 * The same for many that nobody may be working on: those have no row, and cost nothing. Resolves to how many there were. What others hold is waited for one
 * by one: whoever holds several may hold them in any order, and all replicas see the same at the same time.
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
  /** Of each cluster: one that hangs holds up its own entities only. */
  readonly limit: number;
  readonly leaseMs: number;
}

/** Those that have waited longest. Never called in a transaction: a claim must be committed before anything is done for it. */
export async function claimDue(db: Kysely<Tables>, request: ClaimRequest): Promise<readonly Claim[]> {
  const { kind, owner, clusters, limit, leaseMs } = request;
  if (db.isTransaction) throw new Error('cannot claim in a transaction: nobody else would see it');
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
    RETURNING r.kind, r.entity_id AS "entityId", r.cluster, r.attempt, r.wish, r.failures
  `.execute(db);
  return rows;
}

/** False where the claim was lost. One whose time is up and that nobody has taken is held on to. */
export async function renewClaim(db: Kysely<Tables>, claim: Claim, leaseMs: number): Promise<boolean> {
  return written(
    db,
    sql`UPDATE reconciliations SET lease_until = now() + ${milliseconds(leaseMs)}, updated_at = now() WHERE ${mine(claim)}`,
  );
}

export interface Completion {
  /** When to look again; at once where more was wished meanwhile. */
  readonly dueInMs: number;
  /** What it waits for, where it is not done. */
  readonly message?: string;
}

/** False where the claim was lost. */
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

/** False where the claim was lost. What was wished meanwhile is tried at once. */
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

/** The entity is gone, and nothing is to be done for it any more. False where the claim was lost. */
export async function endClaim(db: Kysely<Tables>, claim: Claim): Promise<boolean> {
  return written(db, sql`DELETE FROM reconciliations WHERE ${mine(claim)}`);
}

/**
 * All that was asked for is done, and there is nothing to look after: the row goes. Where more was wished meanwhile it stays, and is due at once. False where
 * the claim was lost.
 */
export async function finishClaim(db: Kysely<Tables>, claim: Claim): Promise<boolean> {
  const isDone = await written(db, sql`DELETE FROM reconciliations WHERE ${mine(claim)} AND wish = ${claim.wish}`);
  return isDone || completeClaim(db, claim, { dueInMs: 0 });
}

/** Whether it is still ours; until the end of the transaction where there is one. */
export async function holdsClaim(db: Kysely<Tables>, claim: Claim): Promise<boolean> {
  const { rows } = await heldClaim(claim).execute(db);
  return rows.length > 0;
}

/** A row where it is still ours, as a part of a statement that writes something for it. */
export function heldClaim(claim: Claim): RawBuilder<unknown> {
  return sql`SELECT FROM reconciliations WHERE ${mine(claim)} FOR NO KEY UPDATE`;
}

/** The way to write several things for a claim: in a transaction that holds it. Throws LostClaim, and nothing is written. */
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

function dueAfter({ wish }: Claim, afterMs: number): RawBuilder<unknown> {
  return sql`CASE WHEN wish = ${wish} THEN now() + ${milliseconds(afterMs)} ELSE now() END`;
}

function milliseconds(amount: number): RawBuilder<unknown> {
  return sql`${amount}::float8 * interval '1 millisecond'`;
}

async function written(db: Kysely<Tables>, statement: RawBuilder<unknown>): Promise<boolean> {
  const { numAffectedRows } = await statement.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}
