/** Everything that the work on a machine needs to know, of one moment: what is wanted, where, what was made, what was seen of it, and who waits for it. */
import { sql, type Kysely, type Selectable } from 'kysely';

import type { DetailedTask } from './claimed-tasks.ts';
import { clusterIsCurrent, stalenessOf, type Staleness } from './staleness.ts';
import type { OrganizationId, Tables, VappId, VdcId, VmObservedTable, VmTable } from './schema.ts';

export interface VmTask extends DetailedTask {
  /** How long its last step lasts by now. */
  readonly sinceMs: number;
  /** What is observed of the machine was written after the task was asked for. */
  readonly seen: boolean;
  /** The cluster was reached by the vm-controller, in a contact that began after the task was asked for: what is observed was true then. */
  readonly heard: boolean;
}

export interface VmWork {
  readonly vm: Selectable<VmTable>;
  readonly vapp: {
    readonly id: VappId;
    readonly name: string;
    readonly hidden: boolean;
    /** It is being made, and is to be. */
    readonly making: boolean;
  };
  readonly vdc: {
    readonly id: VdcId;
    readonly name: string;
    readonly organizationId: OrganizationId;
    /** Its namespace is there, as asked for. */
    readonly ready: boolean;
    /** It is to go, and everything in it goes with it. */
    readonly leaving: boolean;
  };
  readonly installationId: string;
  /** Of the VirtualMachine that was made; null before. */
  readonly uid: string | null;
  readonly observed: VmSeen | undefined;
  /** Why what is observed may not be true now; null where it is. */
  readonly staleness: Staleness | null;
  /** Oldest first. */
  readonly tasks: readonly VmTask[];
}

/** What the vm-controller has written of it. */
export interface VmSeen extends Pick<
  Selectable<VmObservedTable>,
  'uid' | 'generation' | 'status' | 'fault' | 'fault_reason'
> {
  readonly statusAgeMs: number;
}

interface Row extends Selectable<VmTable> {
  readonly vapp: VmWork['vapp'];
  readonly vdc: VmWork['vdc'];
  readonly installation_id: string;
  readonly made_uid: string | null;
  readonly observed: VmSeen | null;
  readonly staleness: Staleness | null;
  readonly tasks: readonly VmTask[];
}

const vmIsStale = sql<boolean>`vm_is_stale(v.deleted_at, o.status, v.namespace, clusters.name, ${clusterIsCurrent}, clusters.unreadable_namespaces)`;

/** One statement, and so one moment. Deleted rows too; undefined where there is none. */
export async function readVmWork(db: Kysely<Tables>, id: string): Promise<VmWork | undefined> {
  const age = (since: string) => sql`extract(epoch FROM now() - ${sql.ref(since)}) * 1000`;
  // A request that lies in the future is from before the clock was set back: then it counts from the last step of its task.
  const after = (at: string) =>
    sql`coalesce(${sql.ref(at)} > least(t.created_at, t.updated_at) AND ${sql.ref(at)} < now() + interval '5 seconds', false)`;
  const { rows } = await sql<Row>`
    SELECT v.*, i.id AS installation_id, m.uid AS made_uid,
      jsonb_build_object('id', a.id, 'name', a.name, 'hidden', a.hidden,
        'making', a.creation = 'running' AND a.desired_state = 'present') AS vapp,
      jsonb_build_object('id', d.id, 'name', d.name, 'organizationId', d.organization_id,
        'ready', coalesce(da.ready, false), 'leaving', d.desired_state = 'absent' OR d.deleted_at IS NOT NULL) AS vdc,
      CASE WHEN o.vm_id IS NOT NULL THEN jsonb_build_object('uid', o.uid, 'generation', o.generation, 'status', o.status, 'fault', o.fault,
        'fault_reason', o.fault_reason, 'statusAgeMs', ${age('o.status_changed_at')}) END AS observed,
      ${stalenessOf(vmIsStale, sql`v.namespace`)} AS staleness,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', t.id, 'operation', t.operation, 'status', t.status, 'step', t.step, 'details', t.details,
          'error', t.error, 'ageMs', ${age('t.created_at')}, 'sinceMs', ${age('t.updated_at')},
          'seen', ${after('o.observed_at')}, 'heard', ${after('clusters.contacted_at')}) ORDER BY t.created_at, t.id)
        FROM tasks t WHERE t.owner_kind = 'vm' AND t.owner_id = v.id AND t.ended_at IS NULL
      ), '[]') AS tasks
    FROM vms v
    JOIN vapps a ON a.id = v.vapp_id
    JOIN vdcs d ON d.id = a.vdc_id
    CROSS JOIN installation i
    LEFT JOIN vdc_applied da ON da.vdc_id = d.id
    LEFT JOIN vm_applied m ON m.vm_id = v.id
    LEFT JOIN vm_observed o ON o.vm_id = v.id
    LEFT JOIN clusters ON clusters.name = v.cluster
    WHERE v.id = ${id}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { installation_id: installationId, made_uid, observed, staleness, vapp, vdc, tasks, ...vm } = row;
  // Of one that was discovered the vm-controller knows which it is. One that was asked for it only finds by its name, which may be somebody else's machine.
  const uid = made_uid ?? (vm.origin === 'discovered' ? observed?.uid : null) ?? null;
  return { vm, vapp, vdc, installationId, uid, observed: observed ?? undefined, staleness, tasks };
}

/** Where it is, which never changes. */
export async function placeOfVm(
  db: Kysely<Tables>,
  id: string,
): Promise<{ readonly namespace: string; readonly name: string } | undefined> {
  const { rows } = await sql<{ readonly namespace: string; readonly name: string }>`
    SELECT namespace, vm_name AS name FROM vms WHERE id = ${id} AND deleted_at IS NULL
  `.execute(db);
  return rows[0];
}
