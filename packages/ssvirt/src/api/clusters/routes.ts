import { Type, type Static } from 'typebox';
import { stalenessText, type Staleness } from '../../db/clusters/staleness.ts';
import type { ApiContext } from '../deps.ts';
import { operation, type ApiApp } from '../http/app-types.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { named, ListQuery, orNull, PageOf, Timestamp } from '../http/schemas.ts';
import { withoutStop } from './available.ts';
import { clustersPage, type ShownCluster } from './service.ts';

const ClusterBody = named(
  'Cluster',
  Type.Object({
    name: Type.String(),
    isAvailable: Type.Boolean({ description: 'Whether the API server can reach it now' }),
    isFollowed: orNull(
      Type.Boolean(),
      'Whether the vm-controller can reach it now: it answers, and its watches deliver; null if the vm-controller has not tried yet',
    ),
    message: Type.String({ description: 'What is wrong, and which process reports it' }),
    state: orNull(
      Type.String(),
      'The state of the VMs shown for it: synced, stale or frozen; null before the first report',
    ),
    lastContactAt: orNull(Timestamp, 'When the vm-controller last reached it'),
    stateSince: orNull(Timestamp),
    syncedAt: orNull(Timestamp),
    vdcCount: Type.Integer(),
  }),
);

export function clusterRoutes(app: ApiApp, { database: { db }, clusters }: ApiContext): void {
  app.get(
    '/cloudapi/1.0.0/clusters',
    {
      config: operation('clusters.list'),
      schema: {
        operationId: 'listClusters',
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
  const stale = row?.staleness ?? null;
  const isFollowed = row === undefined || row.state === null ? null : stale === null;
  return {
    name,
    isAvailable: entry?.available ?? false,
    isFollowed,
    message: messageOf(name, entry, stale),
    // What the vm-controller wrote before it stopped reporting no longer counts.
    state: row?.state === 'synced' && stale !== null ? 'stale' : (row?.state ?? null),
    lastContactAt: row?.contacted_at?.toISOString() ?? null,
    stateSince: row?.state_since?.toISOString() ?? null,
    syncedAt: row?.synced_at?.toISOString() ?? null,
    vdcCount: row?.vdc_count ?? 0,
  };
}

/** From both processes: one may reach the cluster while the other does not. */
function messageOf(name: string, entry: ShownCluster['entry'], stale: Staleness | null): string {
  const answer = entry === undefined ? 'it is not a member of the fleet' : withoutStop(entry.message);
  return [
    ...(answer === '' ? [] : [`API server: ${answer}`]),
    ...(stale === null ? [] : [`vm-controller: ${withoutStop(stalenessText(stale, `cluster "${name}"`))}`]),
  ].join('; ');
}
