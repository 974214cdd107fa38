/** What has been made of a virtual data center in its cluster: written by who holds its claim, and by nobody else. */
import { sql, type Kysely } from 'kysely';

import { underClaim, type Claim } from './reconciliations.ts';
import type { Tables, VdcId } from './schema.ts';

/** An object as our last apply has left it. */
export interface AppliedObject {
  readonly uid: string;
  readonly resourceVersion: string;
  /** Of what we asked for. */
  readonly digest: string;
  /** Of the fields that are ours in managedFields: the same as long as nobody has changed one of them. */
  readonly fields: string;
}

export type AppliedObjects = Readonly<Record<string, AppliedObject>>;

export interface VdcApplied {
  readonly namespaceUid: string | null;
  readonly objects: AppliedObjects;
  /** Everything was there as asked for, at least once. */
  readonly ready: boolean;
  readonly fault: string | null;
}

export const nothingApplied: VdcApplied = { namespaceUid: null, objects: {}, ready: false, fault: null };

/** Throws LostClaim where it is not ours to write any more. */
export async function recordApplied(db: Kysely<Tables>, claim: Claim, applied: VdcApplied): Promise<void> {
  const { namespaceUid, objects, ready, fault } = applied;
  await underClaim(db, claim, (tx) =>
    sql`
      INSERT INTO vdc_applied (vdc_id, namespace_uid, objects, ready, fault, attempt)
      VALUES (${claim.entityId}, ${namespaceUid}, ${JSON.stringify(objects)}, ${ready}, ${fault}, ${claim.attempt})
      ON CONFLICT (vdc_id) DO UPDATE SET namespace_uid = excluded.namespace_uid, objects = excluded.objects, ready = excluded.ready,
        fault = excluded.fault, attempt = excluded.attempt, updated_at = now()
    `.execute(tx),
  );
}

/** A fault of what is there already, or of what never came to be; nothing else changes. */
export async function recordFault(db: Kysely<Tables>, claim: Claim, fault: string): Promise<void> {
  await underClaim(db, claim, (tx) =>
    sql`
      INSERT INTO vdc_applied (vdc_id, fault, attempt) VALUES (${claim.entityId}, ${fault}, ${claim.attempt})
      ON CONFLICT (vdc_id) DO UPDATE SET fault = excluded.fault, attempt = excluded.attempt, updated_at = now()
    `.execute(tx),
  );
}

/** A virtual data center as those see it who compare clusters with rows: also one that is deleted. */
export interface VdcPlace {
  readonly id: VdcId;
  readonly cluster: string;
  readonly namespace: string;
  readonly state: 'present' | 'absent' | 'deleted';
  readonly objects: AppliedObjects;
}

export async function readPlaces(db: Kysely<Tables>, ids: readonly string[]): Promise<readonly VdcPlace[]> {
  const { rows } = await sql<VdcPlace>`
    SELECT v.id, v.cluster, v.namespace, coalesce(a.objects, '{}') AS objects,
      CASE WHEN v.deleted_at IS NULL THEN v.desired_state ELSE 'deleted' END AS state
    FROM vdcs v LEFT JOIN vdc_applied a ON a.vdc_id = v.id
    WHERE v.id = ANY (${ids}::uuid[])
  `.execute(db);
  return rows;
}
