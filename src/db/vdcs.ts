/** Virtual data centers: an organisation's namespace in a cluster of the fleet, and how much may be used there. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';

import { deleteUnused, holdLive } from './deletion.ts';
import { fitting } from './duplicate.ts';
import type { ListPage, ListRequest } from './lists/contracts.ts';
import { vdcList } from './lists/definitions.ts';
import { loggedList } from './lists/read-list.ts';
import { readOne } from './read-one.ts';
import type { Change, New } from './rows.ts';
import type { Tables, VdcId, VdcTable } from './schema.ts';
import { inScope, type Scope } from './scope.ts';
import { inTransaction } from './transaction.ts';

export interface Vdc extends Selectable<VdcTable> {
  readonly organization_name: string;
  /** It has been made in its cluster, at least once. */
  readonly ready: boolean;
  /** What the cluster has refused. */
  readonly fault: string | null;
  /** What the work on it waits for, or why the last attempt failed; empty where it is as asked for. */
  readonly waits_for: string;
}

export function createVdc(db: Kysely<Tables>, vdc: New<VdcTable>): Promise<Vdc> {
  return inTransaction(db, async (tx) => {
    await holdLive(tx, 'organizations', vdc.organization_id, ['vdcs', 'organization_id']);
    const { id } = await fitting(tx.insertInto('vdcs').values(vdc).returning('id').executeTakeFirstOrThrow());
    return liveVdcs(tx, 'all').where('vdcs.id', '=', id).executeTakeFirstOrThrow();
  });
}

export const getVdc = readOne((db, scope, id: VdcId) => liveVdcs(db, scope).where('vdcs.id', '=', id));

/** The row, held until the end of the transaction: who changes it, takes of its allocation or asks for its removal comes after. */
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

/** The place is for good: what runs there does not move. Its removal is asked for by `desired_state: 'absent'`. */
export async function updateVdc(
  db: Kysely<Tables>,
  id: VdcId,
  change: Change<VdcTable, 'organization_id' | 'cluster' | 'namespace'>,
): Promise<Vdc | undefined> {
  const update = db
    .updateTable('vdcs')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  await fitting(update.execute());
  return getVdc(db, 'all', id);
}

/** When its namespace is gone. Refused (`InUse`) while vApps belong to it. */
export function deleteVdc(db: Kysely<Tables>, id: VdcId): Promise<boolean> {
  return inTransaction(db, (tx) => deleteUnused(tx, 'vdcs', id));
}

function liveVdcs(db: Kysely<Tables>, scope: Scope) {
  return (
    db
      .selectFrom('vdcs')
      // Every row has one; a left join is left out by PostgreSQL where nothing of it is asked for, as when rows are counted.
      .leftJoin('organizations', 'organizations.id', 'vdcs.organization_id')
      .leftJoin('vdc_applied', 'vdc_applied.vdc_id', 'vdcs.id')
      .leftJoin('reconciliations', (on) =>
        on.onRef('reconciliations.entity_id', '=', 'vdcs.id').on('reconciliations.kind', '=', 'vdc'),
      )
      .selectAll('vdcs')
      .select([sql<string>`organizations.name`.as('organization_name'), 'vdc_applied.fault'])
      .select(sql<boolean>`coalesce(vdc_applied.ready, false)`.as('ready'))
      .select(sql<string>`coalesce(reconciliations.message, '')`.as('waits_for'))
      .where('vdcs.deleted_at', 'is', null)
      .where(inScope(scope, 'vdcs.organization_id'))
  );
}
