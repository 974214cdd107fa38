import { sql, type Kysely, type Selectable } from 'kysely';

import { fitting } from './duplicate.ts';
import { newestFirst, readPage, type Page, type PageRequest } from './page.ts';
import type { JsonObject, OrganizationId, Tables, TaskId, TaskStatus, TaskTable, UserId } from './schema.ts';
import { inScope, type Scope } from './scope.ts';

export type Task = Selectable<TaskTable>;

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

export interface TaskFilter {
  readonly owner?: string;
  readonly open?: boolean;
}

export function createTask(db: Kysely<Tables>, task: NewTask): Promise<Task> {
  return fitting(db.insertInto('tasks').values(task).returningAll().executeTakeFirstOrThrow());
}

export function getTask(db: Kysely<Tables>, scope: Scope, id: TaskId): Promise<Task | undefined> {
  return tasks(db, scope).where('id', '=', id).executeTakeFirst();
}

export function listTasks(
  db: Kysely<Tables>,
  scope: Scope,
  { owner, open = false }: TaskFilter,
  page: PageRequest,
): Promise<Page<Task>> {
  let found = tasks(db, scope);
  if (owner !== undefined) found = found.where('owner_id', '=', owner);
  if (open) found = found.where('ended_at', 'is', null);
  return readPage(found, newestFirst('tasks', 'created_at'), page);
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
