/**
 * The state of a VM in its cluster, written only by the holder of its claim. To prevent deadlocks, rows are locked in
 * the order that requests use: the VM, the vApp's reconcile request, its own.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { endTasks, type TaskFailure } from '../work-queue/claimed-tasks.ts';
import { markDue, underClaim, type Claim } from '../work-queue/reconciliations.ts';
import type { JsonObject, Tables, TaskId, VappId } from '../schema/schema.ts';
import { inTransaction } from '../connection/transaction.ts';

/** `MadeVm` is the VirtualMachine as our last write left it. */
export interface MadeVm {
  readonly uid: string;
  readonly generation: number;
}

/** `VmTaskEnd` holds the results of a finished task. */
export interface VmTaskEnd {
  readonly vapp: VappId;
  readonly tasks: readonly TaskId[];
  /** Absent when the tasks succeeded. */
  readonly failure?: TaskFailure;
  readonly made?: MadeVm;
}

/**
 * Records the created VM. The cluster now has the data for the guest's first boot and the template's parameter values,
 * so they are removed from the row. The waiting tasks end, and so does the claim. Throws LostClaim.
 */
export function recordMade(
  db: Kysely<Tables>,
  claim: Claim,
  end: VmTaskEnd & { readonly made: MadeVm },
  endOfClaim: (tx: Transaction<Tables>) => Promise<unknown>,
): Promise<void> {
  return underVmAndClaim(db, claim, end.vapp, async (tx) => {
    await sql`
      UPDATE vms SET spec = (spec - 'cloudInit' - 'sshKeys') #- '{source,parameters}', updated_at = now()
      WHERE id = ${claim.entityId} AND (spec ?| '{cloudInit,sshKeys}' OR spec #> '{source,parameters}' IS NOT NULL)
    `.execute(tx);
    await record(tx, claim, end.made);
    await endTasks(tx, claim, end.tasks, end.failure);
    await endOfClaim(tx);
  });
}

/** `endVmTasks` ends tasks on the VM. Throws LostClaim. */
export function endVmTasks(db: Kysely<Tables>, claim: Claim, end: VmTaskEnd): Promise<void> {
  return underVmAndClaim(db, claim, end.vapp, async (tx) => {
    if (end.made !== undefined) await record(tx, claim, end.made);
    await endTasks(tx, claim, end.tasks, end.failure);
  });
}

/** `ObservedSettings` holds the values that the cluster has, when it refused the requested ones. */
export interface ObservedSettings {
  /** CPUs and memory as the VirtualMachine has them; a missing value is taken from the observation. */
  readonly size?: { readonly cpuCount?: number; readonly memoryMb?: number };
  /** Returns the row's new `spec`. */
  readonly spec?: (spec: JsonObject) => JsonObject;
}

/** `restoreObserved` returns the same, and the row gets the values that the cluster has. Throws LostClaim. */
export function restoreObserved(
  db: Kysely<Tables>,
  claim: Claim,
  { size, spec }: ObservedSettings,
  end: VmTaskEnd,
): Promise<void> {
  return underVmAndClaim(db, claim, end.vapp, async (tx) => {
    if (size !== undefined) await restoreSize(tx, claim, size, end.tasks);
    if (spec !== undefined) await changeSpec(tx, claim, spec);
    await endTasks(tx, claim, end.tasks, end.failure);
  });
}

/** Does nothing when another size was requested in the meantime, which was not refused yet. */
async function restoreSize(
  tx: Transaction<Tables>,
  { entityId }: Claim,
  { cpuCount, memoryMb }: NonNullable<ObservedSettings['size']>,
  refused: readonly TaskId[],
): Promise<void> {
  await sql`
    UPDATE vms v SET cpu_count = coalesce(${cpuCount ?? null}, o.cpu_count, v.cpu_count),
      memory_mb = coalesce(${memoryMb ?? null}, o.memory_mb, v.memory_mb), updated_at = now()
    FROM vms same LEFT JOIN vm_observed o ON o.vm_id = same.id
    WHERE v.id = ${entityId} AND same.id = v.id AND NOT EXISTS (
      SELECT FROM tasks t WHERE t.owner_kind = 'vm' AND t.owner_id = v.id AND t.operation = 'vmUpdate' AND t.ended_at IS NULL
        AND t.id <> ALL (${refused}::uuid[])
    )
  `.execute(tx);
}

async function changeSpec(
  tx: Transaction<Tables>,
  { entityId }: Claim,
  change: (spec: JsonObject) => JsonObject,
): Promise<void> {
  const { rows } = await sql<{ readonly spec: JsonObject }>`SELECT spec FROM vms WHERE id = ${entityId}`.execute(tx);
  const [row] = rows;
  if (row === undefined) return;
  await sql`
    UPDATE vms SET spec = ${JSON.stringify(change(row.spec))}::jsonb, updated_at = now() WHERE id = ${entityId}
  `.execute(tx);
}

async function record(tx: Transaction<Tables>, { entityId, attempt }: Claim, made: MadeVm): Promise<void> {
  await sql`
    INSERT INTO vm_applied (vm_id, uid, generation, attempt) VALUES (${entityId}, ${made.uid}, ${made.generation}, ${attempt})
    ON CONFLICT (vm_id) DO UPDATE SET uid = excluded.uid, generation = excluded.generation, attempt = excluded.attempt, updated_at = now()
  `.execute(tx);
}

/** Also marks the vApp as due, because a task on it may wait for this VM. */
function underVmAndClaim<T>(
  db: Kysely<Tables>,
  claim: Claim,
  vapp: VappId,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`SELECT FROM vms WHERE id = ${claim.entityId} FOR NO KEY UPDATE`.execute(tx);
    await markDue(tx, 'vapp', [vapp]);
    return underClaim(tx, claim, work);
  });
}
