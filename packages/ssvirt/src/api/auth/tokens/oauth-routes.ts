/** The URLs at which VCD's clients create API tokens and exchange them. */
import { defined } from '@ssvirt/base/values/defined';
import { Type, type Static } from 'typebox';
import type { ApiContext } from '../../deps.ts';
import { badRequest } from '../../errors.ts';
import { callerOf, operation, type ApiApp } from '../../http/app-types.ts';
import type { Door } from '../sessions/log-in.ts';
import { visitorOf } from '../sessions/visitor.ts';
import { idOf } from '../../urn.ts';
import { handOut, refresh, type Entrance, type Grants } from './grants.ts';
import { Grant, Granted, jwtBearer, Registered, Registration } from './schemas.ts';
import { registerToken } from './service.ts';

const tags = ['tokens'];

export function oauthRoutes(app: ApiApp, context: ApiContext): void {
  for (const door of ['tenant', 'provider'] as const) {
    addRegister(app, context, door);
    addToken(app, context, door);
  }
}

function addRegister(app: ApiApp, { database: { db }, settings }: ApiContext, door: Door): void {
  app.post(
    `${pathOf(door)}/register`,
    {
      config: operation(door === 'tenant' ? 'tokens.register' : 'tokens.registerProvider'),
      schema: {
        operationId: door === 'tenant' ? 'registerToken' : 'registerProviderToken',
        tags,
        summary: 'Register an API token by name, to fetch it with a second request',
        description: 'Needs a session that a password opened less than five minutes ago.',
        ...paramsOf(door),
        body: Registration,
        response: { 200: Registered },
      },
    },
    async (request): Promise<Static<typeof Registered>> => {
      const organization = organizationOf(request.params);
      const { client_name: name, expires_in: seconds } = request.body;
      const lifetimeMs = lifetimeOf(seconds, settings.apiTokenMaxMs);
      const asked = { door, organization, name, ...defined({ lifetimeMs }) };
      const { id, expiresAt } = await registerToken(db, callerOf(request), asked);
      return {
        client_id: id,
        client_name: name,
        grant_types: [jwtBearer, 'refresh_token'],
        token_endpoint_auth_method: 'none',
        expires_at: expiresAt?.toISOString() ?? null,
      };
    },
  );
}

function addToken(app: ApiApp, context: ApiContext, door: Door): void {
  app.post(
    `${pathOf(door)}/token`,
    {
      config: operation(door === 'tenant' ? 'tokens.exchange' : 'tokens.exchangeProvider'),
      schema: {
        operationId: door === 'tenant' ? 'exchangeToken' : 'exchangeProviderToken',
        tags,
        summary: 'Fetch a registered API token, or exchange one for a session',
        ...paramsOf(door),
        security: [],
        consumes: ['application/x-www-form-urlencoded'],
        body: Grant,
        response: { 200: Granted },
      },
    },
    async (request): Promise<Static<typeof Granted>> => {
      const entrance = { door, organization: organizationOf(request.params), visitor: visitorOf(request) };
      const { accessToken, lastsMs, refreshToken } = await grant(context, entrance, request.body);
      return {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: Math.floor(lastsMs / 1000),
        refresh_token: refreshToken ?? null,
      };
    },
  );
}

/** The requested lifetime, or the configured maximum. Throws if the request exceeds it. */
function lifetimeOf(seconds: number | undefined, maxMs: number | undefined): number | undefined {
  if (seconds === undefined) return maxMs;
  if (maxMs !== undefined && seconds * 1000 > maxMs)
    throw badRequest(
      `expires_in: ${seconds} is more than ${Math.floor(maxMs / 1000)}, the longest lifetime of an API token here in seconds; ask for less, or leave it out.`,
    );
  return seconds * 1000;
}

function grant(context: ApiContext, entrance: Entrance, asked: Static<typeof Grant>): Promise<Grants> {
  const { grant_type, refresh_token, assertion, client_id } = asked;
  if (grant_type === 'refresh_token') return refresh(context, entrance, given(refresh_token, 'refresh_token'));
  if (grant_type === jwtBearer) {
    const id = idOf('token', given(client_id, 'client_id'), 'client_id');
    return handOut(context, entrance, { assertion: given(assertion, 'assertion'), id });
  }
  throw badRequest(
    `grant_type: ${JSON.stringify(grant_type.slice(0, 60))} is not supported; it must be refresh_token or ${jwtBearer}.`,
  );
}

function given(value: string | undefined, field: string): string {
  if (value === undefined || value === '') throw badRequest(`${field} is missing.`);
  return value;
}

function pathOf(door: Door): string {
  return door === 'tenant' ? '/oauth/tenant/:org' : '/oauth/provider';
}

function paramsOf(door: Door) {
  const org = Type.String({ minLength: 1, maxLength: 128, description: 'The name of the organization' });
  return door === 'tenant' ? { params: Type.Object({ org }) } : {};
}

function organizationOf(params: unknown): string {
  return (params as { readonly org?: string } | undefined)?.org ?? '';
}
