/**
 * What has been made of a machine in its cluster: written by who holds its claim, and by nobody else. Rows are locked before the claim, in the order that
 * requests have: the machine, the work on its vApp, its own.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { endTasks, type TaskFailure } from './claimed-tasks.ts';
import { markDue, underClaim, type Claim } from './reconciliations.ts';
import type { JsonObject, Tables, TaskId, VappId } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** The VirtualMachine as our last write has left it. */
export interface MadeVm {
  readonly uid: string;
  readonly generation: number;
}

/** All that a task has come to. */
export interface VmTaskEnd {
  readonly vapp: VappId;
  readonly tasks: readonly TaskId[];
  /** It has ended well where there is none. */
  readonly failure?: TaskFailure;
  readonly made?: MadeVm;
}

/**
 * The cluster has it, and all that its guest is told at its first boot, and the values of its template's parameters: these are not kept here any longer.
 * Those who waited for it have it, and the claim ends with that. Throws LostClaim.
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

/** Throws LostClaim. */
export function endVmTasks(db: Kysely<Tables>, claim: Claim, end: VmTaskEnd): Promise<void> {
  return underVmAndClaim(db, claim, end.vapp, async (tx) => {
    if (end.made !== undefined) await record(tx, claim, end.made);
    await endTasks(tx, claim, end.tasks, end.failure);
  });
}

/** What is so in the cluster, where what was asked for instead is refused. */
export interface DroppedWish {
  /** CPUs and memory, as far as the machine itself says; else what was seen of it counts. */
  readonly size?: { readonly cpuCount?: number; readonly memoryMb?: number };
  /** What the row's `spec` is to be. */
  readonly spec?: (spec: JsonObject) => JsonObject;
}

/** The same, and the row says again what is so. Throws LostClaim. */
export function dropWish(db: Kysely<Tables>, claim: Claim, { size, spec }: DroppedWish, end: VmTaskEnd): Promise<void> {
  return underVmAndClaim(db, claim, end.vapp, async (tx) => {
    if (size !== undefined) await restoreSize(tx, claim, size, end.tasks);
    if (spec !== undefined) await changeSpec(tx, claim, spec);
    await endTasks(tx, claim, end.tasks, end.failure);
  });
}

/** Unless another size was asked for meanwhile, which is not refused yet. */
async function restoreSize(
  tx: Transaction<Tables>,
  { entityId }: Claim,
  { cpuCount, memoryMb }: NonNullable<DroppedWish['size']>,
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

/** What a machine comes to, its vApp may wait for. */
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
