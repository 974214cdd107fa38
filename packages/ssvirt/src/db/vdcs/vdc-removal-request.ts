/** Requests the removal of a VDC with its contents. The end of the removal is in vdc-removal.ts. */
import { sql, type Transaction } from 'kysely';

import type { Tables, TaskId, VdcId } from '../schema/schema.ts';

const now = sql<Date>`now()`;

export interface VdcContents {
  /** VApps that hold VMs. */
  readonly vapps: number;
  /** VMs that are not DELETED. */
  readonly vms: number;
}

/** Call this after `askForVdcRemoval`, which waits for transactions that are adding a VM to a vApp. */
export async function vdcContents(tx: Transaction<Tables>, id: VdcId): Promise<VdcContents> {
  const { rows } = await sql<VdcContents>`
    SELECT count(DISTINCT a.id)::integer AS vapps, count(*)::integer AS vms
    FROM vapps a
    JOIN vms v ON v.vapp_id = a.id AND v.deleted_at IS NULL
    LEFT JOIN vm_observed o ON o.vm_id = v.id
    WHERE a.vdc_id = ${id} AND a.deleted_at IS NULL AND o.gone IS NOT TRUE
  `.execute(tx);
  return rows[0] ?? { vapps: 0, vms: 0 };
}

/**
 * The caller holds the VDC's row (`lockVdc`), so no vApp can be added in the meantime. After this call no VM can be
 * added to one of its vApps.
 */
export async function askForVdcRemoval(tx: Transaction<Tables>, id: VdcId): Promise<void> {
  await tx
    .updateTable('vdcs')
    .set({ desired_state: 'absent', updated_at: now })
    .where('id', '=', id)
    .where('desired_state', '<>', 'absent')
    .execute();
  await tx
    .updateTable('vapps')
    .set({ desired_state: 'absent', updated_at: now })
    .where('vdc_id', '=', id)
    .where('deleted_at', 'is', null)
    .where('desired_state', '<>', 'absent')
    .execute();
}

/** `askForVmRemovals` includes discovered VMs, because they are deleted with their namespace. */
export async function askForVmRemovals(tx: Transaction<Tables>, id: VdcId): Promise<void> {
  await sql`
    UPDATE vms SET desired_state = 'absent', updated_at = now()
    WHERE deleted_at IS NULL AND desired_state <> 'absent' AND vapp_id IN (SELECT id FROM vapps WHERE vdc_id = ${id} AND deleted_at IS NULL)
  `.execute(tx);
}

/** `forceVdcRemoval` turns a removal that was requested without force into a forced one. */
export async function forceVdcRemoval(tx: Transaction<Tables>, task: TaskId): Promise<void> {
  await sql`UPDATE tasks SET details = details || '{"force": true}', updated_at = now() WHERE id = ${task}`.execute(tx);
}
