import { sql, type Kysely, type Selectable } from 'kysely';

import { fitting } from './duplicate.ts';
import type { ListPage, ListRequest } from './lists/contracts.ts';
import { taskList } from './lists/definitions.ts';
import { readLoggedList } from './lists/read-list.ts';
import { readOne } from './read-one.ts';
import type { JsonObject, OrganizationId, Tables, TaskId, TaskStatus, TaskTable, UserId } from './schema.ts';
import { inScope, type Scope } from './scope.ts';

export type Task = Selectable<TaskTable>;

/** With the names of what it refers to; empty for what is gone for good. */
export interface ShownTask extends Task {
  readonly organization_name: string;
  readonly user_name: string;
  readonly owner_name: string;
  /** What an open task waits for, or why its last attempt failed. */
  readonly waits_for: string;
}

/** From which states each can be reached. A task that has ended never changes. */
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

/** The state that a task is in now, and what is to be said of it there. */
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

export function listTasks(db: Kysely<Tables>, scope: Scope, asked: ListRequest): Promise<ListPage<Task>> {
  return readLoggedList(db, { list: taskList, scope, rows: tasks(db, scope) }, asked);
}

/** A page of tasks as they are shown: the names are looked up for these only, and not for all that were paged over. */
export async function showTasks(db: Kysely<Tables>, page: readonly Task[]): Promise<readonly ShownTask[]> {
  if (page.length === 0) return [];
  const ids = page.map(({ id }) => id);
  const shown = await shownTasks(db, 'all').where('tasks.id', 'in', ids).execute();
  const byId = new Map(shown.map((task) => [task.id, task]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Undefined where the task is gone, or in a state that does not lead there: somebody else has ended it, say. */
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

function tasks(db: Kysely<Tables>, scope: Scope) {
  return db.selectFrom('tasks').selectAll().where(inScope(scope, 'tasks.organization_id'));
}

/** A deleted owner keeps its name until the retention removes its row. */
function shownTasks(db: Kysely<Tables>, scope: Scope) {
  return db
    .selectFrom('tasks')
    .leftJoin('organizations', 'organizations.id', 'tasks.organization_id')
    .leftJoin('users', 'users.id', 'tasks.user_id')
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
      sql<string>`coalesce((
        SELECT message FROM reconciliations r
        WHERE tasks.ended_at IS NULL AND r.kind = tasks.owner_kind AND r.entity_id = tasks.owner_id
      ), '')`.as('waits_for'),
    ])
    .where(inScope(scope, 'tasks.organization_id'));
}
