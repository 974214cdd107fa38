/**
 * What has been made of a vApp in its cluster: written by who holds its claim, and by nobody else. Rows are locked before the claim, in the order that
 * requests have: the vApp, its machines, the claim.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { underClaim, type Claim } from './reconciliations.ts';
import type { Tables } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** A machine that the template has made. */
export interface MadeMachine {
  readonly vmId: string;
  readonly uid: string;
  readonly generation: number;
}

/** What its TemplateInstance is called: kept before there is one, since the vApp may get another name. Throws LostClaim. */
export async function keepInstanceName(db: Kysely<Tables>, claim: Claim, name: string): Promise<void> {
  await underVappAndClaim(db, claim, (tx) =>
    sql`
      UPDATE vapps SET spec = spec || jsonb_build_object('instance', ${name}::text), updated_at = now() WHERE id = ${claim.entityId}
    `.execute(tx),
  );
}

/** The cluster has it, and the values of its parameters too: these are not kept here any longer. Throws LostClaim. */
export async function recordInstance(db: Kysely<Tables>, claim: Claim, uid: string): Promise<void> {
  await underVappAndClaim(db, claim, async (tx) => {
    await sql`UPDATE vapps SET spec = spec - 'parameters', updated_at = now() WHERE id = ${claim.entityId}`.execute(tx);
    await sql`
      INSERT INTO vapp_applied (vapp_id, uid, attempt) VALUES (${claim.entityId}, ${uid}, ${claim.attempt})
      ON CONFLICT (vapp_id) DO UPDATE SET uid = excluded.uid, attempt = excluded.attempt, updated_at = now()
    `.execute(tx);
  });
}

/** All that was asked for is there. In a transaction of `underMachinesAndClaim`. */
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

/** Throws LostClaim. */
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

/** With all its machines. Throws LostClaim. */
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
