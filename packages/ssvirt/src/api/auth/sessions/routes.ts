import { Type } from 'typebox';
import { installationId } from '../../../db/schema/installation.ts';
import { findSession } from '../../../db/tenants/sessions.ts';
import type { Caller } from '../../caller.ts';
import type { ApiContext } from '../../deps.ts';
import { ruleOf } from '../access/matrix.ts';
import { callerOf, operation, type ApiApp, type Reply } from '../../http/app-types.ts';
import { hashOfToken } from '../../http/authenticate.ts';
import { UrnSchema } from '../../http/schemas.ts';
import { Passwords } from '../passwords/passwords.ts';
import { idOf } from '../../urn.ts';
import { basicCredentials } from './credentials.ts';
import { logIn, wrongCredentials, type Door } from './log-in.ts';
import { CurrentSessionBody, renderSession, SessionBody, type Site } from './render.ts';
import { logOut, ownSession } from './service.ts';
import { visitorOf } from './visitor.ts';

const tags = ['sessions'];
const sessionParams = Type.Object({ sessionId: UrnSchema('session', 'The session') });

export function sessionRoutes(app: ApiApp, context: ApiContext): void {
  const { database } = context;
  addLogIns(app, context);

  app.get(
    '/cloudapi/1.0.0/sessions/current',
    {
      config: operation('sessions.current'),
      schema: {
        operationId: 'getCurrentSession',
        tags,
        summary: 'Get the current session',
        response: { 200: CurrentSessionBody },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const session = renderSession(await ownSession(database, caller, caller.sessionId), await siteOf(context));
      return { ...session, operations: permittedOperations(app.served, caller) };
    },
  );

  app.get(
    '/cloudapi/1.0.0/sessions/:sessionId',
    {
      config: operation('sessions.get'),
      schema: {
        operationId: 'getSession',
        tags,
        summary: 'Get one of your sessions',
        params: sessionParams,
        response: { 200: SessionBody },
      },
    },
    async (request) => {
      const id = idOf('session', request.params.sessionId, 'sessionId');
      return renderSession(await ownSession(database, callerOf(request), id), await siteOf(context));
    },
  );

  app.delete(
    '/cloudapi/1.0.0/sessions/:sessionId',
    {
      config: operation('sessions.delete'),
      schema: {
        operationId: 'deleteSession',
        tags,
        summary: 'End one of your sessions',
        params: sessionParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await logOut(database, callerOf(request), idOf('session', request.params.sessionId, 'sessionId'));
      return reply.status(204).send(null);
    },
  );

  // One client ends its session with DELETE on the collection.
  for (const [url, operationId] of [
    ['/cloudapi/1.0.0/sessions/current', 'deleteCurrentSession'],
    ['/cloudapi/1.0.0/sessions', 'logOut'],
  ] as const) {
    app.delete(
      url,
      {
        config: operation('sessions.deleteCurrent'),
        schema: { operationId, tags, summary: 'Log out', response: { 204: Type.Null() } },
      },
      async (request, reply) => {
        await logOut(database, callerOf(request));
        return reply.status(204).send(null);
      },
    );
  }
}

/** By the access matrix. What a role may do only with its own objects is among them. */
function permittedOperations(served: ApiApp['served'], { roles }: Pick<Caller, 'roles'>): string[] {
  const permitted = served.flatMap(({ operation: name, operationId }) => {
    if (operationId === undefined) return [];
    const rule = ruleOf(name);
    return rule.access === 'public' || rule.roles.some((role) => roles.includes(role)) ? [operationId] : [];
  });
  return [...new Set(permitted)].sort();
}

/** Clients send no body, an empty one, or any other: it is ignored. */
function addLogIns(app: ApiApp, context: ApiContext): void {
  void app.register(async (plugin) => {
    const scope = plugin as unknown as ApiApp;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null);
    });
    addLogIn(scope, context, 'tenant');
    addLogIn(scope, context, 'provider');
  });
}

function addLogIn(app: ApiApp, context: ApiContext, door: Door): void {
  const { database, settings } = context;
  const logInContext = { db: database.db, passwords: new Passwords(settings.passwordCost), settings };
  const atTenant = door === 'tenant';
  app.post(
    atTenant ? '/cloudapi/1.0.0/sessions' : '/cloudapi/1.0.0/sessions/provider',
    {
      config: operation(atTenant ? 'sessions.create' : 'sessions.createProvider'),
      schema: {
        operationId: atTenant ? 'logIn' : 'logInAsProvider',
        tags,
        summary: atTenant ? 'Log in to an organization' : 'Log in as the provider',
        description:
          'The user name is user@organization. The response header X-VMWARE-VCLOUD-ACCESS-TOKEN has the token of the session.',
        security: [{ login: [] }],
        response: { 200: SessionBody },
      },
    },
    async (request, reply) => {
      const named = basicCredentials(request.headers.authorization, atTenant ? '' : 'System');
      if (named === undefined) throw wrongCredentials();
      const { token } = await logIn(logInContext, door, named, visitorOf(request));
      const session = await findSession(database.pool, hashOfToken(token));
      if (session === undefined) throw wrongCredentials(); // it ended before it could be returned
      withToken(reply, token);
      return renderSession(session, await siteOf(context));
    },
  );
}

function withToken(reply: Reply, token: string): void {
  void reply.header('x-vmware-vcloud-access-token', token);
  void reply.header('x-vmware-vcloud-token-type', 'Bearer');
  void reply.header('authorization', `Bearer ${token}`);
}

async function siteOf({ database, settings }: ApiContext): Promise<Site> {
  return { id: await installationId(database.db), name: settings.siteName, sessionIdleMs: settings.sessionIdleMs };
}
