/**
 * What requests about vApps write beside the vApp's row: tasks on the vApp and its VMs, and reconcile requests. To
 * prevent deadlocks, rows are locked in the order vdcs, vapps, vms, reconciliations (those of VMs first), tasks.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { requestReconciliation, type ReconcileRequestOptions } from '../work-queue/reconciliations.ts';
import type { JsonObject, ShownVmStatus, Tables, UserId, VappId, VmId } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { createTask, type ShownTask } from '../tasks/tasks.ts';
import { getVapp, type Vapp } from './vapps.ts';

type Tx = Transaction<Tables>;

/** `VappVm` is a VM of a vApp that is not DELETED. */
export interface VappVm {
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

/** `lockVapp` locks the vApp until the end of the transaction, and reads it after that. */
export async function lockVapp(tx: Tx, scope: Scope, id: VappId): Promise<Vapp | undefined> {
  // A statement of its own: other values that a statement reads together with the row it waited for are from before the
  // wait.
  const { rows } = await sql`
    SELECT FROM vapps JOIN vdcs ON vdcs.id = vapps.vdc_id
    WHERE vapps.id = ${id} AND vapps.deleted_at IS NULL AND ${inScope(scope, 'vdcs.organization_id')}
    FOR NO KEY UPDATE OF vapps
  `.execute(tx);
  return rows.length === 0 ? undefined : getVapp(tx, scope, id);
}

/** `lockMachines` locks all VMs of the vApp, ordered by id. No VM can be added while the vApp is locked. */
export async function lockMachines(tx: Tx, id: VappId): Promise<readonly VappVm[]> {
  await sql`SELECT FROM vms WHERE vapp_id = ${id} AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  return machinesOfVapp(tx, id);
}

/** Ordered by name. */
export async function machinesOfVapp(db: Kysely<Tables>, id: VappId): Promise<readonly VappVm[]> {
  return (await machinesOfVapps(db, [id])).get(id) ?? [];
}

/** `machinesOfVapps` returns the same for several vApps; one without VMs has no entry. */
export async function machinesOfVapps(
  db: Kysely<Tables>,
  ids: readonly VappId[],
): Promise<ReadonlyMap<VappId, readonly VappVm[]>> {
  const { rows } = await sql<VappVm & { readonly vapp_id: VappId }>`
    SELECT v.vapp_id, v.id, v.name, s.status, s.stale FROM vms v JOIN vm_status s ON s.vm_id = v.id
    WHERE v.vapp_id = ANY (${ids}::uuid[]) AND v.deleted_at IS NULL AND s.status <> 'DELETED' ORDER BY lower(v.name), v.id
  `.execute(db);
  return Map.groupBy(rows, ({ vapp_id }) => vapp_id);
}

/** Which of these names a VM in that namespace has, whether it was requested or discovered. */
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

/** The reconcile request comes first, because a worker on the vApp locks that row before those of its tasks. */
export async function startVappTask(
  tx: Tx,
  vapp: Pick<Vapp, 'id' | 'cluster' | 'organization_id'>,
  task: VappTask,
  options: ReconcileRequestOptions = {},
): Promise<ShownTask> {
  await requestReconciliation(tx, 'vapp', vapp.id, vapp.cluster, options);
  return createTask(tx, { ...task, organization_id: vapp.organization_id, owner_kind: 'vapp', owner_id: vapp.id });
}

/**
 * Sets the desired state of the vApp and all its VMs, including discovered ones, to absent. The caller holds their
 * rows.
 */
export async function askForVappRemoval(
  tx: Tx,
  { id, cluster }: Pick<Vapp, 'id' | 'cluster'>,
  machines: readonly VappVm[],
): Promise<void> {
  await sql`
    UPDATE vapps SET desired_state = 'absent', updated_at = now() WHERE id = ${id} AND desired_state <> 'absent'
  `.execute(tx);
  await sql`
    UPDATE vms SET desired_state = 'absent', updated_at = now()
    WHERE vapp_id = ${id} AND deleted_at IS NULL AND desired_state <> 'absent'
  `.execute(tx);
  await requestVmReconciliations(tx, cluster, machines);
}

/** The caller holds the rows of these VMs. */
export async function setDesiredPower(tx: Tx, machines: readonly VappVm[], power: 'on' | 'off'): Promise<void> {
  await sql`
    UPDATE vms SET desired_power = ${power}, updated_at = now()
    WHERE id = ANY (${machines.map(({ id }) => id)}::uuid[]) AND desired_power IS DISTINCT FROM ${power}
  `.execute(tx);
}

export interface PowerRequest extends VappTask {
  /** The operation of the task on each VM. */
  readonly onMachine: string;
  /** Power operations on vApps and VMs: open tasks with one of them are superseded. */
  readonly supersedes: readonly string[];
}

/** `startVappPower` creates one task on the vApp and one on each of these VMs. The caller holds their rows. */
export async function startVappPower(
  tx: Tx,
  vapp: Pick<Vapp, 'id' | 'cluster' | 'organization_id'>,
  machines: readonly VappVm[],
  { onMachine, supersedes, ...onVapp }: PowerRequest,
): Promise<ShownTask> {
  const ids = machines.map(({ id }) => id);
  await requestVmReconciliations(tx, vapp.cluster, machines);
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
  const error = { minorErrorCode: 'CONFLICT', message: `It was superseded by ${by}, which was requested later.` };
  await sql`
    UPDATE tasks SET status = 'aborted', error = ${JSON.stringify(error)}::jsonb, ended_at = now(), updated_at = now()
    WHERE owner_id = ANY (${owners}::uuid[]) AND ended_at IS NULL AND operation = ANY (${operations}::text[])
  `.execute(tx);
}

async function requestVmReconciliations(tx: Tx, cluster: string, machines: readonly VappVm[]): Promise<void> {
  for (const id of machines.map((machine) => machine.id).toSorted()) await requestReconciliation(tx, 'vm', id, cluster);
}
