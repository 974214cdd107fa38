/** The OpenAPI v3 document of one group and version. */
import type { JsonObject } from '../../values/json.ts';
import { isCustom } from '../discovery/served-resource.ts';
import type { ServedResource } from '../discovery/served-resource.ts';
import { definitionsOf, reachable } from './definitions.ts';
import { pathItems } from './path-items.ts';
import { renderSchema } from './render-schema.ts';
import { routesOf } from './routes.ts';
import type { Route } from './routes.ts';
import type { Parameter } from './parameters.ts';

const mediaTypes = ['application/json', 'application/yaml'];
const patchTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
const strategicPatch = 'application/strategic-merge-patch+json';
const securitySchemes = {
  BearerToken: { type: 'apiKey', description: 'Bearer Token authentication', name: 'authorization', in: 'header' },
};

/** All `resources` must belong to one group and version. */
export function openApiV3(resources: readonly ServedResource[]): JsonObject {
  const custom = resources.some(isCustom);
  const routes = resources.flatMap(routesOf);
  const roots = routes.flatMap(({ reads, writes }) => (reads === undefined ? [writes] : [reads, writes]));
  const schemas = Object.entries(reachable(roots, definitionsOf(resources, 'v3')));
  return {
    openapi: '3.0.0',
    info: custom ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } : { title: 'Kubernetes', version: '1.36' },
    paths: pathItems(routes, operation, parameter),
    components: {
      schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, renderSchema(schema, 'v3')])),
      ...(custom ? {} : { securitySchemes }),
    },
  };
}

function operation(route: Route, parameters: JsonObject[]): JsonObject {
  const { action, codes, reads, writes } = route;
  return {
    tags: [route.tag],
    description: route.description,
    operationId: route.operationId,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(reads === undefined ? {} : { requestBody: requestBody(route, reads) }),
    responses: {
      ...Object.fromEntries(
        codes.map((code) => [code, { description: reasons[code], content: content(mediaTypes, writes) }]),
      ),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { ...route.kind },
  };
}

const reasons: { readonly [code: number]: string } = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

function requestBody({ action, custom }: Route, model: string): JsonObject {
  const optional = action === 'delete' || action === 'deletecollection';
  return { content: content(requestTypes(action, custom), model), ...(optional ? {} : { required: true }) };
}

function requestTypes(action: Route['action'], custom: boolean): string[] {
  if (action === 'patch') return custom ? patchTypes : [...patchTypes, strategicPatch];
  return custom ? mediaTypes : ['*/*'];
}

function content(types: readonly string[], model: string): JsonObject {
  const schema = { $ref: `#/components/schemas/${model}` };
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function parameter({ name, in: place, type }: Parameter): JsonObject {
  return { name, in: place, ...(place === 'path' ? { required: true } : {}), schema: { type, uniqueItems: true } };
}
