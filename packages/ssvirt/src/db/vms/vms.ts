/** VMs: the desired state, shown together with the observation. Only the desired state is written here. */
import {
  sql,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  type Transaction,
} from 'kysely';

import { markDeleted } from '../retention/deletion.ts';
import { fitting, Missing } from '../connection/duplicate.ts';
import type { Filter, ListPage, ListRequest } from '../lists/contracts.ts';
import { providerVmList, vmIdsIn, vmList } from '../lists/definitions.ts';
import type { ListDefinition } from '../lists/definition.ts';
import { loggedList } from '../lists/read-list.ts';
import { usedFields } from '../lists/staleness.ts';
import { readOne } from '../connection/read-one.ts';
import type { ColumnChanges, New } from '../connection/rows.ts';
import type {
  JsonObject,
  ShownVmStatus,
  Tables,
  VappId,
  VdcId,
  VmId,
  VmObservedTable,
  VmTable,
} from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { stalenessOf, vmIsStale, type Staleness } from '../clusters/staleness.ts';
import { inTransaction } from '../connection/transaction.ts';

type Observed = Selectable<VmObservedTable>;
/** Columns of the observation; null before the first one. */
type Seen = {
  readonly [
    Column in
      | 'uid'
      | 'busy'
      | 'restart_required'
      | 'fault_reason'
      | 'fault'
      | 'ip_addresses'
      | 'node'
      | 'host_name'
      | 'disks'
      | 'status_changed_at'
      | 'observed_at'
  ]: Observed[Column] | null;
};

/** `spec` does not contain values that are never shown: data for the guest, and parameter values. */
export interface Vm extends Selectable<VmTable>, Seen {
  readonly vapp_name: string;
  /** The vApp was created for this VM alone. */
  readonly vapp_hidden: boolean;
  readonly vdc_name: string;
  /** Null when it has no owner. */
  readonly owner_name: string | null;
  readonly status: ShownVmStatus;
  /** The status is stale. */
  readonly stale: boolean;
  /** The reason; null when it is not stale. */
  readonly staleness: Staleness | null;
  /** The values in the cluster; `cpu_count`, `memory_mb` and `guest_os` are the requested ones. */
  readonly observed_cpu_count: number | null;
  readonly observed_memory_mb: number | null;
  readonly observed_guest_os: string | null;
}

export interface VmFilter {
  readonly vdc?: VdcId;
  readonly vapp?: VappId;
  /** Includes VMs that are DELETED. */
  readonly deleted?: boolean;
  /** Includes VMs that were deleted in their cluster, without a request here. */
  readonly gone?: boolean;
}

/** The VM's place is that of the vApp's VDC. A name whose VM is gone from the cluster is free. */
export function createVm(db: Kysely<Tables>, vm: New<VmTable, 'cluster' | 'namespace' | 'origin'>): Promise<Vm> {
  return inTransaction(db, async (tx) => {
    const row = { ...vm, ...(await placeOf(tx, vm.vapp_id)) };
    await retireGone(tx, row);
    const { id } = await fitting(tx.insertInto('vms').values(row).returning('id').executeTakeFirstOrThrow());
    const made = await getAnyVm(tx, 'all', id);
    if (made === undefined) throw new Error(`the machine ${id} is not there right after it was made`);
    return made;
  });
}

export const getVm = readOne((db, scope, id: VmId) =>
  shownVms(db, scope)
    .where('vms.id', '=', id)
    .where('vms.deleted_at', 'is', null)
    .where(sql<SqlBool>`o.gone IS NOT TRUE`),
);

/** `getShownVm` includes a VM that was deleted in its cluster without a request here, as long as its row is kept. */
export const getShownVm = readOne((db, scope, id: VmId) =>
  shownVms(db, scope).where('vms.id', '=', id).where(isLiveOrGone),
);

/** Includes a VM that is DELETED. */
export const getAnyVm = readOne((db, scope, id: VmId) => shownVms(db, scope).where('vms.id', '=', id));

/** Copies of what VMs are sorted by, each with its indexes. */
const copies = ['vm_list_states', 'vm_list_keys'] as const;
type Copy = (typeof copies)[number];

/** Another table is read only if the filter or the order has a field of it. */
interface ListedVms extends VmFilter {
  readonly also?: readonly string[];
}

/** The table whose index has the order must come first, and the id must be its own. */
function pagesOf(list: ListDefinition) {
  const copied = (copy: Copy) => {
    const own = { ...list, id: sql.ref(`${copy}.vm_id`), fields: { ...list.fields, ...vmIdsIn(copy) } };
    const rows = (db: Kysely<Tables>, scope: Scope, { also = [], ...of }: ListedVms) =>
      rowsOfList(db, scope, { ...of, also: [...also, copy] });
    const chosen = (db: Kysely<Tables>, scope: Scope, of: ListedVms) => chosenCopies(copy, db, scope, of);
    return { own, pages: loggedList(own, rows, chosen) };
  };
  const vms = { own: list, pages: loggedList(list, rowsOfList, chosenVms) };
  return { vms, vm_list_states: copied('vm_list_states'), vm_list_keys: copied('vm_list_keys') };
}

const tenantPages = pagesOf(vmList);
const providerPages = pagesOf(providerVmList);

export function listVms(db: Kysely<Tables>, scope: Scope, filter: VmFilter, asked: ListRequest): Promise<ListPage<Vm>> {
  const all = scope === 'all' ? providerPages : tenantPages;
  const gone = asked.filter !== undefined && namesDeleted(asked.filter);
  // The VMs of a vApp are few: they are found by it, and sorted.
  const copy =
    filter.vapp === undefined ? copies.find((name) => name === usedFields(vmList, asked)[0]?.table) : undefined;
  const { own, pages } = all[copy ?? 'vms'];
  const used = new Set(usedFields(own, asked).map(({ table = 'vms' }) => table));
  used.delete(copy ?? 'vms');
  return pages(db, scope, { ...filter, ...(gone ? { gone } : {}), also: [...used].toSorted() }, asked);
}

/** A list has VMs that are gone only if its filter names their status. */
function namesDeleted(filter: Filter): boolean {
  return filter.kind === 'compare'
    ? filter.field === 'status' && filter.operand.text.toUpperCase() === 'DELETED'
    : filter.parts.some(namesDeleted);
}

function rowsOfList(db: Kysely<Tables>, scope: Scope, { also = [] }: ListedVms) {
  const others = also.filter((table) => table !== 'vms');
  return joined(shownVms(db, scope), 'vms.id', others);
}

/** Counting and skipping read only an index on VMs, unless the filter has a field of another table. */
function chosenVms(db: Kysely<Tables>, scope: Scope, of: ListedVms) {
  const { vdc, vapp, deleted = false, also = [] } = of;
  let vms = db.selectFrom('vms').where(withinScope(scope, 'vms.organization_id', of));
  if (vdc !== undefined) vms = vms.where('vms.vdc_id', '=', vdc);
  if (vapp !== undefined) vms = vms.where('vms.vapp_id', '=', vapp);
  if (also.length === 0 && !deleted) return vms.where('vms.deleted_at', 'is', null).where(isNotGone);
  return shownIn(joined(vms, 'vms.id', also), also, of);
}

/** The same of a copy. */
function chosenCopies(copy: Copy, db: Kysely<Tables>, scope: Scope, of: ListedVms) {
  const { vdc, also = [] } = of;
  let rows = db.selectFrom(copy).where(withinScope(scope, `${copy}.organization_id`, of));
  if (vdc !== undefined) rows = rows.where(sql<SqlBool>`${sql.ref(`${copy}.vdc_id`)} = ${vdc}`);
  return shownIn(joined(rows, `${copy}.vm_id`, also), [copy, ...also], of);
}

/** The columns of the other tables are used by the fields of the definition alone. */
function joined<Rows>(rows: Rows, id: string, also: readonly string[]): Rows {
  let all = rows as SelectQueryBuilder<Tables, 'vms', unknown>;
  for (const table of also) {
    const other = `${table}.${table === 'vms' ? 'id' : 'vm_id'}`;
    all = all.innerJoin(table as 'vms', (join) => join.on(sql<SqlBool>`${sql.ref(other)} = ${sql.ref(id)}`));
  }
  return all as Rows;
}

function shownIn<TB extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, TB, Row>,
  tables: readonly string[],
  { deleted = false, gone = false }: VmFilter,
): SelectQueryBuilder<Tables, TB, Row> {
  if (deleted) return rows;
  const column = (table: string, name: string) => sql.ref(`${table}.${name}`);
  return tables
    .filter((table) => table !== 'vms')
    .reduce(
      (shown, table) =>
        shown.where(
          gone
            ? sql<SqlBool>`(${column(table, 'listed')} OR ${column(table, 'gone')})`
            : sql<SqlBool>`${column(table, 'listed')}`,
        ),
      rows,
    );
}

/** An index has the few VMs that are gone. */
const isNotGone = sql<SqlBool>`NOT EXISTS (SELECT FROM vm_observed g WHERE g.vm_id = vms.id AND g.gone)`;

/** A request here would have changed the desired state. A name that is taken again marks the row as deleted. */
const isLiveOrGone = sql<SqlBool>`(
  (vms.deleted_at IS NULL AND o.gone IS NOT TRUE) OR (vms.desired_state = 'present' AND o.gone IS TRUE)
)`;

/** Whether the VDC or vApp belongs to the organization is checked once, not for each VM. */
function withinScope(scope: Scope, organization: string, { vdc, vapp }: VmFilter): RawBuilder<SqlBool> {
  if (scope === 'all' || (vdc === undefined && vapp === undefined)) return inScope(scope, organization);
  const [table, id] = vapp === undefined ? ['vdcs', vdc] : ['vapps', vapp];
  return sql<SqlBool>`EXISTS (SELECT FROM ${sql.table(table)} p WHERE p.id = ${id} AND ${inScope(scope, 'p.organization_id')})`;
}

/** Request power changes and removal with `desired_power` and `desired_state`. */
export async function updateVm(
  db: Kysely<Tables>,
  id: VmId,
  change: ColumnChanges<VmTable, 'vapp_id' | 'cluster' | 'namespace' | 'vm_name' | 'origin'>,
): Promise<Vm | undefined> {
  const update = db
    .updateTable('vms')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  await fitting(update.execute());
  return getVm(db, 'all', id);
}

/** Call this when the VM is gone from its cluster or never existed there. */
export function deleteVm(db: Kysely<Tables>, id: VmId): Promise<boolean> {
  return markDeleted(db, 'vms', id);
}

/** Locks the vApp, so that it is not deleted at the same time (see `holdLive`). */
async function placeOf(tx: Transaction<Tables>, vapp: VappId): Promise<{ cluster: string; namespace: string }> {
  const place = await tx
    .selectFrom('vapps')
    .innerJoin('vdcs', 'vdcs.id', 'vapps.vdc_id')
    .select(['vdcs.cluster', 'vdcs.namespace'])
    .where('vapps.id', '=', vapp)
    .where('vapps.deleted_at', 'is', null)
    .where('vapps.desired_state', '=', 'present')
    .where('vdcs.deleted_at', 'is', null)
    .where('vdcs.desired_state', '=', 'present')
    .forShare('vapps')
    .executeTakeFirst();
  if (place === undefined) throw new Missing('vms', 'vapp_id');
  return place;
}

/**
 * A VM that is DELETED in the cluster keeps its row and id, and gives up its name: unique keys look at `deleted_at`
 * only.
 */
async function retireGone(
  tx: Transaction<Tables>,
  vm: { vapp_id: VappId; name: string; cluster: string; namespace: string; vm_name: string },
): Promise<void> {
  await sql`
    UPDATE vms v SET deleted_at = now(), updated_at = now()
    FROM vm_observed o
    WHERE o.vm_id = v.id AND o.status = 'DELETED' AND v.deleted_at IS NULL AND (
      (v.vapp_id = ${vm.vapp_id} AND lower(v.name) = lower(${vm.name}))
      OR (v.cluster = ${vm.cluster} AND v.namespace = ${vm.namespace} AND v.vm_name = ${vm.vm_name})
    )
  `.execute(tx);
}

const shownSpec = sql<JsonObject>`(vms.spec - '{cloudInit,sshKeys}'::text[]) #- '{source,parameters}'`;
const status = sql<ShownVmStatus>`shown_vm_status(vms.deleted_at, vms.desired_state, o.status)`;
const stale = vmIsStale('vms');
const staleness = stalenessOf(stale, sql`vms.namespace`);

/** Every VM has a vApp and a VDC. */
function shownVms(db: Kysely<Tables>, scope: Scope) {
  return db
    .selectFrom('vms')
    .innerJoin('vapps', 'vapps.id', 'vms.vapp_id')
    .innerJoin('vdcs', 'vdcs.id', 'vms.vdc_id')
    .leftJoin('vm_observed as o', 'o.vm_id', 'vms.id')
    .leftJoin('clusters', 'clusters.name', 'vms.cluster')
    .leftJoin('users as owners', 'owners.id', 'vms.owner_id')
    .select(['vms.id', 'vms.vapp_id', 'vms.vdc_id', 'vms.organization_id', 'vms.name', 'vms.description'])
    .select(['vms.cluster', 'vms.namespace', 'vms.vm_name'])
    .select(['vms.origin', 'vms.desired_state', 'vms.desired_power', 'vms.cpu_count', 'vms.memory_mb', 'vms.guest_os'])
    .select(['vms.created_at', 'vms.updated_at', 'vms.deleted_at', shownSpec.as('spec')])
    .select(['vapps.name as vapp_name', 'vapps.hidden as vapp_hidden', 'vdcs.name as vdc_name'])
    .select(['vms.owner_id', 'owners.username as owner_name'])
    .select([status.as('status'), stale.as('stale'), staleness.as('staleness')])
    .select(['o.uid', 'o.busy', 'o.restart_required', 'o.fault_reason', 'o.fault', 'o.ip_addresses', 'o.node'])
    .select(['o.host_name', 'o.disks', 'o.status_changed_at', 'o.observed_at', 'o.cpu_count as observed_cpu_count'])
    .select(['o.memory_mb as observed_memory_mb', 'o.guest_os as observed_guest_os'])
    .where(inScope(scope, 'vms.organization_id'));
}
