/** The OpenAPI document is made from the routes; docs/openapi.json is a copy that a test compares. The explorer page is at /docs. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { ApiDeps } from '../deps.ts';
import { operation, type ApiApp } from './app-types.ts';

export async function addDocumentation(app: ApiApp, { settings }: ApiDeps): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'ssvirt',
        version: settings.version,
        description:
          'Virtual data centers, catalogs and virtual machines on KubeVirt, in the manner of VMware Cloud Director.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: { session: { type: 'http', scheme: 'bearer' }, login: { type: 'http', scheme: 'basic' } },
      },
      security: [{ session: [] }],
    },
    hideUntagged: true,
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  app.get('/openapi.json', { config: operation('docs.read') }, async () => app.swagger());
}
