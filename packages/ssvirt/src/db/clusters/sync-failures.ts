/**
 * VMs whose state could not be written for a long time, as the provider sees them. The vm-controller writes these rows
 * (observations/).
 */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';

import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { syncFailureList } from '../lists/definitions.ts';
import { readList } from '../lists/read-list.ts';
import type { SyncFailureId, SyncFailureTable, Tables } from '../schema/schema.ts';
import type { Scope } from '../schema/scope.ts';

export interface SyncFailureRow extends Selectable<SyncFailureTable> {
  /** The name of the VM's row, if the row is known. */
  readonly vm_display_name: string | null;
}

export function getSyncFailure(db: Kysely<Tables>, id: SyncFailureId): Promise<SyncFailureRow | undefined> {
  return syncFailures(db).where('sync_failures.id', '=', id).executeTakeFirst();
}

/** `requestRetry` asks the vm-controller to write the row of the VM now. The request is an entry of the change log, which it follows. */
export async function requestRetry(tx: Transaction<Tables>, id: SyncFailureId): Promise<void> {
  await tx
    .insertInto('change_log')
    .values({
      kind: 'syncFailure',
      operation: 'updated',
      entity_id: id,
      organization_id: null,
      vdc_id: null,
      vapp_id: null,
      data: {},
    })
    .execute();
  await sql`NOTIFY ssvirt_changes`.execute(tx);
}

/** For the whole installation: tenants do not see them. */
export function listSyncFailures(
  db: Kysely<Tables>,
  _scope: Scope,
  asked: ListRequest,
): Promise<ListPage<SyncFailureRow>> {
  return readList(syncFailureList, syncFailures(db), asked);
}

function syncFailures(db: Kysely<Tables>) {
  return db
    .selectFrom('sync_failures')
    .leftJoin('vms', 'vms.id', 'sync_failures.vm_id')
    .selectAll('sync_failures')
    .select('vms.name as vm_display_name');
}
