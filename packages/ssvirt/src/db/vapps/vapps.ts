/** The desired state of vApps, and the status that results from their VMs. */
import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';

import { deleteUnused, holdLive } from '../retention/deletion.ts';
import { fitting } from '../connection/duplicate.ts';
import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { vappList } from '../lists/definitions.ts';
import { loggedList } from '../lists/read-list.ts';
import { readOne } from '../connection/read-one.ts';
import type { ColumnChanges, New } from '../connection/rows.ts';
import type { JsonObject, ShownVappStatus, Tables, VappId, VappTable, VdcId } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { stalenessOf, type Staleness } from '../clusters/staleness.ts';
import { inTransaction } from '../connection/transaction.ts';

/** `spec` does not contain values that are never shown, such as parameter values. */
export interface Vapp extends Selectable<VappTable> {
  readonly vdc_name: string;
  /** Null when it has no owner. */
  readonly owner_name: string | null;
  readonly cluster: string;
  readonly namespace: string;
  readonly status: ShownVappStatus;
  /** The status of one of its VMs is stale. */
  readonly stale: boolean;
  /** The reason; null when it is not stale. */
  readonly staleness: Staleness | null;
  /** Why its TemplateInstance failed. */
  readonly fault: string | null;
  /** The number of its VMs that are not DELETED. */
  readonly machines: number;
}

export interface VappFilter {
  readonly vdc?: VdcId;
  /** Includes vApps that were created for a single VM. */
  readonly hidden?: boolean;
}

export function createVapp(db: Kysely<Tables>, vapp: New<VappTable>): Promise<Vapp> {
  return inTransaction(db, async (tx) => {
    await holdLive(tx, 'vdcs', vapp.vdc_id, ['vapps', 'vdc_id']);
    const { id } = await fitting(tx.insertInto('vapps').values(vapp).returning('id').executeTakeFirstOrThrow());
    return liveVapps(tx, 'all').where('vapps.id', '=', id).executeTakeFirstOrThrow();
  });
}

export const getVapp = readOne((db, scope, id: VappId) => liveVapps(db, scope).where('vapps.id', '=', id));

const pages = loggedList(vappList, (db, scope, _: VappFilter) => liveVapps(db, scope), chosenVapps);

export function listVapps(
  db: Kysely<Tables>,
  scope: Scope,
  filter: VappFilter,
  asked: ListRequest,
): Promise<ListPage<Vapp>> {
  return pages(db, scope, filter, asked);
}

/** Uses only columns that an index on vApps has, so that counting and skipping read nothing else. */
function chosenVapps(db: Kysely<Tables>, scope: Scope, { vdc, hidden = false }: VappFilter) {
  let vapps = db.selectFrom('vapps').where('vapps.deleted_at', 'is', null);
  if (!hidden) vapps = vapps.where('vapps.hidden', '=', false);
  if (vdc === undefined) return vapps.where(inScope(scope, 'vapps.organization_id'));
  // Whether the VDC belongs to the organization is checked once, not for each vApp.
  return vapps
    .where('vapps.vdc_id', '=', vdc)
    .where(sql<SqlBool>`EXISTS (SELECT FROM vdcs d WHERE d.id = ${vdc} AND ${inScope(scope, 'd.organization_id')})`);
}

/** Request a removal with `desired_state: 'absent'`. */
export async function updateVapp(
  db: Kysely<Tables>,
  id: VappId,
  change: ColumnChanges<VappTable, 'vdc_id'>,
): Promise<Vapp | undefined> {
  const update = db
    .updateTable('vapps')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  await fitting(update.execute());
  return getVapp(db, 'all', id);
}

/** Call this when the VMs are gone; it rejects with `InUse` before that. Their rows are deleted with it. */
export function deleteVapp(db: Kysely<Tables>, id: VappId): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const deleted = await deleteUnused(tx, 'vapps', id);
    if (deleted) {
      await tx
        .updateTable('vms')
        .set({ deleted_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
        .where('vapp_id', '=', id)
        .where('deleted_at', 'is', null)
        .execute();
    }
    return deleted;
  });
}

function liveVapps(db: Kysely<Tables>, scope: Scope) {
  return db
    .selectFrom('vapps')
    .innerJoin('vdcs', 'vdcs.id', 'vapps.vdc_id')
    .innerJoin('vapp_status', 'vapp_status.vapp_id', 'vapps.id')
    .leftJoin('vapp_observed', 'vapp_observed.vapp_id', 'vapps.id')
    .leftJoin('clusters', 'clusters.name', 'vdcs.cluster')
    .leftJoin('users as owners', 'owners.id', 'vapps.owner_id')
    .select(['vapps.id', 'vapps.vdc_id', 'vapps.organization_id', 'vapps.name', 'vapps.description', 'vapps.hidden'])
    .select(['vapps.desired_state', 'vapps.creation', 'vapps.created_at', 'vapps.updated_at', 'vapps.deleted_at'])
    .select([sql<JsonObject>`(vapps.spec - 'parameters')`.as('spec'), 'vdcs.name as vdc_name'])
    .select(['vdcs.cluster', 'vdcs.namespace', 'vapps.owner_id', 'owners.username as owner_name'])
    .select(['vapp_status.status', 'vapp_status.stale', 'vapp_status.machines', 'vapp_observed.fault'])
    .select(stalenessOf(sql`vapp_status.stale`, sql`vdcs.namespace`).as('staleness'))
    .where('vapps.deleted_at', 'is', null)
    .where(inScope(scope, 'vapps.organization_id'));
}
