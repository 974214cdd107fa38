import { sql, type Kysely, type Selectable } from 'kysely';

import { fitting } from '../connection/duplicate.ts';
import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { taskList } from '../lists/definitions.ts';
import { loggedList } from '../lists/read-list.ts';
import { readOne } from '../connection/read-one.ts';
import type { JsonObject, OrganizationId, Tables, TaskId, TaskStatus, TaskTable, UserId } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';

export type Task = Selectable<TaskTable>;

/** A task with the names of what it refers to. A name is empty when its row was removed. */
export interface ShownTask extends Task {
  readonly organization_name: string;
  readonly user_name: string;
  readonly owner_name: string;
  /** What an open task waits for, or why its last attempt failed. */
  readonly waits_for: string;
  /** `waits_for` is the reason of a failure. */
  readonly failing: boolean;
  /** The place of a VM or a vApp; empty when its row was removed, and for other owners. */
  readonly owner_cluster: string;
  readonly owner_namespace: string;
}

/** `cameFrom` are the states from which each state can be reached. A task that has ended never changes. */
export const cameFrom: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  queued: [],
  preRunning: ['queued', 'preRunning'],
  running: ['queued', 'preRunning', 'running'],
  success: ['running'],
  error: ['queued', 'preRunning', 'running'],
  canceled: ['queued', 'preRunning', 'running'],
  aborted: ['queued', 'preRunning', 'running'],
};

const ended: ReadonlySet<TaskStatus> = new Set<TaskStatus>(['success', 'error', 'canceled', 'aborted']);

export function isEnded(status: TaskStatus): boolean {
  return ended.has(status);
}

export interface NewTask {
  readonly organization_id: OrganizationId;
  readonly user_id?: UserId;
  readonly owner_kind: string;
  readonly owner_id: string;
  readonly operation: string;
  readonly details?: JsonObject;
}

/** `TaskProgress` is the new state of a task and the values that belong to it. */
export interface TaskProgress {
  readonly status: Exclude<TaskStatus, 'queued'>;
  readonly progress?: number;
  readonly step?: string;
  readonly error?: JsonObject;
  readonly details?: JsonObject;
}

export async function createTask(db: Kysely<Tables>, task: NewTask): Promise<ShownTask> {
  const { id } = await fitting(db.insertInto('tasks').values(task).returning('id').executeTakeFirstOrThrow());
  return shownTasks(db, 'all').where('tasks.id', '=', id).executeTakeFirstOrThrow();
}

export const getTask = readOne((db, scope, id: TaskId) => shownTasks(db, scope).where('tasks.id', '=', id));

const taskPages = loggedList(
  taskList,
  (db, scope) => shownTasks(db, scope),
  (db, scope) => db.selectFrom('tasks').where(inScope(scope, 'tasks.organization_id')),
);

/** `openTask` returns the newest open task on that entity with one of these operations. */
export async function openTask(
  db: Kysely<Tables>,
  owner: string,
  operations: readonly string[],
): Promise<ShownTask | undefined> {
  const { rows } = await sql<{ id: TaskId }>`
    SELECT id FROM tasks WHERE owner_id = ${owner} AND ended_at IS NULL AND operation = ANY (${operations}::text[])
    ORDER BY created_at DESC, id DESC LIMIT 1
  `.execute(db);
  const [open] = rows;
  return open === undefined ? undefined : getTask(db, 'all', open.id);
}

/** Names are looked up only for the tasks of the page, not for the skipped ones. */
export function listTasks(db: Kysely<Tables>, scope: Scope, asked: ListRequest): Promise<ListPage<ShownTask>> {
  return taskPages(db, scope, {}, asked);
}

/**
 * Undefined when the task is gone or its state does not allow the change, for example because another process has ended
 * it.
 */
export function advanceTask(db: Kysely<Tables>, id: TaskId, to: TaskProgress): Promise<Task | undefined> {
  const now = sql<Date>`now()`;
  return db
    .updateTable('tasks')
    .set({
      ...to,
      updated_at: now,
      ...(to.status === 'success' ? { progress: 100 } : {}),
      ...(ended.has(to.status) ? { ended_at: now } : { started_at: sql<Date>`coalesce(started_at, now())` }),
    })
    .where('id', '=', id)
    .where('status', 'in', cameFrom[to.status])
    .returningAll()
    .executeTakeFirst();
}

const ownerPlace = sql<{ cluster: string; namespace: string }>`(
  SELECT vms.cluster, vms.namespace FROM vms WHERE tasks.owner_kind = 'vm' AND vms.id = tasks.owner_id
  UNION ALL
  SELECT vdcs.cluster, vdcs.namespace FROM vapps JOIN vdcs ON vdcs.id = vapps.vdc_id
  WHERE tasks.owner_kind = 'vapp' AND vapps.id = tasks.owner_id
)`.as<'place'>(sql.ref('place'));

/** A deleted owner keeps its name until the retention removes its row. */
function shownTasks(db: Kysely<Tables>, scope: Scope) {
  return db
    .selectFrom('tasks')
    .leftJoin('organizations', 'organizations.id', 'tasks.organization_id')
    .leftJoin('users', 'users.id', 'tasks.user_id')
    .leftJoin('reconciliations', (on) =>
      on
        .onRef('reconciliations.kind', '=', 'tasks.owner_kind')
        .onRef('reconciliations.entity_id', '=', 'tasks.owner_id')
        .on('tasks.ended_at', 'is', null),
    )
    .leftJoinLateral(ownerPlace, (on) => on.onTrue())
    .selectAll('tasks')
    .select([
      sql<string>`coalesce(organizations.name, '')`.as('organization_name'),
      sql<string>`coalesce(users.username, '')`.as('user_name'),
      sql<string>`coalesce(CASE tasks.owner_kind
        WHEN 'vdc' THEN (SELECT name FROM vdcs WHERE id = tasks.owner_id)
        WHEN 'vapp' THEN (SELECT name FROM vapps WHERE id = tasks.owner_id)
        WHEN 'vm' THEN (SELECT name FROM vms WHERE id = tasks.owner_id)
        WHEN 'catalog' THEN (SELECT name FROM catalogs WHERE id = tasks.owner_id)
      END, '')`.as('owner_name'),
      sql<string>`coalesce(reconciliations.message, '')`.as('waits_for'),
      sql<boolean>`coalesce(reconciliations.failures > 0, false)`.as('failing'),
      sql<string>`coalesce(place.cluster, '')`.as('owner_cluster'),
      sql<string>`coalesce(place.namespace, '')`.as('owner_namespace'),
    ])
    .where(inScope(scope, 'tasks.organization_id'));
}
