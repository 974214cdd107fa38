/** The state of a VDC in its cluster, written only by the holder of its claim. */
import { sql, type Kysely } from 'kysely';

import { underClaim, type Claim } from '../work-queue/reconciliations.ts';
import type { Tables, VdcId } from '../schema/schema.ts';

/** `AppliedObject` is an object as our last apply left it. */
export interface AppliedObject {
  readonly uid: string;
  readonly resourceVersion: string;
  /** The digest of the applied configuration. */
  readonly digest: string;
  /** The digest of our fields in managedFields: it stays the same until another manager changes one of them. */
  readonly fields: string;
}

export type AppliedObjects = Readonly<Record<string, AppliedObject>>;

export interface VdcApplied {
  readonly namespaceUid: string | null;
  readonly objects: AppliedObjects;
  /** Everything existed as requested at least once. */
  readonly ready: boolean;
  readonly fault: string | null;
}

export const nothingApplied: VdcApplied = { namespaceUid: null, objects: {}, ready: false, fault: null };

/** `recordApplied` throws LostClaim when the claim was lost. */
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

/** `recordFault` records a fault, whether the VDC exists already or was never created. Changes nothing else. */
export async function recordFault(db: Kysely<Tables>, claim: Claim, fault: string): Promise<void> {
  await underClaim(db, claim, (tx) =>
    sql`
      INSERT INTO vdc_applied (vdc_id, fault, attempt) VALUES (${claim.entityId}, ${fault}, ${claim.attempt})
      ON CONFLICT (vdc_id) DO UPDATE SET fault = excluded.fault, attempt = excluded.attempt, updated_at = now()
    `.execute(tx),
  );
}

/** `VdcPlace` is a VDC for the code that compares clusters with rows; includes deleted ones. */
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
