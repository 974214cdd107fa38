/** vApps: created, renamed and deleted as rows; the clusters follow asynchronously. */
import type { Kysely, Transaction } from 'kysely';
import type { ListPage, ListRequest } from '../../db/lists/contracts.ts';
import type { Tables, VappId, VdcId } from '../../db/schema/schema.ts';
import { openTask, type ShownTask } from '../../db/tasks/tasks.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import {
  askForVappRemoval,
  lockMachines,
  lockVapp,
  machinesOfVapp,
  machinesOfVapps,
  startVappTask,
  type VappVm,
} from '../../db/vapps/vapp-requests.ts';
import * as vapps from '../../db/vapps/vapps.ts';
import type { Vapp } from '../../db/vapps/vapps.ts';
import { getVdc } from '../../db/vdcs/vdcs.ts';
import { listVms, type Vm } from '../../db/vms/vms.ts';
import type { Operation } from '../auth/access/matrix.ts';
import { recordAudit, type Deed } from '../audit/record.ts';
import type { Caller } from '../caller.ts';
import { requireAvailable } from '../clusters/available.ts';
import { requireImportable } from '../catalogs/boot-sources/checks.ts';
import type { ApiContext } from '../deps.ts';
import { badRequest, conflict, found } from '../errors.ts';
import { requireAllocation, requireEnabled } from '../vdcs/allocation.ts';
import { idOf } from '../urn.ts';
import { allocationOf, createMachine, type StartedVm } from '../vms/create.ts';
import type { NewMachineInput } from '../vms/new-vm.ts';
import { planMachine } from '../vms/plan.ts';
import { mayRun } from '../vms/service.ts';
import { newVms, requireVmQuotas } from '../vms/user-quotas.ts';
import type { StartedVapp } from './answer.ts';
import { requireLiving, requireOwnLife, vdcOf } from './living.ts';
import type { VappChangeInput } from './schemas.ts';

type Db = Kysely<Tables>;

export interface VappWithMachines {
  readonly vapp: Vapp;
  readonly machines: readonly VappVm[];
}

/** vApps of standalone VMs are not listed. */
export async function vappsPage(
  db: Db,
  { scope }: Caller,
  asked: ListRequest,
  vdc?: VdcId,
): Promise<ListPage<VappWithMachines>> {
  const { rows, total } = await vapps.listVapps(db, scope, vdc === undefined ? {} : { vdc }, asked);
  // A nonempty page proves that the VDC exists.
  if (vdc !== undefined && total === 0) found(await getVdc(db, scope, vdc));
  const ids = rows.map(({ id }) => id);
  const machines = ids.length === 0 ? undefined : await machinesOfVapps(db, ids);
  return { rows: rows.map((row) => ({ vapp: row, machines: machines?.get(row.id) ?? [] })), total };
}

export async function vapp(db: Db, { scope }: Caller, id: VappId): Promise<Vapp> {
  return found(await vapps.getVapp(db, scope, id));
}

export async function vappWithMachines(db: Db, caller: Caller, id: VappId): Promise<VappWithMachines> {
  return { vapp: await vapp(db, caller, id), machines: await machinesOfVapp(db, id) };
}

export async function machinesPage(db: Db, caller: Caller, id: VappId, asked: ListRequest): Promise<ListPage<Vm>> {
  await vapp(db, caller, id);
  return listVms(db, caller.scope, { vapp: id }, asked);
}

/** An empty vApp is only a row: no cluster has an object for it. */
export function createVapp(
  db: Db,
  caller: Caller,
  vdcId: VdcId,
  { name, description = '' }: { readonly name: string; readonly description?: string },
): Promise<Vapp> {
  return inTransaction(db, async (tx) => {
    requireEnabled(found(await getVdc(tx, caller.scope, vdcId)));
    const made = await vapps.createVapp(tx, { vdc_id: vdcId, owner_id: caller.userId, name, description });
    await recordAudit(tx, caller, deed('vapps.create', made, { vdc: made.vdc_name }));
    return made;
  });
}

/** The VMs in the cluster carry the name of their vApp: with VMs, a task updates them. */
export function updateVapp(
  db: Db,
  caller: Caller,
  id: VappId,
  asked: VappChangeInput,
): Promise<{ readonly vapp: Vapp; readonly task?: ShownTask }> {
  if (asked.id !== undefined && idOf('vapp', asked.id, 'id') !== id)
    throw badRequest(`id: "${asked.id}" is not the one in the path; leave it out.`);
  return inTransaction(db, async (tx) => {
    const before = found(await lockVapp(tx, caller.scope, id));
    requireLiving(before, await vdcOf(tx, before));
    const { name = before.name, description = before.description } = asked;
    const isRenamed = name !== before.name;
    if (!isRenamed && description === before.description) return { vapp: before };
    requireOwnLife(before);
    const after = found(await vapps.updateVapp(tx, id, { name, description }));
    const changed = [...(isRenamed ? ['name'] : []), ...(description === before.description ? [] : ['description'])];
    await recordAudit(tx, caller, deed('vapps.update', after, { changed }));
    if (!isRenamed || (await machinesOfVapp(tx, id)).length === 0) return { vapp: after };
    const task = await startVappTask(tx, after, { operation: 'vappUpdate', user_id: caller.userId });
    return { vapp: after, task };
  });
}

/** `deleteVapp` checks that everything may be deleted before it changes anything. A repeated request returns the same task. */
export function deleteVapp(db: Db, caller: Caller, id: VappId, force: boolean): Promise<StartedVapp> {
  return inTransaction(db, async (tx) => {
    const before = found(await lockVapp(tx, caller.scope, id));
    const machines = await lockMachines(tx, id);
    const open = before.desired_state === 'absent' ? await openTask(tx, id, ['vappDelete']) : undefined;
    if (open !== undefined) return { vapp: before, task: open };
    if (before.desired_state === 'present') requireLiving(before, await vdcOf(tx, before));
    if (!force) await requireStopped(tx, before, machines);
    await askForVappRemoval(tx, before, machines);
    const task = await startVappTask(tx, before, {
      operation: 'vappDelete',
      user_id: caller.userId,
      details: { force },
    });
    await recordAudit(tx, caller, deed('vapps.delete', before, { force, machines: machines.length }));
    return { vapp: found(await vapps.getVapp(tx, 'all', id)), task };
  });
}

export async function addMachine(
  { database: { db }, catalogSource, clusters, images }: ApiContext,
  caller: Caller,
  id: VappId,
  asked: NewMachineInput,
): Promise<StartedVm> {
  const { cluster, vdc_id } = await vapp(db, caller, id);
  requireAvailable(caller, clusters, cluster, `the VM "${asked.name}" cannot be created`);
  const plan = planMachine({ source: catalogSource, cluster }, asked);
  await requireImportable(images, 'url', asked.url);
  return inTransaction(db, async (tx) => {
    const vdc = await requireAllocation(tx, vdc_id, allocationOf(plan));
    const place = found(await lockVapp(tx, caller.scope, id));
    requireLiving(place, vdc, { enabled: true });
    requireOwnLife(place);
    await requireVmQuotas(tx, newVms(caller, 1, plan));
    return createMachine(tx, caller, { vdc, vapp: place }, plan);
  });
}

async function requireStopped(tx: Transaction<Tables>, { name }: Vapp, machines: readonly VappVm[]): Promise<void> {
  const active = await mayRun(tx, machines);
  if (active.length === 0) return;
  const names = active.map((machine) => `"${machine.name}"`);
  const some = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' and more' : ''}`;
  const what = `The vApp "${name}" cannot be deleted while VMs in it run or may run (${some})`;
  throw conflict(
    active.some(({ stale }) => stale)
      ? `${what}: their status is not current. Wait until it is, or delete the vApp with force=true.`
      : `${what}; power it off first, or delete it with force=true.`,
  );
}

function deed(action: Operation, { id, name, organization_id }: Vapp, details: Deed['details'] = {}): Deed {
  return { action, entity: { kind: 'vapp', id, name }, organizationId: organization_id, details };
}
