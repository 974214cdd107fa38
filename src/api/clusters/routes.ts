import { Type, type Static } from 'typebox';
import { stalenessText, type Staleness } from '../../db/staleness.ts';
import type { ApiContext } from '../deps.ts';
import { operation, type ApiApp } from '../http/app-types.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { ListQuery, orNull, PageOf, Timestamp } from '../http/schemas.ts';
import { withoutStop } from './available.ts';
import { clustersPage, type ShownCluster } from './service.ts';

const ClusterBody = Type.Object({
  name: Type.String(),
  isAvailable: Type.Boolean({ description: 'Whether it answers the requests of the API server now' }),
  isFollowed: orNull(
    Type.Boolean(),
    'Whether the vm-controller reaches it now: it answers, and its watches deliver; null where the vm-controller has not looked yet',
  ),
  message: Type.String({ description: 'What is wrong with it, and who says so' }),
  state: orNull(
    Type.String(),
    'Of what is shown of its machines: synced, stale or frozen; null where nobody has looked yet',
  ),
  lastContactAt: orNull(Timestamp, 'When the vm-controller has reached it last'),
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
  const stale = row?.staleness ?? null;
  const isFollowed = row === undefined || row.state === null ? null : stale === null;
  return {
    name,
    isAvailable: entry?.available ?? false,
    isFollowed,
    message: messageOf(name, entry, stale),
    // What the vm-controller wrote before it fell silent is true no more.
    state: row?.state === 'synced' && stale !== null ? 'stale' : (row?.state ?? null),
    lastContactAt: row?.contacted_at?.toISOString() ?? null,
    stateSince: row?.state_since?.toISOString() ?? null,
    syncedAt: row?.synced_at?.toISOString() ?? null,
    vdcCount: row?.vdc_count ?? 0,
  };
}

/** Of both who look at it: one may reach it while the other does not. */
function messageOf(name: string, entry: ShownCluster['entry'], stale: Staleness | null): string {
  const answer = entry === undefined ? 'it is not in the fleet (any more)' : withoutStop(entry.message);
  return [
    ...(answer === '' ? [] : [`API server: ${answer}`]),
    ...(stale === null ? [] : [`vm-controller: ${withoutStop(stalenessText(stale, `cluster "${name}"`))}`]),
  ].join('; ');
}
