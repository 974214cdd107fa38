/** Shows tasks. Routes create them when they accept a request, workers end them. */
import type { Kysely } from 'kysely';
import type { ListPage, ListRequest } from '../../db/lists/contracts.ts';
import type { Tables, TaskId } from '../../db/schema/schema.ts';
import { getTask, listTasks, type ShownTask } from '../../db/tasks/tasks.ts';
import type { Caller } from '../caller.ts';
import { found } from '../errors.ts';
import { redactedFor } from './redaction.ts';

export async function tasksPage(db: Kysely<Tables>, caller: Caller, asked: ListRequest): Promise<ListPage<ShownTask>> {
  const { rows, total } = await listTasks(db, caller.scope, asked);
  return { rows: rows.map((one) => redactedFor(caller, one)), total };
}

export async function task(db: Kysely<Tables>, caller: Caller, id: TaskId): Promise<ShownTask> {
  return redactedFor(caller, found(await getTask(db, caller.scope, id)));
}
