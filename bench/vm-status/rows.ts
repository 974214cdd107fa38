/** The rows that exist before a controller starts: requested VMs, and their last observed state. */
import type pg from 'pg';
import { nameOf, namespace, organizationId, vappId, vappSize, vdcId, vmId } from './machines.ts';

/** No VM of the bench has this status, so every row must be written. */
const outdated = 'UNKNOWN';

export async function fillRows(pool: pg.Pool, uids: readonly string[]): Promise<void> {
  const indexes = [...uids.keys()];
  const vapps = indexes.filter((index) => index % vappSize === 0);
  await pool.query(`INSERT INTO organizations (id, name) VALUES ($1, 'bench')`, [organizationId]);
  await pool.query(`INSERT INTO vdcs (id, organization_id, name, namespace) VALUES ($1, $2, 'bench', $3)`, [
    vdcId,
    organizationId,
    namespace,
  ]);
  await pool.query(
    `INSERT INTO vapps (id, vdc_id, name)
     SELECT id, $2, 'vapp-' || ordinality FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, ordinality)`,
    [vapps.map(vappId), vdcId],
  );
  await pool.query(
    `INSERT INTO vms (id, vapp_id, name, cluster, namespace, vm_name)
     SELECT id, vapp, name, 'local', $4, name FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS given (id, vapp, name)`,
    [indexes.map(vmId), indexes.map(vappId), indexes.map(nameOf), namespace],
  );
  await pool.query(
    `INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, status, epoch, sequence)
     SELECT id, 'local', $4, name, uid, $5, 0, 0 FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS given (id, name, uid)`,
    [indexes.map(vmId), indexes.map(nameOf), uids, namespace, outdated],
  );
}
