/**
 * Everything that work on a vApp needs to know, read at one moment: the desired state, the place, what was created, its
 * VMs, and the open tasks.
 */
import { sql, type Kysely, type Selectable } from 'kysely';

import type { OpenTask } from '../work-queue/claimed-tasks.ts';
import type { OrganizationId, Tables, TaskStatus, VappTable, VdcId, VmTable } from '../schema/schema.ts';

export interface VappWorkVm extends Pick<
  Selectable<VmTable>,
  'id' | 'name' | 'description' | 'vm_name' | 'desired_state'
> {
  /** The uid of the VirtualMachine that was created for it. */
  readonly uid: string | null;
  /** The cluster reports that it is gone. */
  readonly gone: boolean;
  /** The VM has a reconcile request of its own. */
  readonly hasWork: boolean;
}

/** `ChildTask` is a task on one VM that belongs to a task on the vApp. */
export interface ChildTask {
  /** The id of the task on the vApp. */
  readonly parent: string;
  readonly machine: string;
  readonly status: TaskStatus;
  readonly ended: boolean;
  /** The reason of a failure. */
  readonly message: string | null;
}

export interface VappPlace {
  readonly id: VdcId;
  readonly name: string;
  readonly organizationId: OrganizationId;
  readonly cluster: string;
  readonly namespace: string;
  /** Its namespace exists as requested. */
  readonly ready: boolean;
  /** The VDC is being removed, with everything in it. */
  readonly leaving: boolean;
}

export interface VappWork {
  readonly vapp: Selectable<VappTable>;
  readonly vdc: VappPlace;
  readonly installationId: string;
  /** The uid of its TemplateInstance. */
  readonly uid: string | null;
  readonly fault: string | null;
  /** Oldest first. */
  readonly tasks: readonly OpenTask[];
  /** VMs whose rows are not deleted, ordered by name. */
  readonly machines: readonly VappWorkVm[];
  readonly children: readonly ChildTask[];
}

interface Row extends Selectable<VappTable>, Omit<VappWork, 'vapp' | 'installationId'> {
  readonly installation_id: string;
}

/** One statement, so all values are from one moment. Includes deleted rows; undefined when there is no row. */
export async function readVappWork(db: Kysely<Tables>, id: string): Promise<VappWork | undefined> {
  const { rows } = await sql<Row>`
    SELECT v.*, i.id AS installation_id, a.uid, a.fault,
      jsonb_build_object('id', d.id, 'name', d.name, 'organizationId', d.organization_id, 'cluster', d.cluster, 'namespace', d.namespace,
        'ready', coalesce(da.ready, false), 'leaving', d.desired_state = 'absent' OR d.deleted_at IS NOT NULL) AS vdc,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', t.id, 'operation', t.operation, 'status', t.status, 'step', t.step) ORDER BY t.created_at, t.id)
        FROM tasks t WHERE t.owner_kind = 'vapp' AND t.owner_id = v.id AND t.ended_at IS NULL
      ), '[]') AS tasks,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name, 'description', m.description, 'vm_name', m.vm_name,
          'desired_state', m.desired_state, 'uid', ma.uid, 'gone', coalesce(o.gone, false), 'hasWork', r.entity_id IS NOT NULL) ORDER BY m.vm_name)
        FROM vms m
        LEFT JOIN vm_applied ma ON ma.vm_id = m.id
        LEFT JOIN vm_observed o ON o.vm_id = m.id
        LEFT JOIN reconciliations r ON r.kind = 'vm' AND r.entity_id = m.id
        WHERE m.vapp_id = v.id AND m.deleted_at IS NULL
      ), '[]') AS machines,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('parent', t.details ->> 'parent', 'machine', m.name, 'status', t.status, 'ended', t.ended_at IS NOT NULL,
          'message', t.error ->> 'message') ORDER BY m.name)
        FROM tasks p
        JOIN vms m ON m.vapp_id = v.id
        JOIN tasks t ON t.owner_id = m.id AND t.owner_kind = 'vm' AND t.created_at >= p.created_at AND t.details ->> 'parent' = p.id::text
        WHERE p.owner_kind = 'vapp' AND p.owner_id = v.id AND p.ended_at IS NULL
      ), '[]') AS children
    FROM vapps v
    JOIN vdcs d ON d.id = v.vdc_id
    CROSS JOIN installation i
    LEFT JOIN vdc_applied da ON da.vdc_id = d.id
    LEFT JOIN vapp_applied a ON a.vapp_id = v.id
    WHERE v.id = ${id}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { installation_id: installationId, uid, fault, vdc, tasks, machines, children, ...vapp } = row;
  return { vapp, vdc, installationId, uid, fault, tasks, machines, children };
}
