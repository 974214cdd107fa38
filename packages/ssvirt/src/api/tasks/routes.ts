import { Type } from 'typebox';
import type { ApiContext } from '../deps.ts';
import { callerOf, operation, type ApiApp } from '../http/app-types.ts';
import { baseUrl } from '../http/base-url.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { ListQuery, PageOf, UrnSchema } from '../http/schemas.ts';
import { idOf } from '../urn.ts';
import { cancelTask } from './cancel.ts';
import { taskBody, TaskBody } from './render.ts';
import { task, tasksPage } from './service.ts';

export function taskRoutes(app: ApiApp, { database: { db }, settings }: ApiContext): void {
  const tags = ['tasks'];
  const params = Type.Object({ taskId: UrnSchema('task', 'The task') });

  app.get(
    '/cloudapi/1.0.0/tasks',
    {
      config: operation('tasks.list'),
      schema: {
        operationId: 'listTasks',
        tags,
        summary: 'List tasks, newest first',
        querystring: ListQuery,
        response: { 200: PageOf(TaskBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const base = baseUrl(request, settings);
      const page = await tasksPage(db, callerOf(request), asked);
      return sendPage({ request, reply, model: 'Tasks' }, asked, page, (row) => taskBody(row, base));
    },
  );

  app.get(
    '/cloudapi/1.0.0/tasks/:taskId',
    {
      config: operation('tasks.get'),
      schema: { operationId: 'getTask', tags, summary: 'Get a task', params, response: { 200: TaskBody } },
    },
    async (request) => {
      const id = idOf('task', request.params.taskId, 'taskId');
      return taskBody(await task(db, callerOf(request), id), baseUrl(request, settings));
    },
  );

  app.post(
    '/cloudapi/1.0.0/tasks/:taskId/cancel',
    {
      config: operation('tasks.cancel'),
      schema: {
        operationId: 'cancelTask',
        tags,
        summary: 'Cancel a task',
        description:
          'You can cancel the creation of a virtual data center that is not ready yet, of a VM or of a vApp: what was created is deleted again. You can also cancel a power change: the task ends, and the desired power state stays as it is. Other tasks end by themselves: 409.',
        params,
        response: { 200: TaskBody },
      },
    },
    async (request) => {
      const id = idOf('task', request.params.taskId, 'taskId');
      return taskBody(await cancelTask(db, callerOf(request), id), baseUrl(request, settings));
    },
  );
}
