/** Rows as those see them who look for objects that nobody wants: also those that are deleted. */
import { sql, type Kysely } from 'kysely';

import type { Tables } from './schema.ts';

export interface SweptPlace {
  readonly id: string;
  readonly cluster: string;
  readonly namespace: string;
  /** Undefined while it lives. */
  readonly deletedAt: Date | undefined;
  /** Of the object that was made for it; null where that was never put down. */
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
