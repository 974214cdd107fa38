/** The OpenAPI v2 document of everything that is served: for clients without v3, and for lists and `explain`. */
import type { JsonObject } from '../../values/json.ts';
import type { ServedResource } from '../discovery/served-resource.ts';
import { definitionsOf, reachable } from './definitions.ts';
import type { Parameter } from './parameters.ts';
import { pathItems } from './path-items.ts';
import { renderSchema } from './render-schema.ts';
import { routesOf } from './routes.ts';
import type { Route } from './routes.ts';

const mediaTypes = ['application/json', 'application/yaml'];
const reasons: { readonly [code: number]: string } = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

export function openApiV2(resources: readonly ServedResource[]): JsonObject {
  const routes = resources.flatMap(routesOf);
  const roots = routes.flatMap(({ reads, writes }) => (reads === undefined ? [writes] : [reads, writes]));
  const definitions = Object.entries(reachable(roots, definitionsOf(resources, 'v2')));
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: pathItems(routes, operation, parameter),
    definitions: Object.fromEntries(definitions.map(([name, schema]) => [name, renderSchema(schema, 'v2')])),
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

function operation(route: Route, parameters: JsonObject[]): JsonObject {
  const { action, codes, reads, writes } = route;
  const optional = action === 'delete' || action === 'deletecollection';
  const body = { name: 'body', in: 'body', ...(optional ? {} : { required: true }), schema: reference(reads ?? '') };
  return {
    description: route.description,
    produces: mediaTypes,
    schemes: ['https'],
    tags: [route.tag],
    operationId: route.operationId,
    parameters: [...(reads === undefined ? [] : [body]), ...parameters],
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, { description: reasons[code], schema: reference(writes) }])),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { ...route.kind },
  };
}

function reference(model: string): JsonObject {
  return { $ref: `#/definitions/${model}` };
}

function parameter({ name, in: place, type }: Parameter): JsonObject {
  return { uniqueItems: true, type, name, in: place, ...(place === 'path' ? { required: true } : {}) };
}
