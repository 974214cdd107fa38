/** VDCs: an organization's namespace in a cluster of the fleet, with limits. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';

import { deleteUnused, holdLive } from '../retention/deletion.ts';
import { fitting } from '../connection/duplicate.ts';
import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { vdcList } from '../lists/definitions.ts';
import { loggedList } from '../lists/read-list.ts';
import { readOne } from '../connection/read-one.ts';
import type { ColumnChanges, New } from '../connection/rows.ts';
import type { Tables, VdcId, VdcTable } from '../schema/schema.ts';
import { clusterIsCurrent, stalenessOf, type Staleness } from '../clusters/staleness.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { inTransaction } from '../connection/transaction.ts';

export interface Vdc extends Selectable<VdcTable> {
  readonly organization_name: string;
  /** It was created in its cluster at least once. */
  readonly ready: boolean;
  /** What the cluster refused. */
  readonly fault: string | null;
  /** What the work on it waits for, or why the last attempt failed; empty when everything is as requested. */
  readonly waits_for: string;
  /** What is shown of the VMs in it, and of the VDC itself, is not current. */
  readonly stale: boolean;
  /** The reason; null when it is not stale. */
  readonly staleness: Staleness | null;
}

/** Nothing is shown of a cluster that was never followed, so nothing of it is stale. */
const stale = sql<boolean>`(clusters.name IS NOT NULL AND (NOT ${clusterIsCurrent} OR vdcs.namespace = ANY (clusters.unreadable_namespaces)))`;

export function createVdc(db: Kysely<Tables>, vdc: New<VdcTable>): Promise<Vdc> {
  return inTransaction(db, async (tx) => {
    await holdLive(tx, 'organizations', vdc.organization_id, ['vdcs', 'organization_id']);
    const { id } = await fitting(tx.insertInto('vdcs').values(vdc).returning('id').executeTakeFirstOrThrow());
    return liveVdcs(tx, 'all').where('vdcs.id', '=', id).executeTakeFirstOrThrow();
  });
}

export const getVdc = readOne((db, scope, id: VdcId) => liveVdcs(db, scope).where('vdcs.id', '=', id));

/** `lockVdc` locks the row until the end of the transaction: changes, use of the allocation and a removal request wait. */
export function lockVdc(tx: Transaction<Tables>, scope: Scope, id: VdcId): Promise<Vdc | undefined> {
  return liveVdcs(tx, scope).where('vdcs.id', '=', id).forNoKeyUpdate('vdcs').executeTakeFirst();
}

export function findVdcOfNamespace(db: Kysely<Tables>, cluster: string, namespace: string): Promise<Vdc | undefined> {
  return liveVdcs(db, 'all')
    .where('vdcs.cluster', '=', cluster)
    .where('vdcs.namespace', '=', namespace)
    .executeTakeFirst();
}

const vdcs = loggedList(vdcList, (db, scope) => liveVdcs(db, scope));

export function listVdcs(db: Kysely<Tables>, scope: Scope, asked: ListRequest): Promise<ListPage<Vdc>> {
  return vdcs(db, scope, {}, asked);
}

/** The place never changes, because running VMs do not move. Request a removal with `desired_state: 'absent'`. */
export async function updateVdc(
  db: Kysely<Tables>,
  id: VdcId,
  change: ColumnChanges<VdcTable, 'organization_id' | 'cluster' | 'namespace'>,
): Promise<Vdc | undefined> {
  const update = db
    .updateTable('vdcs')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  await fitting(update.execute());
  return getVdc(db, 'all', id);
}

/** Call this when the namespace is gone. Rejects with `InUse` while vApps belong to the VDC. */
export function deleteVdc(db: Kysely<Tables>, id: VdcId): Promise<boolean> {
  return inTransaction(db, (tx) => deleteUnused(tx, 'vdcs', id));
}

function liveVdcs(db: Kysely<Tables>, scope: Scope) {
  return (
    db
      .selectFrom('vdcs')
      // Every VDC has an organization. It is a left join because PostgreSQL skips one of which no column is used, as in
      // a count.
      .leftJoin('organizations', 'organizations.id', 'vdcs.organization_id')
      .leftJoin('vdc_applied', 'vdc_applied.vdc_id', 'vdcs.id')
      .leftJoin('clusters', 'clusters.name', 'vdcs.cluster')
      .leftJoin('reconciliations', (on) =>
        on.onRef('reconciliations.entity_id', '=', 'vdcs.id').on('reconciliations.kind', '=', 'vdc'),
      )
      .selectAll('vdcs')
      .select([sql<string>`organizations.name`.as('organization_name'), 'vdc_applied.fault'])
      .select(sql<boolean>`coalesce(vdc_applied.ready, false)`.as('ready'))
      .select(sql<string>`coalesce(reconciliations.message, '')`.as('waits_for'))
      .select([stale.as('stale'), stalenessOf(stale, sql`vdcs.namespace`).as('staleness')])
      .where('vdcs.deleted_at', 'is', null)
      .where(inScope(scope, 'vdcs.organization_id'))
  );
}
