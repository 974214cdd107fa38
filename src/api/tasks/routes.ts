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
        tags,
        summary: 'List the tasks, the latest first',
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
      schema: { tags, summary: 'Get a task', params, response: { 200: TaskBody } },
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
        tags,
        summary: 'Give up a task',
        description:
          'The creation of a virtual data center that is not there yet, of a machine and of a vApp: what was made is removed again. A change of power: nobody waits for it any more, and what is wanted of the machine (on or off) stays as it is. Whatever else is under way ends by itself: 409.',
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
