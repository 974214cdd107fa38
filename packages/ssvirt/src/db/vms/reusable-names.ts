/**
 * A VM that was deleted in its cluster keeps its row and gives up its name. The row is not shown to tenants, so no
 * tenant could free the name. Unique keys look at `deleted_at` only, so it is set here, when another VM or vApp wants
 * the name.
 */
import { sql, type RawBuilder, type Transaction } from 'kysely';

import type { Tables, VappId, VdcId, VmId } from '../schema/schema.ts';

type Tx = Transaction<Tables>;

/** `freeVmName` frees the name in its vApp, whose row the caller holds. */
export async function freeVmName(
  tx: Tx,
  { id, vapp_id }: { readonly id: VmId; readonly vapp_id: VappId },
  name: string,
): Promise<void> {
  await retire(
    tx,
    sql`v.vapp_id = ${vapp_id} AND v.id <> ${id} AND lower(v.name) = lower(${name})
      AND EXISTS (SELECT FROM vm_observed o WHERE o.vm_id = v.id AND o.gone)`,
  );
}

/**
 * Frees the name of a vApp that was created for a single VM. The vApp is deleted once its VM is gone and no work on
 * either is requested. The caller holds the VDC's row.
 */
export async function freeHiddenName(tx: Tx, vdc: VdcId, name: string): Promise<void> {
  const { rows } = await sql<{ readonly id: VappId }>`
    SELECT a.id FROM vapps a
    WHERE a.vdc_id = ${vdc} AND a.hidden AND a.deleted_at IS NULL AND lower(a.name) = lower(${name})
      AND NOT EXISTS (
        SELECT FROM vms v LEFT JOIN vm_observed o ON o.vm_id = v.id WHERE v.vapp_id = a.id AND v.deleted_at IS NULL AND o.gone IS NOT TRUE
      )
      AND NOT EXISTS (
        SELECT FROM reconciliations r
        WHERE (r.kind = 'vapp' AND r.entity_id = a.id) OR (r.kind = 'vm' AND r.entity_id IN (SELECT id FROM vms WHERE vapp_id = a.id))
      )
    FOR NO KEY UPDATE
  `.execute(tx);
  for (const { id } of rows) {
    await retire(tx, sql`v.vapp_id = ${id}`);
    await sql`
      UPDATE vapps SET desired_state = 'absent', deleted_at = now(), updated_at = now() WHERE id = ${id} AND deleted_at IS NULL
    `.execute(tx);
  }
}

async function retire(tx: Tx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    UPDATE vms v SET spec = (spec - 'cloudInit' - 'sshKeys') #- '{source,parameters}', deleted_at = now(), updated_at = now()
    WHERE v.deleted_at IS NULL AND ${which}
  `.execute(tx);
}
