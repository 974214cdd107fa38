/**
 * Virtual data centers: tenants read them, the provider creates, changes and deletes them. The clusters follow
 * asynchronously.
 */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { ListPage, ListRequest } from '../../db/lists/contracts.ts';
import { getOrganization } from '../../db/tenants/organizations.ts';
import { requestReconciliation } from '../../db/work-queue/reconciliations.ts';
import type { OrganizationId, Tables, VdcId } from '../../db/schema/schema.ts';
import { createTask, openTask, type ShownTask } from '../../db/tasks/tasks.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { askForVdcRemoval, askForVmRemovals, forceVdcRemoval, vdcContents } from '../../db/vdcs/vdc-removal-request.ts';
import { vdcUsage, type VdcUsage } from '../../db/vdcs/vdc-usage.ts';
import * as vdcs from '../../db/vdcs/vdcs.ts';
import type { Vdc } from '../../db/vdcs/vdcs.ts';
import { vdcNamespace } from '../../kubevirt/vdc/names.ts';
import type { Operation } from '../auth/access/matrix.ts';
import { recordAudit } from '../audit/record.ts';
import { organizationInScope, type Caller } from '../caller.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { badRequest, conflict, found } from '../errors.ts';
import { requireStaying } from './allocation.ts';
import { requireUnchanged } from './immutable-fields.ts';
import { requireAboveUse } from './limits.ts';
import type { NewVdcInput, VdcChangeInput } from './schemas.ts';
import { changedFields, initialSettings, requireConsistent, withAsked } from './settings.ts';

type Db = Kysely<Tables>;

/** The request is recorded in the row, and the task applies it to the cluster. */
export interface Started {
  readonly vdc: Vdc;
  readonly task: ShownTask;
}

/** `SelectableClusters` holds the clusters for new ones. */
export interface SelectableClusters {
  readonly clusters: ClusterDirectory;
  readonly defaultCluster: string;
}

/** One VDC by the path of the provider. */
export interface VdcPath {
  readonly organization: OrganizationId;
  readonly vdc: VdcId;
}

export function vdcsPage(db: Db, { scope }: Caller, asked: ListRequest): Promise<ListPage<Vdc>> {
  return vdcs.listVdcs(db, scope, asked);
}

export async function vdc(db: Db, { scope }: Caller, id: VdcId): Promise<Vdc> {
  return found(await vdcs.getVdc(db, scope, id));
}

export async function usage(db: Db, caller: Caller, id: VdcId): Promise<{ vdc: Vdc; used: VdcUsage }> {
  return { vdc: await vdc(db, caller, id), used: await vdcUsage(db, id) };
}

export async function vdcsOfOrganization(
  db: Db,
  caller: Caller,
  organization: OrganizationId,
  asked: ListRequest,
): Promise<ListPage<Vdc>> {
  const scope = organizationInScope(caller, organization);
  found(await getOrganization(db, scope, organization));
  return vdcs.listVdcs(db, scope, asked);
}

export async function vdcOfOrganization(db: Db, caller: Caller, path: VdcPath): Promise<Vdc> {
  return found(await vdcs.getVdc(db, organizationInScope(caller, path.organization), path.vdc));
}

export function createVdc(
  db: Db,
  caller: Caller,
  organizationId: OrganizationId,
  { asked, places }: { readonly asked: NewVdcInput; readonly places: SelectableClusters },
): Promise<Started> {
  const settings = withAsked({ ...initialSettings, name: asked.name }, asked);
  return inTransaction(db, async (tx) => {
    const scope = organizationInScope(caller, organizationId);
    const { name: organizationName } = found(await getOrganization(tx, scope, organizationId));
    requireConsistent(settings);
    const cluster = clusterFor(places, asked.cluster);
    const id = randomUUID() as VdcId;
    const namespace = vdcNamespace(organizationName, settings.name, id);
    const made = await vdcs.createVdc(tx, { ...settings, id, organization_id: organizationId, cluster, namespace });
    return start(tx, caller, made, { action: 'vdcs.create', operation: 'vdcCreate', details: { cluster, namespace } });
  });
}

/** `updateVdc` returns no task if nothing differs. */
export function updateVdc(
  db: Db,
  caller: Caller,
  path: VdcPath,
  asked: VdcChangeInput,
): Promise<{ readonly vdc: Vdc; readonly task?: ShownTask }> {
  return inTransaction(db, async (tx) => {
    const before = found(await vdcs.lockVdc(tx, organizationInScope(caller, path.organization), path.vdc));
    requireStaying(before);
    const after = withAsked(before, asked);
    requireUnchanged(before, after, asked);
    requireConsistent(after);
    const changed = changedFields(before, after);
    if (changed.length === 0) return { vdc: before };
    requireAboveUse(before, after, await vdcUsage(tx, before.id));
    const vdc = found(await vdcs.updateVdc(tx, before.id, after));
    return start(tx, caller, vdc, { action: 'vdcs.update', operation: 'vdcUpdate', details: { changed } });
  });
}

/** A repeated request returns the same task. */
export function deleteVdc(db: Db, caller: Caller, path: VdcPath, force: boolean): Promise<Started> {
  return inTransaction(db, async (tx) => {
    const before = found(await vdcs.lockVdc(tx, organizationInScope(caller, path.organization), path.vdc));
    await askForVdcRemoval(tx, before.id);
    if (force) await askForVmRemovals(tx, before.id);
    else if (before.desired_state === 'present') await requireEmpty(tx, before);
    const open = await openTask(tx, before.id, ['vdcDelete']);
    const vdc: Vdc = { ...before, desired_state: 'absent' };
    if (open !== undefined) {
      if (force) {
        // The task's row last, like all code that finishes tasks.
        await requestReconciliation(tx, 'vdc', vdc.id, vdc.cluster);
        await forceVdcRemoval(tx, open.id);
      }
      return { vdc, task: open };
    }
    return start(tx, caller, vdc, { action: 'vdcs.delete', operation: 'vdcDelete', details: { force } });
  });
}

async function requireEmpty(tx: Transaction<Tables>, { id, name }: Vdc): Promise<void> {
  const { vapps, vms } = await vdcContents(tx, id);
  if (vms > 0)
    throw conflict(
      `The virtual data center "${name}" cannot be deleted: it has ${vms} virtual machines in ${vapps} vApps. Delete them first, or delete it with force=true, which destroys them with their disks.`,
    );
}

/** The cluster only has to be known: if it is unavailable, the request is carried out when it is back. */
function clusterFor({ clusters, defaultCluster }: SelectableClusters, named: string | undefined): string {
  const name = named ?? defaultCluster;
  if (clusters.get(name) !== undefined) return name;
  const known = clusters.list().map((entry) => entry.name);
  throw badRequest(
    `cluster: "${name}" ${named === undefined ? '(the default) ' : ''}is not a member of the fleet; ${known.length === 0 ? 'the fleet has no members yet' : `the members are ${known.join(', ')}`}`,
  );
}

interface Start {
  readonly action: Operation;
  readonly operation: 'vdcCreate' | 'vdcUpdate' | 'vdcDelete';
  readonly details: Readonly<Record<string, unknown>>;
}

/** Writes the task, the reconcile request and the audit record in the transaction of the row. */
async function start(
  tx: Transaction<Tables>,
  caller: Caller,
  vdc: Vdc,
  { action, operation, details }: Start,
): Promise<Started> {
  const { id, name, organization_id, cluster } = vdc;
  const task = await createTask(tx, {
    organization_id,
    user_id: caller.userId,
    owner_kind: 'vdc',
    owner_id: id,
    operation,
    // The worker has to know whether it may also delete VMs that have no row here.
    ...(operation === 'vdcDelete' ? { details } : {}),
  });
  await requestReconciliation(tx, 'vdc', id, cluster);
  await recordAudit(tx, caller, {
    action,
    entity: { kind: 'vdc', id, name },
    organizationId: organization_id,
    details,
  });
  return { vdc, task };
}
