/** VMs and vApps for the sweep that looks for orphans, including deleted rows. */
import { sql, type Kysely } from 'kysely';

import type { Tables } from '../schema/schema.ts';

export interface SweptPlace {
  readonly id: string;
  readonly cluster: string;
  readonly namespace: string;
  /** Undefined while the row is live. */
  readonly deletedAt: Date | undefined;
  /** The uid of the object that was created for the row; null when it was never recorded. */
  readonly uid: string | null;
}

type Row = Omit<SweptPlace, 'deletedAt'> & { readonly deleted_at: Date | null };

function placeOf({ deleted_at, ...place }: Row): SweptPlace {
  return { ...place, deletedAt: deleted_at ?? undefined };
}

export async function vmPlaces(db: Kysely<Tables>, ids: readonly string[]): Promise<readonly SweptPlace[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    SELECT v.id, v.cluster, v.namespace, v.deleted_at, coalesce(a.uid, o.uid) AS uid
    FROM vms v LEFT JOIN vm_applied a ON a.vm_id = v.id LEFT JOIN vm_observed o ON o.vm_id = v.id
    WHERE v.id = ANY (${ids}::uuid[])
  `.execute(db);
  return rows.map(placeOf);
}

export async function vappPlaces(db: Kysely<Tables>, ids: readonly string[]): Promise<readonly SweptPlace[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    SELECT v.id, d.cluster, d.namespace, v.deleted_at, a.uid
    FROM vapps v JOIN vdcs d ON d.id = v.vdc_id LEFT JOIN vapp_applied a ON a.vapp_id = v.id
    WHERE v.id = ANY (${ids}::uuid[])
  `.execute(db);
  return rows.map(placeOf);
}
