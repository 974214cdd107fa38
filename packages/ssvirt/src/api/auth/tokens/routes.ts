import { Type, type Static } from 'typebox';
import type { ApiToken } from '../../../db/tenants/api-tokens.ts';
import type { ApiContext } from '../../deps.ts';
import { callerOf, operation, type ApiApp } from '../../http/app-types.ts';
import { listRequest, sendPage } from '../../http/pages.ts';
import { ListQuery, PageOf, UrnSchema } from '../../http/schemas.ts';
import { idOf, urnOf } from '../../urn.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { TokenBody } from './schemas.ts';
import { revokeToken, tokenFor, tokensPage } from './service.ts';

const tags = ['tokens'];
const params = Type.Object({ tokenId: UrnSchema('token', 'The API token') });

export function tokenRoutes(app: ApiApp, context: ApiContext): void {
  const { db } = context.database;
  oauthRoutes(app, context);

  app.get(
    '/cloudapi/1.0.0/tokens',
    {
      config: operation('tokens.list'),
      schema: {
        operationId: 'listTokens',
        tags,
        summary: 'List your API tokens; administrators list those of their organization',
        querystring: ListQuery,
        response: { 200: PageOf(TokenBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await tokensPage(db, callerOf(request), asked);
      return sendPage({ request, reply, model: 'Tokens' }, asked, page, render);
    },
  );

  app.get(
    '/cloudapi/1.0.0/tokens/:tokenId',
    {
      config: operation('tokens.get'),
      schema: {
        operationId: 'getToken',
        tags,
        summary: 'Get an API token, without its secret',
        params,
        response: { 200: TokenBody },
      },
    },
    async (request) => render(await tokenFor(db, callerOf(request), idOf('token', request.params.tokenId, 'tokenId'))),
  );

  app.delete(
    '/cloudapi/1.0.0/tokens/:tokenId',
    {
      config: operation('tokens.revoke'),
      schema: {
        operationId: 'revokeToken',
        tags,
        summary: 'Revoke an API token, and end its sessions',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await revokeToken(db, callerOf(request), idOf('token', request.params.tokenId, 'tokenId'));
      return reply.status(204).send(null);
    },
  );
}

function render(token: ApiToken): Static<typeof TokenBody> {
  return {
    id: urnOf('token', token.id),
    name: token.name,
    token: null,
    owner: { name: token.owner_name, id: urnOf('user', token.user_id) },
    org: { name: token.organization_name, id: urnOf('org', token.organization_id) },
    type: 'REFRESH',
    createdAt: token.created_at.toISOString(),
    lastUsedAt: token.last_used_at?.toISOString() ?? null,
    expirationDate: token.expires_at?.toISOString() ?? null,
  };
}
