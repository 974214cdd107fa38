/**
 * The OpenAPI document is generated from the routes; docs/openapi.json is a copy that a test compares. The explorer
 * page is at /docs.
 */
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { ruleOf, type Operation, type Rule } from '../auth/access/matrix.ts';
import type { ApiDeps } from '../deps.ts';
import { operation, type ApiApp } from './app-types.ts';
import { ErrorBody } from './schemas.ts';

/** Credentials are in the request itself. */
const logIns: readonly Operation[] = ['sessions.create', 'sessions.createProvider'];

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;

export async function addDocumentation(app: ApiApp, { settings }: ApiDeps): Promise<void> {
  app.addSchema({ ...ErrorBody, $id: 'Error' });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'ssvirt',
        version: settings.version,
        description:
          'Virtual data centers, catalogs and virtual machines on KubeVirt, in the style of VMware Cloud Director. ' +
          'Log in with POST /cloudapi/1.0.0/sessions and send the returned token as "Authorization: Bearer …".',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer', description: 'The token of a session' },
          login: { type: 'http', scheme: 'basic', description: 'USER@ORGANIZATION and the password' },
        },
      },
      security: [{ session: [] }],
    },
    hideUntagged: true,
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
    transform,
    transformObject: inOrder,
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // Otherwise the page sends our URL to a validation service on the internet.
    uiConfig: { validatorUrl: null, persistAuthorization: false, docExpansion: 'none' },
  });
  app.get('/openapi.json', { config: operation('docs.read') }, async () => app.swagger());
}

/** Adds what all routes share: the permitted roles and the error responses. */
const transform: Transform = ({ schema, url, route }) => {
  const name = route.config?.operation;
  if (name === undefined || schema?.tags === undefined) return { schema, url };
  const rule = ruleOf(name);
  const { description, response = {} } = schema;
  return {
    url,
    schema: {
      ...schema,
      description: [description, whoMay(rule)].filter((part) => part !== undefined).join(' '),
      security: securityOf(name, rule),
      response: {
        ...(response as object),
        default: {
          description: 'Why the request failed',
          content: { 'application/json': { schema: { $ref: 'Error#' } } },
        },
      },
    },
  };
};

function securityOf(name: Operation, rule: Rule): { readonly [scheme: string]: string[] }[] {
  if (logIns.includes(name)) return [{ login: [] }];
  return rule.access === 'public' ? [] : [{ session: [] }];
}

function whoMay(rule: Rule): string | undefined {
  return rule.access === 'public' ? undefined : `Roles: ${rule.roles.join(', ')}.`;
}

/** Sorts the document, so that a change shows as that change alone. */
const inOrder: TransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { paths = {}, ...rest } = document.openapiObject;
  const sorted = Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, paths: Object.fromEntries(sorted) } as ReturnType<TransformObject>;
};
