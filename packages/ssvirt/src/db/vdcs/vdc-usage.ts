/** How much of a VDC's allocation its VMs use. */
import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Tables, VdcId } from '../schema/schema.ts';

export interface VdcUsage {
  readonly vms: number;
  readonly cpus: number;
  readonly memoryMb: number;
  readonly storageMb: number;
  /** Network cards. */
  readonly nics: number;
}

/**
 * Every VM that is not DELETED counts in full, whether it runs or not: an allocation is a promise, and a VM that is off
 * can be powered on at any time. The requested size counts; for a VM without one (a discovered VM), the size in the
 * cluster does. The size in the cluster also counts where it has more CPUs or memory: a VM that was made smaller may
 * run with the old size until it is powered off, or permanently if the cluster refuses the change. Requested storage is
 * in `spec.storageMb`. A MB is a MiB, here as everywhere. Network cards count as requested; a VM of which they are not
 * known counts as one, which KubeVirt gives to a VM that names none.
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
      coalesce(sum(coalesce(asked.storage_mb, seen.storage_mb)), 0)::bigint AS "storageMb",
      coalesce(sum(CASE
        WHEN jsonb_typeof(v.spec -> 'nics') = 'number' THEN (v.spec ->> 'nics')::integer
        WHEN jsonb_typeof(v.spec -> 'networks') = 'array' THEN greatest(1, jsonb_array_length(v.spec -> 'networks'))
        ELSE 1
      END), 0)::integer AS nics
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
