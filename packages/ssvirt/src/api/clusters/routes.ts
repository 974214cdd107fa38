import { Type } from 'typebox';
import type { ApiContext } from '../deps.ts';
import { found } from '../errors.ts';
import { operation, type ApiApp } from '../http/app-types.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { ListQuery, PageOf } from '../http/schemas.ts';
import { ClusterBody, clusterBody } from './render.ts';
import { cluster, clustersPage } from './service.ts';

const tags = ['clusters'];

export function clusterRoutes(app: ApiApp, { database: { db }, clusters }: ApiContext): void {
  app.get(
    '/cloudapi/1.0.0/clusters',
    {
      config: operation('clusters.list'),
      schema: {
        operationId: 'listClusters',
        tags,
        summary: 'List the clusters of the fleet',
        querystring: ListQuery,
        response: { 200: PageOf(ClusterBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await clustersPage(db, clusters, asked);
      return sendPage({ request, reply, model: 'Clusters' }, asked, page, clusterBody);
    },
  );

  app.get(
    '/cloudapi/1.0.0/clusters/:clusterName',
    {
      config: operation('clusters.get'),
      schema: {
        operationId: 'getCluster',
        tags,
        summary: 'Get a cluster of the fleet',
        params: Type.Object({
          clusterName: Type.String({ minLength: 1, maxLength: 253, description: 'Its name', examples: ['east'] }),
        }),
        response: { 200: ClusterBody },
      },
    },
    async (request) => clusterBody(found(await cluster(db, clusters, request.params.clusterName))),
  );
}
