/**
 * Everything that work on a VDC needs to know, read at one moment: the desired state, what was created, and the open
 * tasks.
 */
import { sql, type Kysely, type Selectable } from 'kysely';

import type { OpenTask } from '../work-queue/claimed-tasks.ts';
import type { Tables, TaskId, VdcTable } from '../schema/schema.ts';
import { nothingApplied, type AppliedObjects, type VdcApplied } from './vdc-applied.ts';

export type { OpenTask };

/** `Removal` is the last request to remove the VDC. Its task has ended if the cluster refused the removal. */
export interface Removal {
  readonly id: TaskId;
  /** Includes the VDC's contents. */
  readonly forced: boolean;
  readonly ended: boolean;
}

export interface VdcWork {
  readonly vdc: Selectable<VdcTable>;
  readonly organizationName: string;
  readonly installationId: string;
  readonly applied: VdcApplied;
  /** Every task's request is already in `vdc`, because a task is committed together with its desired state. */
  readonly tasks: readonly OpenTask[];
  readonly removal: Removal | undefined;
}

interface Row extends Selectable<VdcTable> {
  readonly organization_name: string;
  readonly installation_id: string;
  readonly has_applied: boolean;
  readonly namespace_uid: string | null;
  readonly objects: AppliedObjects | null;
  readonly ready: boolean | null;
  readonly fault: string | null;
  readonly tasks: readonly OpenTask[];
  readonly removal: Removal | null;
}

/** One statement, so all values are from one moment. Includes deleted rows; undefined when there is no row. */
export async function readVdcWork(db: Kysely<Tables>, id: string): Promise<VdcWork | undefined> {
  const { rows } = await sql<Row>`
    SELECT v.*, o.name AS organization_name, i.id AS installation_id,
      a.vdc_id IS NOT NULL AS has_applied, a.namespace_uid, a.objects, a.ready, a.fault,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', t.id, 'operation', t.operation, 'status', t.status, 'step', t.step))
        FROM tasks t WHERE t.owner_kind = 'vdc' AND t.owner_id = v.id AND t.ended_at IS NULL
      ), '[]') AS tasks,
      CASE v.desired_state WHEN 'absent' THEN (
        SELECT jsonb_build_object('id', t.id, 'forced', t.details -> 'force' IS NOT DISTINCT FROM 'true'::jsonb, 'ended', t.ended_at IS NOT NULL)
        FROM tasks t WHERE t.owner_kind = 'vdc' AND t.owner_id = v.id AND t.operation = 'vdcDelete'
        ORDER BY t.created_at DESC, t.id DESC LIMIT 1
      ) END AS removal
    FROM vdcs v
    JOIN organizations o ON o.id = v.organization_id
    CROSS JOIN installation i
    LEFT JOIN vdc_applied a ON a.vdc_id = v.id
    WHERE v.id = ${id}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const {
    organization_name,
    installation_id,
    has_applied,
    namespace_uid,
    objects,
    ready,
    fault,
    tasks,
    removal,
    ...vdc
  } = row;
  const applied = has_applied
    ? { namespaceUid: namespace_uid, objects: objects ?? {}, ready: ready ?? false, fault }
    : nothingApplied;
  return {
    vdc,
    organizationName: organization_name,
    installationId: installation_id,
    applied,
    tasks,
    removal: removal ?? undefined,
  };
}

/** `namespaceOf` returns the VDC's namespace, which never changes. */
export async function namespaceOf(db: Kysely<Tables>, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('vdcs')
    .select('namespace')
    .where('id', '=', id as never)
    .executeTakeFirst();
  return row?.namespace;
}

export async function installationId(db: Kysely<Tables>): Promise<string> {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  return id;
}

/** The live VDCs of these organizations. Their namespaces carry the organization's name. */
export async function vdcsOfOrganizations(db: Kysely<Tables>, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('vdcs')
    .select('id')
    .where('organization_id', 'in', ids as never)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

export async function vdcsOfCluster(db: Kysely<Tables>, cluster: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('vdcs')
    .select('id')
    .where('cluster', '=', cluster)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}
