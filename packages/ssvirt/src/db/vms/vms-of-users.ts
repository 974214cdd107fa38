/** How many VMs users own, and their quotas. */
import { sql, type Kysely, type Transaction } from 'kysely';

import type { Tables, UserId, VmId } from '../schema/schema.ts';

export interface VmCount {
  /** All that are not deleted, running or not. */
  readonly stored: number;
  /** Those that are powered on, or are requested to be. */
  readonly deployed: number;
}

export interface VmQuotas extends VmCount {
  readonly id: UserId;
  readonly username: string;
}

/**
 * The desired power counts, so that a request counts from its commit; and the status, because a VM runs for a while
 * after its power-off was requested. A guest that shut itself down leaves its VM deployed, as in VCD.
 */
const isDeployed = sql<boolean>`(
  coalesce(v.desired_power = 'on', false)
  OR coalesce(o.status IN ('POWERED_ON', 'POWERING_ON', 'POWERING_OFF', 'SUSPENDED', 'UNKNOWN'), false)
)`;

export async function vmsOfUser(db: Kysely<Tables>, owner: UserId): Promise<VmCount> {
  const { rows } = await sql<VmCount>`
    SELECT count(*)::integer AS stored, (count(*) FILTER (WHERE ${isDeployed}))::integer AS deployed
    FROM vms v LEFT JOIN vm_observed o ON o.vm_id = v.id
    WHERE v.owner_id = ${owner} AND v.deleted_at IS NULL AND o.gone IS NOT TRUE
  `.execute(db);
  return rows[0] ?? { stored: 0, deployed: 0 };
}

/** How many of these VMs are not deployed yet, by owner. The caller holds their rows. */
export async function undeployedByOwner(
  tx: Transaction<Tables>,
  ids: readonly VmId[],
): Promise<ReadonlyMap<UserId, number>> {
  const { rows } = await sql<{ owner: UserId; vms: number }>`
    SELECT v.owner_id AS owner, count(*)::integer AS vms
    FROM vms v LEFT JOIN vm_observed o ON o.vm_id = v.id
    WHERE v.id = ANY (${ids}::uuid[]) AND v.owner_id IS NOT NULL AND NOT ${isDeployed}
    GROUP BY v.owner_id
  `.execute(tx);
  return new Map(rows.map(({ owner, vms }) => [owner, vms]));
}

/**
 * The quotas of those of the users who have one, where 0 is no limit. Locks these users until the end of the
 * transaction, in a fixed order, so that only one of two requests gets the last of a quota.
 */
export async function lockVmQuotas(tx: Transaction<Tables>, users: readonly UserId[]): Promise<readonly VmQuotas[]> {
  const { rows } = await sql<VmQuotas>`
    SELECT id, username, stored_vm_quota AS stored, deployed_vm_quota AS deployed FROM users
    WHERE id = ANY (${users}::uuid[]) AND deleted_at IS NULL AND (stored_vm_quota > 0 OR deployed_vm_quota > 0)
    ORDER BY id FOR NO KEY UPDATE
  `.execute(tx);
  return rows;
}
