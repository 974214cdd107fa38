import { Type } from 'typebox';
import type { ApiContext } from '../../deps.ts';
import { badRequest } from '../../errors.ts';
import { callerOf, operation, type ApiApp } from '../../http/app-types.ts';
import { listRequest, sendPage } from '../../http/pages.ts';
import { ListQuery, PageOf, UrnSchema } from '../../http/schemas.ts';
import { Passwords } from '../../auth/passwords/passwords.ts';
import { idOf } from '../../urn.ts';
import { renderUser, settingsOf } from './render.ts';
import { NewUser, UserBody, UserChange } from './schemas.ts';
import { changeUser, makeUser, removeUser, userFor, usersPage } from './service.ts';

const tags = ['users'];
const params = Type.Object({ userId: UrnSchema('user', 'The user') });

export function userRoutes(app: ApiApp, { database: { db }, settings }: ApiContext): void {
  const context = { db, passwords: new Passwords(settings.passwordCost), settings };

  app.get(
    '/cloudapi/1.0.0/users',
    {
      config: operation('users.list'),
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'List the users',
        querystring: ListQuery,
        response: { 200: PageOf(UserBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await usersPage(db, callerOf(request), asked);
      return sendPage({ request, reply, model: 'Users' }, asked, page, renderUser);
    },
  );

  app.post(
    '/cloudapi/1.0.0/users',
    {
      config: operation('users.create'),
      schema: { operationId: 'createUser', tags, summary: 'Create a user', body: NewUser, response: { 201: UserBody } },
    },
    async (request, reply) => {
      const { body } = request;
      const organizationId =
        body.organizationId === undefined ? undefined : idOf('org', body.organizationId, 'organizationId');
      const user = { ...settingsOf(body), username: body.username, password: body.password, organizationId };
      return reply.status(201).send(renderUser(await makeUser(context, callerOf(request), user)));
    },
  );

  app.get(
    '/cloudapi/1.0.0/users/:userId',
    {
      config: operation('users.get'),
      schema: { operationId: 'getUser', tags, summary: 'Get a user', params, response: { 200: UserBody } },
    },
    async (request) => renderUser(await userFor(db, callerOf(request), idOf('user', request.params.userId, 'userId'))),
  );

  app.put(
    '/cloudapi/1.0.0/users/:userId',
    {
      config: operation('users.update'),
      schema: {
        operationId: 'updateUser',
        tags,
        summary: 'Change a user; absent fields stay',
        description:
          'Administrators change the users of their organization. Other users can change their own fullName, email, description and password. A new password ends the other sessions of the user and, like enabled=false, revokes the API tokens.',
        params,
        body: UserChange,
        response: { 200: UserBody },
      },
    },
    async (request) => {
      const { body } = request;
      const caller = callerOf(request);
      const id = idOf('user', request.params.userId, 'userId');
      if (body.organizationId !== undefined) {
        const { organization_id } = await userFor(db, caller, id);
        if (organization_id !== idOf('org', body.organizationId, 'organizationId'))
          throw badRequest('organizationId: a user cannot move to another organization; create a user there.');
      }
      const { password, currentPassword, keepApiTokens } = body;
      const change = { ...settingsOf(body), password, currentPassword, keepApiTokens };
      return renderUser(await changeUser(context, caller, id, change));
    },
  );

  app.delete(
    '/cloudapi/1.0.0/users/:userId',
    {
      config: operation('users.delete'),
      schema: { operationId: 'deleteUser', tags, summary: 'Delete a user', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await removeUser(db, callerOf(request), idOf('user', request.params.userId, 'userId'));
      return reply.status(204).send(null);
    },
  );

  app.get(
    '/api/v1/user/profile',
    {
      config: operation('profile.get'),
      schema: { operationId: 'getProfile', tags, summary: 'Get the current user', response: { 200: UserBody } },
    },
    async (request) => {
      const caller = callerOf(request);
      return renderUser(await userFor(db, caller, caller.userId));
    },
  );
}
