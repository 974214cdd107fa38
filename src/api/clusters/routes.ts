import { Type, type Static } from 'typebox';
import type { ApiContext } from '../deps.ts';
import { operation, type ApiApp } from '../http/app-types.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { ListQuery, orNull, PageOf, Timestamp } from '../http/schemas.ts';
import { clustersPage, type ShownCluster } from './service.ts';

const ClusterBody = Type.Object({
  name: Type.String(),
  isAvailable: Type.Boolean({ description: 'Whether it answers the API server now' }),
  message: Type.String({ description: 'Why not, or what is wrong with it' }),
  state: orNull(
    Type.String(),
    'Of what is shown of its machines: synced, stale or frozen; null where nobody has looked yet',
  ),
  stateSince: orNull(Timestamp),
  syncedAt: orNull(Timestamp),
  vdcCount: Type.Integer(),
});

export function clusterRoutes(app: ApiApp, { database: { db }, clusters }: ApiContext): void {
  app.get(
    '/cloudapi/1.0.0/clusters',
    {
      config: operation('clusters.list'),
      schema: {
        tags: ['clusters'],
        summary: 'List the clusters of the fleet',
        querystring: ListQuery,
        response: { 200: PageOf(ClusterBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      return sendPage({ request, reply, model: 'Clusters' }, asked, await clustersPage(db, clusters, asked), render);
    },
  );
}

function render({ name, entry, row }: ShownCluster): Static<typeof ClusterBody> {
  const why = entry === undefined ? 'The cluster is not in the fleet (any more).' : entry.message;
  return {
    name,
    isAvailable: entry?.available ?? false,
    message: why === '' ? (row?.message ?? '') : why,
    state: row?.state ?? null,
    stateSince: row?.state_since?.toISOString() ?? null,
    syncedAt: row?.synced_at?.toISOString() ?? null,
    vdcCount: row?.vdc_count ?? 0,
  };
}
