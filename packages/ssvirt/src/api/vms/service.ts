/** VMs: created, changed and deleted as rows; their clusters follow asynchronously. */
import { defined } from '@ssvirt/base/values/defined';
import type { Kysely, Transaction } from 'kysely';
import { freeHiddenName, freeVmName } from '../../db/vms/reusable-names.ts';
import type { ListPage, ListRequest } from '../../db/lists/contracts.ts';
import type { Tables, VdcId, VmId } from '../../db/schema/schema.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { lockVapp } from '../../db/vapps/vapp-requests.ts';
import { createVapp, updateVapp } from '../../db/vapps/vapps.ts';
import { vdcUsage, type VdcUsage } from '../../db/vdcs/vdc-usage.ts';
import { getVdc, lockVdc, type Vdc } from '../../db/vdcs/vdcs.ts';
import { askForVmRemoval, createdAmong, lockVm, patchVmSpec, startVmTask } from '../../db/vms/vm-requests.ts';
import { openTask } from '../../db/tasks/tasks.ts';
import * as vms from '../../db/vms/vms.ts';
import type { Vm } from '../../db/vms/vms.ts';
import type { Operation } from '../auth/access/matrix.ts';
import { recordAudit } from '../audit/record.ts';
import type { Caller } from '../caller.ts';
import { requireAvailable } from '../clusters/available.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, conflict, found } from '../errors.ts';
import { requireAllocation, requireEnabled, requireStaying } from '../vdcs/allocation.ts';
import { changeOf, growthOf } from './change.ts';
import { allocationOf, createMachine, type StartedVm } from './create.ts';
import type { NewMachineInput } from './new-vm.ts';
import type { Offers } from './offers.ts';
import { planMachine, type MachinePlan } from './plan.ts';
import { powerTasks } from './power-tasks.ts';
import { newVms, requireVmQuotas } from './user-quotas.ts';
import type { VmChangeInput } from './schemas.ts';
import { requireImportable } from '../catalogs/boot-sources/checks.ts';

type Db = Kysely<Tables>;
type Tx = Transaction<Tables>;

/** What the rules need to know of the clusters. */
export type VmServiceContext = Pick<ApiDeps, 'clusters' | 'catalogSource' | 'images'>;

export function vmsPage(db: Db, { scope }: Caller, asked: ListRequest): Promise<ListPage<Vm>> {
  return vms.listVms(db, scope, {}, asked);
}

export async function vmsOfVdc(db: Db, { scope }: Caller, vdc: VdcId, asked: ListRequest): Promise<ListPage<Vm>> {
  const page = await vms.listVms(db, scope, { vdc }, asked);
  // A nonempty page proves that the VDC exists.
  if (page.total === 0) found(await getVdc(db, scope, vdc));
  return page;
}

export async function vm(db: Db, { scope }: Caller, id: VmId): Promise<Vm> {
  return found(await vms.getShownVm(db, scope, id));
}

/** `livingVm` refuses to change a VM that was deleted in its cluster, and can still be seen. */
export async function livingVm(db: Db, { scope }: Caller, id: VmId): Promise<Vm> {
  const living = await vms.getVm(db, scope, id);
  if (living !== undefined) return living;
  const { name } = found(await vms.getShownVm(db, scope, id));
  throw conflict(`The VM "${name}" was deleted in its cluster; it can only be read.`);
}

/** In a vApp of its own, which is not listed. */
export async function createAlone(
  db: Db,
  caller: Caller,
  vdcId: VdcId,
  { asked, around }: { readonly asked: NewMachineInput; readonly around: VmServiceContext },
): Promise<StartedVm> {
  const plan = await planAlone(db, caller, vdcId, { asked, around });
  return inTransaction(db, async (tx) => (await createPlanned(tx, caller, vdcId, plan)).started);
}

/** `ValidatedVm` is the usage of a VDC before and after a creation, by resource. */
export interface ValidatedVm {
  readonly vdc: Vdc;
  readonly before: VdcUsage;
  readonly after: VdcUsage;
}

/** Ends a transaction whose changes must not be kept. */
class Undo extends Error {}

/** Does what `createAlone` does, so that it refuses for the same reasons, and undoes it. */
export async function validateAlone(
  db: Db,
  caller: Caller,
  vdcId: VdcId,
  { asked, around }: { readonly asked: NewMachineInput; readonly around: VmServiceContext },
): Promise<ValidatedVm> {
  const plan = await planAlone(db, caller, vdcId, { asked, around });
  let validated: ValidatedVm | undefined;
  try {
    await inTransaction(db, async (tx) => {
      found(await lockVdc(tx, caller.scope, vdcId));
      const before = await vdcUsage(tx, vdcId);
      const { vdc } = await createPlanned(tx, caller, vdcId, plan);
      validated = { vdc, before, after: await vdcUsage(tx, vdcId) };
      throw new Undo('validated');
    });
  } catch (error) {
    if (!(error instanceof Undo) || validated === undefined) throw error;
  }
  return found(validated);
}

async function planAlone(
  db: Db,
  caller: Caller,
  vdcId: VdcId,
  { asked, around }: { readonly asked: NewMachineInput; readonly around: VmServiceContext },
): Promise<MachinePlan> {
  const seen = found(await getVdc(db, caller.scope, vdcId));
  requireEnabled(seen);
  requireAvailable(caller, around.clusters, seen.cluster, `the VM "${asked.name}" cannot be created`);
  const plan = planMachine(offersOf(around, seen), asked);
  await requireImportable(around.images, 'url', asked.url);
  return plan;
}

async function createPlanned(
  tx: Tx,
  caller: Caller,
  vdcId: VdcId,
  plan: MachinePlan,
): Promise<{ readonly vdc: Vdc; readonly started: StartedVm }> {
  const vdc = await requireAllocation(tx, vdcId, allocationOf(plan));
  requireEnabled(vdc);
  await requireVmQuotas(tx, newVms(caller, 1, plan));
  const name = vappNameOf(plan.name);
  await freeHiddenName(tx, vdcId, name);
  const vapp = await createVapp(tx, { vdc_id: vdcId, owner_id: caller.userId, name, hidden: true });
  return { vdc, started: await createMachine(tx, caller, { vdc, vapp }, plan) };
}

/** So that names of standalone VMs are unique among each other, independent of the names of vApps. */
function vappNameOf(machine: string): string {
  return `${machine} (virtual machine)`;
}

export function offersOf(
  { catalogSource }: Pick<VmServiceContext, 'catalogSource'>,
  { cluster }: { cluster: string },
): Offers {
  return { source: catalogSource, cluster };
}

/** `updateMachine` returns no task if nothing differs. */
export async function updateMachine(
  db: Db,
  caller: Caller,
  id: VmId,
  { asked, around }: { readonly asked: VmChangeInput; readonly around: VmServiceContext },
): Promise<Pick<StartedVm, 'vm'> & Partial<StartedVm>> {
  return inTransaction(db, async (tx) => {
    const before = await lockForChange(tx, caller, id);
    const change = changeOf(offersOf(around, before), before, asked);
    if (change.fields.length === 0) return { vm: before };
    await requireAllocation(tx, before.vdc_id, growthOf(before, change));
    if (change.name !== undefined) await takeName(tx, before, change.name);
    if (change.instancetype !== undefined) await patchVmSpec(tx, id, { instancetype: change.instancetype });
    const after = found(
      await vms.updateVm(tx, id, {
        ...defined({
          name: change.name,
          description: change.description,
          cpu_count: change.cpus,
          memory_mb: change.memoryMb,
        }),
      }),
    );
    const details = { changed: change.fields };
    const task = await startVmTask(tx, after, { operation: 'vmUpdate', user_id: caller.userId, details });
    await audited(tx, caller, after, 'vms.update', details);
    return { vm: after, task };
  });
}

/** A vApp that was created for the VM has the name of the VM. */
async function takeName(tx: Tx, vm: Vm, name: string): Promise<void> {
  await freeVmName(tx, vm, name);
  if (!vm.vapp_hidden) return;
  await freeHiddenName(tx, vm.vdc_id, vappNameOf(name));
  await updateVapp(tx, vm.vapp_id, { name: vappNameOf(name) });
}

/** States in which the guest runs or may run: a forced deletion would lose unwritten data. */
const running: ReadonlySet<string> = new Set(['POWERED_ON', 'POWERING_ON', 'POWERING_OFF', 'SUSPENDED', 'UNKNOWN']);

/**
 * Those of the VMs that run or may run. A stale status proves nothing about a VM that was created: it may
 * have been started since.
 */
export async function mayRun<V extends Pick<Vm, 'id' | 'status' | 'stale'>>(
  tx: Tx,
  machines: readonly V[],
): Promise<readonly V[]> {
  const unsure = machines.filter(({ status, stale }) => stale && status !== 'DELETING' && !running.has(status));
  const created = await createdAmong(
    tx,
    unsure.map(({ id }) => id),
  );
  return machines.filter(({ id, status }) => running.has(status) || created.has(id));
}

/** A repeated request returns the same task. */
export function deleteMachine(db: Db, caller: Caller, id: VmId, force: boolean): Promise<StartedVm> {
  return inTransaction(db, async (tx) => {
    const { vapp_id } = await livingVm(tx, caller, id);
    found(await lockVapp(tx, 'all', vapp_id));
    const before = found(await lockVm(tx, caller.scope, id));
    const open = await openTask(tx, id, ['vmDelete']);
    if (open !== undefined) return { vm: before, task: open };
    if (!force && (await mayRun(tx, [before])).length > 0) throw mustStop(before);
    await askForVmRemoval(tx, before);
    const removal = { operation: 'vmDelete', user_id: caller.userId };
    const task = await startVmTask(tx, before, removal, { operations: powerTasks, by: 'the deletion' });
    await audited(tx, caller, before, 'vms.delete', { force });
    return { vm: { ...before, desired_state: 'absent', status: 'DELETING' }, task };
  });
}

function mustStop({ name, status, stale }: Vm): ApiError {
  return conflict(
    stale
      ? `The VM "${name}" cannot be deleted while it may run: its status ${status} is not current. Wait until the status is current, or delete it with force=true, which stops a running VM as in a power failure.`
      : `The VM "${name}" cannot be deleted while it runs or may run (${status}). Power it off first, or delete it with force=true, which stops it as in a power failure.`,
  );
}

/** `lockForChange` locks the rows in the order of all code: the VDC's, the vApp's, the VM's. */
export async function lockForChange(tx: Tx, caller: Caller, id: VmId): Promise<Vm> {
  const { vdc_id, vapp_id } = await livingVm(tx, caller, id);
  requireStaying(found(await lockVdc(tx, 'all', vdc_id)));
  found(await lockVapp(tx, 'all', vapp_id));
  return requireNotDeleting(found(await lockVm(tx, caller.scope, id)));
}

/** Call it before changing the VM. */
export function requireNotDeleting(vm: Vm): Vm {
  if (vm.status === 'DELETING')
    throw new ApiError('BUSY_ENTITY', `The VM "${vm.name}" is being deleted and cannot be changed.`);
  return vm;
}

export function audited(
  tx: Tx,
  caller: Caller,
  { id, name, organization_id }: Vm,
  action: Operation,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return recordAudit(tx, caller, {
    action,
    entity: { kind: 'vm', id, name },
    organizationId: organization_id,
    details,
  });
}
