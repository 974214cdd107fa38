/**
 * The state of a vApp in its cluster, written only by the holder of its claim. To prevent deadlocks, rows are locked in
 * the order that requests use: the vApp, its VMs, the claim.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { underClaim, type Claim } from '../work-queue/reconciliations.ts';
import type { Tables } from '../schema/schema.ts';
import { inTransaction } from '../connection/transaction.ts';

/** `MadeMachine` is a VM that the template created. */
export interface MadeMachine {
  readonly vmId: string;
  readonly uid: string;
  readonly generation: number;
}

/**
 * Stores the name of the vApp's TemplateInstance before it is created, because the vApp may be renamed. Throws
 * LostClaim.
 */
export async function keepInstanceName(db: Kysely<Tables>, claim: Claim, name: string): Promise<void> {
  await underVappAndClaim(db, claim, (tx) =>
    sql`
      UPDATE vapps SET spec = spec || jsonb_build_object('instance', ${name}::text), updated_at = now() WHERE id = ${claim.entityId}
    `.execute(tx),
  );
}

/**
 * Records the TemplateInstance. The cluster now has the parameter values, so they are removed from the row. Throws
 * LostClaim.
 */
export async function recordInstance(db: Kysely<Tables>, claim: Claim, uid: string): Promise<void> {
  await underVappAndClaim(db, claim, async (tx) => {
    await sql`UPDATE vapps SET spec = spec - 'parameters', updated_at = now() WHERE id = ${claim.entityId}`.execute(tx);
    await sql`
      INSERT INTO vapp_applied (vapp_id, uid, attempt) VALUES (${claim.entityId}, ${uid}, ${claim.attempt})
      ON CONFLICT (vapp_id) DO UPDATE SET uid = excluded.uid, attempt = excluded.attempt, updated_at = now()
    `.execute(tx);
  });
}

/** Records that everything requested was created. Runs in a transaction of `underMachinesAndClaim`. */
export async function recordCreated(
  tx: Transaction<Tables>,
  claim: Claim,
  machines: readonly MadeMachine[] = [],
): Promise<void> {
  await sql`
    UPDATE vapps SET creation = 'done', updated_at = now() WHERE id = ${claim.entityId} AND creation <> 'done'
  `.execute(tx);
  await sql`
    INSERT INTO vm_applied (vm_id, uid, generation, attempt)
    SELECT (m ->> 'vmId')::uuid, (m ->> 'uid')::uuid, (m ->> 'generation')::bigint, 0 FROM jsonb_array_elements(${JSON.stringify(machines)}::jsonb) m
    JOIN vms ON vms.id = (m ->> 'vmId')::uuid AND vms.vapp_id = ${claim.entityId}
    ON CONFLICT (vm_id) DO UPDATE SET uid = excluded.uid, generation = excluded.generation, updated_at = now()
  `.execute(tx);
}

/** `underVappAndClaim` runs `work` in a transaction that holds the vApp and the claim. Throws LostClaim. */
export function underVappAndClaim<T>(
  db: Kysely<Tables>,
  claim: Claim,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`SELECT FROM vapps WHERE id = ${claim.entityId} FOR NO KEY UPDATE`.execute(tx);
    return underClaim(tx, claim, work);
  });
}

/** `underMachinesAndClaim` returns the same with all VMs of the vApp locked. Throws LostClaim. */
export function underMachinesAndClaim<T>(
  db: Kysely<Tables>,
  claim: Claim,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`SELECT FROM vapps WHERE id = ${claim.entityId} FOR NO KEY UPDATE`.execute(tx);
    const machines = sql`vms WHERE vapp_id = ${claim.entityId} AND deleted_at IS NULL`;
    await sql`SELECT FROM ${machines} ORDER BY id FOR NO KEY UPDATE`.execute(tx);
    return underClaim(tx, claim, work);
  });
}
