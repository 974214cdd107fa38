/** The OpenAPI document is made from the routes; docs/openapi.json is a copy that a test compares. The explorer page is at /docs. */
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { ruleOf, type Operation, type Rule } from '../access/matrix.ts';
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
          'Virtual data centers, catalogs and virtual machines on KubeVirt, in the manner of VMware Cloud Director. ' +
          'Log in by POST to /cloudapi/1.0.0/sessions, and send the token of its answer as "Authorization: Bearer …".',
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
    // Without it the page shows our address to a service on the internet, which is to say whether the document is valid.
    uiConfig: { validatorUrl: null, persistAuthorization: false, docExpansion: 'none' },
  });
  app.get('/openapi.json', { config: operation('docs.read') }, async () => app.swagger());
}

/** What holds for every route: who may ask, and how errors look. */
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
          description: 'Why it was not done',
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
  return rule.access === 'public' ? undefined : `For: ${rule.roles.join(', ')}.`;
}

/** The same document whatever the order in which routes were added: a change shows as that change alone. */
const inOrder: TransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { paths = {}, ...rest } = document.openapiObject;
  const sorted = Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, paths: Object.fromEntries(sorted) } as ReturnType<TransformObject>;
};
