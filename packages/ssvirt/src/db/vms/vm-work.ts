/**
 * Everything that work on a VM needs to know, read at one moment: the desired state, the place, what was created, what
 * was observed, and the open tasks.
 */
import { sql, type Kysely, type Selectable } from 'kysely';

import type { DetailedTask } from '../work-queue/claimed-tasks.ts';
import { stalenessOf, vmIsStale, type Staleness } from '../clusters/staleness.ts';
import type { OrganizationId, Tables, VappId, VdcId, VmObservedTable, VmTable } from '../schema/schema.ts';

export interface OpenVmTask extends DetailedTask {
  /** How long ago its last step began. */
  readonly sinceMs: number;
  /** The observation of the VM was written after the task was requested. */
  readonly seen: boolean;
  /**
   * The vm-controller reached the cluster in a contact that began after the task was requested: the observation was
   * true then.
   */
  readonly heard: boolean;
}

export interface VmWork {
  readonly vm: Selectable<VmTable>;
  readonly vapp: {
    readonly id: VappId;
    readonly name: string;
    readonly hidden: boolean;
    /** It is being created, and its desired state is present. */
    readonly making: boolean;
  };
  readonly vdc: {
    readonly id: VdcId;
    readonly name: string;
    readonly organizationId: OrganizationId;
    /** Its namespace exists as requested. */
    readonly ready: boolean;
    /** The VDC is being removed, with everything in it. */
    readonly leaving: boolean;
  };
  readonly installationId: string;
  /** The uid of the created VirtualMachine; null before that. */
  readonly uid: string | null;
  readonly observed: VmSeen | undefined;
  /** Why the observation is stale; null when it is current. */
  readonly staleness: Staleness | null;
  /** Oldest first. */
  readonly tasks: readonly OpenVmTask[];
}

/** What the vm-controller wrote about the VM. */
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
  readonly tasks: readonly OpenVmTask[];
}

/** One statement, so all values are from one moment. Includes deleted rows; undefined when there is no row. */
export async function readVmWork(db: Kysely<Tables>, id: string): Promise<VmWork | undefined> {
  const age = (since: string) => sql`extract(epoch FROM now() - ${sql.ref(since)}) * 1000`;
  // A request time in the future is from before the clock was set back. Then the time of the task's last step counts.
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
      ${stalenessOf(vmIsStale('v'), sql`v.namespace`)} AS staleness,
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
  // The vm-controller knows the uid of a discovered VM. It finds a requested VM by name only, which may be a VM of
  // another owner.
  const uid = made_uid ?? (vm.origin === 'discovered' ? observed?.uid : null) ?? null;
  return { vm, vapp, vdc, installationId, uid, observed: observed ?? undefined, staleness, tasks };
}

/** `placeOfVm` returns the VM's place, which never changes. */
export async function placeOfVm(
  db: Kysely<Tables>,
  id: string,
): Promise<{ readonly namespace: string; readonly name: string } | undefined> {
  const { rows } = await sql<{ readonly namespace: string; readonly name: string }>`
    SELECT namespace, vm_name AS name FROM vms WHERE id = ${id} AND deleted_at IS NULL
  `.execute(db);
  return rows[0];
}
