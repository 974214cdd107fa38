/** Machines whose state could not be written for a long time, as people are shown them; the vm-controller writes them (observations/). */
import type { Kysely, Selectable } from 'kysely';

import type { ListPage, ListRequest } from './lists/contracts.ts';
import { syncFailureList } from './lists/definitions.ts';
import { readList } from './lists/read-list.ts';
import type { SyncFailureId, SyncFailureTable, Tables } from './schema.ts';
import type { Scope } from './scope.ts';

export interface SyncFailureRow extends Selectable<SyncFailureTable> {
  /** Of the machine's row, where one is known. */
  readonly vm_display_name: string | null;
}

export function getSyncFailure(db: Kysely<Tables>, id: SyncFailureId): Promise<SyncFailureRow | undefined> {
  return syncFailures(db).where('sync_failures.id', '=', id).executeTakeFirst();
}

/** Of the whole installation: no tenant is shown them. */
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
