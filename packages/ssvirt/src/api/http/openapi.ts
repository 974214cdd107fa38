/**
 * The OpenAPI document is generated from the routes; docs/openapi.json is a copy that a test compares. The explorer
 * page is at /docs.
 */
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { ruleOf, type Operation, type Rule } from '../auth/access/matrix.ts';
import type { ApiDeps } from '../deps.ts';
import { operation, type ApiApp } from './app-types.ts';
import { explorer, explorerPath } from './explorer.ts';
import { withNamedSchemas } from './named-schemas.ts';
import { ErrorBody } from './schemas.ts';

/** Credentials are in the request itself. */
const logIns: readonly Operation[] = ['sessions.create', 'sessions.createProvider'];

/** The order of the document, and of the explorer page: what a tenant needs first, then what a provider needs. */
const tags: Readonly<Record<string, string>> = {
  sessions: 'Log in, log out, and who is logged in',
  tokens: 'API tokens: long-lived credentials for programs, exchanged for sessions',
  'virtual machines': 'Create, change, power and delete VMs, their disks and consoles',
  vApps: 'Groups of VMs that are created, powered and deleted together',
  'virtual data centers': 'The shares of clusters that your organization has: limits, usage, instance types',
  catalogs: 'Collections of what VMs can be created from',
  'catalog items': 'Templates and images, with their parameters',
  tasks: 'What became of asynchronous requests',
  events: 'A stream of changes, as server-sent events',
  users: 'The people of an organization',
  roles: 'What users may do',
  audit: 'Who did what, and when',
  organizations: 'The tenants; created by the provider',
  'virtual data centers of the provider': 'Create VDCs for organizations, and set their limits',
  clusters: 'The Kubernetes clusters behind the VDCs',
  'sync failures': 'VMs whose observed state could not be written',
  machines: 'The Machines of the supervisor',
  orders: 'Check orders of CloudKit before they are placed, and list those of the supervisor',
  versions: 'The versions of the API that this server speaks',
  health: 'For probes and load balancers',
};

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
          'Log in with POST /cloudapi/1.0.0/sessions and send the returned token as "Authorization: Bearer …". ' +
          'On the page /docs: choose Authorize, enter USER@ORGANIZATION and your password under "login", and execute the log-in; ' +
          'the page then sends the token with every request.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer', description: 'The token of a session' },
          login: { type: 'http', scheme: 'basic', description: 'USER@ORGANIZATION and the password' },
        },
      },
      security: [{ session: [] }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    },
    hideUntagged: true,
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
    transform,
    transformObject: inOrder,
  });
  await app.register(swaggerUi, explorer());
  app.get('/openapi.json', { config: operation('docs.read') }, async () => app.swagger());
  app.get('/', { config: operation('docs.read') }, async (_request, reply) => reply.redirect(explorerPath));
}

/** Adds what all routes share: the permitted roles and the error responses. */
const transform: Transform = ({ schema, url, route }) => {
  const name = route.config?.operation;
  if (name === undefined || schema?.tags === undefined) return { schema, url };
  if (schema.operationId === undefined) throw new Error(`${url} has no operationId`);
  for (const tag of schema.tags)
    if (!Object.hasOwn(tags, tag)) throw new Error(`${url}: tag ${tag} has no description`);
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
  return withNamedSchemas({ ...rest, paths: Object.fromEntries(sorted) }) as ReturnType<TransformObject>;
};
