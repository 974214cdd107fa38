/** `createApiClient` makes a client of the REST API whose paths, parameters, bodies and answers are typed. */
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

export type ApiPaths = paths;

/** The named schemas of the OpenAPI document, such as `Schemas['Vm']`. */
export type Schemas = components['schemas'];

export type TypedClient = Client<paths>;

/** Sends a request and resolves to its response. Authentication and failures before there is a response are its own. */
export type Fetch = (request: Request) => Promise<Response>;

export function createApiClient(baseUrl: string, fetch: Fetch): TypedClient {
  return createClient<paths>({ baseUrl, fetch });
}
