/**
 * What requests about vApps write beside their rows: tasks, on the vApp and on its machines, and the wish to have them done. Rows are taken in the order
 * vdcs, vapps, vms, reconciliations (those of machines first), tasks, so that nobody waits for who waits for him.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { requestReconciliation, type WishOptions } from './reconciliations.ts';
import type { JsonObject, ShownVmStatus, Tables, UserId, VappId, VmId } from './schema.ts';
import { inScope, type Scope } from './scope.ts';
import { createTask, type ShownTask } from './tasks.ts';
import { getVapp, type Vapp } from './vapps.ts';

type Tx = Transaction<Tables>;

/** A machine of a vApp that is not DELETED. */
export interface VappMachine {
  readonly id: VmId;
  readonly name: string;
  readonly status: ShownVmStatus;
  readonly stale: boolean;
}

export interface VappTask {
  readonly operation: string;
  readonly user_id: UserId;
  readonly details?: JsonObject;
}

/** As it is when nobody else can change it any more; held until the end of the transaction. */
export async function lockVapp(tx: Tx, scope: Scope, id: VappId): Promise<Vapp | undefined> {
  // By itself: what a statement reads beside the row that it waited for is from before the wait.
  const { rows } = await sql`
    SELECT FROM vapps JOIN vdcs ON vdcs.id = vapps.vdc_id
    WHERE vapps.id = ${id} AND vapps.deleted_at IS NULL AND ${inScope(scope, 'vdcs.organization_id')}
    FOR NO KEY UPDATE OF vapps
  `.execute(tx);
  return rows.length === 0 ? undefined : getVapp(tx, scope, id);
}

/** All of them, in one order; none comes in while the vApp is held. */
export async function lockMachines(tx: Tx, id: VappId): Promise<readonly VappMachine[]> {
  await sql`SELECT FROM vms WHERE vapp_id = ${id} AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  return machinesOfVapp(tx, id);
}

/** By name. */
export async function machinesOfVapp(db: Kysely<Tables>, id: VappId): Promise<readonly VappMachine[]> {
  const { rows } = await sql<VappMachine>`
    SELECT v.id, v.name, s.status, s.stale FROM vms v JOIN vm_status s ON s.vm_id = v.id
    WHERE v.vapp_id = ${id} AND v.deleted_at IS NULL AND s.status <> 'DELETED' ORDER BY lower(v.name), v.id
  `.execute(db);
  return rows;
}

/** Which of these names a machine in that namespace has, be it one that was asked for or one that was found there. */
export async function takenNames(
  tx: Tx,
  { cluster, namespace }: { readonly cluster: string; readonly namespace: string },
  names: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ vm_name: string }>`
    SELECT DISTINCT v.vm_name FROM vms v LEFT JOIN vm_observed o ON o.vm_id = v.id
    WHERE v.cluster = ${cluster} AND v.namespace = ${namespace} AND v.vm_name = ANY (${names}::text[])
      AND v.deleted_at IS NULL AND o.gone IS NOT TRUE
  `.execute(tx);
  return rows.map(({ vm_name }) => vm_name);
}

/** The wish first: who works on the vApp takes that row before those of its tasks. */
export async function startVappTask(
  tx: Tx,
  vapp: Pick<Vapp, 'id' | 'cluster' | 'organization_id'>,
  task: VappTask,
  wish: WishOptions = {},
): Promise<ShownTask> {
  await requestReconciliation(tx, 'vapp', vapp.id, vapp.cluster, wish);
  return createTask(tx, { ...task, organization_id: vapp.organization_id, owner_kind: 'vapp', owner_id: vapp.id });
}

/** Those of the machines for which one of these operations is under way. */
export async function machinesUnder(
  tx: Tx,
  ids: readonly VmId[],
  operations: readonly string[],
): Promise<ReadonlySet<VmId>> {
  const { rows } = await sql<{ id: VmId }>`
    SELECT DISTINCT owner_id AS id FROM tasks
    WHERE owner_id = ANY (${ids}::uuid[]) AND ended_at IS NULL AND operation = ANY (${operations}::text[])
  `.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Desired from here on is that neither it nor any of its machines is there, those too that nobody here has asked for. Both are held by the caller. */
export async function askForVappRemoval(
  tx: Tx,
  { id, cluster }: Pick<Vapp, 'id' | 'cluster'>,
  machines: readonly VappMachine[],
): Promise<void> {
  await sql`
    UPDATE vapps SET desired_state = 'absent', updated_at = now() WHERE id = ${id} AND desired_state <> 'absent'
  `.execute(tx);
  await sql`
    UPDATE vms SET desired_state = 'absent', updated_at = now()
    WHERE vapp_id = ${id} AND deleted_at IS NULL AND desired_state <> 'absent'
  `.execute(tx);
  await wishForMachines(tx, cluster, machines);
}

/** What is to be true of these machines from now on. They are held by the caller. */
export async function setDesiredPower(tx: Tx, machines: readonly VappMachine[], power: 'on' | 'off'): Promise<void> {
  await sql`
    UPDATE vms SET desired_power = ${power}, updated_at = now()
    WHERE id = ANY (${machines.map(({ id }) => id)}::uuid[]) AND desired_power IS DISTINCT FROM ${power}
  `.execute(tx);
}

export interface PowerRequest extends VappTask {
  /** Of the task on each machine. */
  readonly onMachine: string;
  /** Operations of power, on vApps and on machines: what is under way of them is superseded. */
  readonly supersedes: readonly string[];
}

/** One task on the vApp, and one on each of these machines. They and the vApp are held by the caller. */
export async function startVappPower(
  tx: Tx,
  vapp: Pick<Vapp, 'id' | 'cluster' | 'organization_id'>,
  machines: readonly VappMachine[],
  { onMachine, supersedes, ...onVapp }: PowerRequest,
): Promise<ShownTask> {
  const ids = machines.map(({ id }) => id);
  await wishForMachines(tx, vapp.cluster, machines);
  await requestReconciliation(tx, 'vapp', vapp.id, vapp.cluster);
  await supersede(tx, [vapp.id, ...ids], supersedes, onVapp.operation);
  const task = await startVappTask(tx, vapp, onVapp);
  await sql`
    INSERT INTO tasks (organization_id, user_id, owner_kind, owner_id, operation, details)
    SELECT ${vapp.organization_id}, ${onVapp.user_id}, 'vm', id, ${onMachine}, ${JSON.stringify({ parent: task.id })}::jsonb
    FROM unnest(${ids}::uuid[]) AS id
  `.execute(tx);
  return task;
}

async function supersede(tx: Tx, owners: readonly string[], operations: readonly string[], by: string): Promise<void> {
  const error = { minorErrorCode: 'CONFLICT', message: `It was superseded by ${by}, which was asked for later.` };
  await sql`
    UPDATE tasks SET status = 'aborted', error = ${JSON.stringify(error)}::jsonb, ended_at = now(), updated_at = now()
    WHERE owner_id = ANY (${owners}::uuid[]) AND ended_at IS NULL AND operation = ANY (${operations}::text[])
  `.execute(tx);
}

async function wishForMachines(tx: Tx, cluster: string, machines: readonly VappMachine[]): Promise<void> {
  for (const id of machines.map((machine) => machine.id).toSorted()) await requestReconciliation(tx, 'vm', id, cluster);
}
