/** What the machines of a virtual data center take of its allocation. */
import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Tables, VdcId } from './schema.ts';

export interface VdcUsage {
  readonly vms: number;
  readonly cpus: number;
  readonly memoryMb: number;
  readonly storageMb: number;
}

/**
 * Every machine that is not DELETED counts, in full, whether it runs or not: an allocation is a promise, and a machine that is off may be switched on at
 * any time. What was asked for counts; where nothing was (a machine that was discovered), what the cluster has. So it does where that is more CPUs or
 * memory: a machine that was made smaller may run with all of it until it is powered off, or for good where the cluster refuses that.
 * Storage that was asked for stands in `spec.storageMb`. A MB is a MiB, here as everywhere.
 */
export async function vdcUsage(db: Kysely<Tables>, id: VdcId): Promise<VdcUsage> {
  const { rows } = await usageStatement(id).execute(db);
  const [usage] = rows;
  if (usage === undefined) throw new Error(`a sum over the machines of the virtual data center ${id} gave no row`);
  return usage;
}

export function usageStatement(id: VdcId): RawBuilder<VdcUsage> {
  return sql<VdcUsage>`
    SELECT count(*)::integer AS vms,
      coalesce(sum(greatest(v.cpu_count, o.cpu_count)), 0)::bigint AS cpus,
      coalesce(sum(greatest(v.memory_mb, o.memory_mb)), 0)::bigint AS "memoryMb",
      coalesce(sum(coalesce(asked.storage_mb, seen.storage_mb)), 0)::bigint AS "storageMb"
    FROM vapps a
    JOIN vms v ON v.vapp_id = a.id AND v.deleted_at IS NULL
    LEFT JOIN vm_observed o ON o.vm_id = v.id
    CROSS JOIN LATERAL (
      SELECT CASE jsonb_typeof(v.spec -> 'storageMb') WHEN 'number' THEN (v.spec ->> 'storageMb')::numeric END AS storage_mb
    ) asked
    CROSS JOIN LATERAL (
      SELECT ceil(sum((disk ->> 'bytes')::numeric) / 1048576) AS storage_mb FROM jsonb_array_elements(o.disks) disk
    ) seen
    WHERE a.vdc_id = ${id} AND a.deleted_at IS NULL AND o.gone IS NOT TRUE
  `;
}
