/** A cluster as the provider sees it: by itself, and in lists. */
import { Type, type Static } from 'typebox';
import type { ClusterRow } from '../../db/clusters/clusters.ts';
import { stalenessText, type Staleness } from '../../db/clusters/staleness.ts';
import type { ClusterDetails } from '../../fleet/health/cluster-details.ts';
import { named, orNull, Timestamp } from '../http/schemas.ts';
import { withoutStop } from './available.ts';
import type { ShownCluster } from './service.ts';

const DetailsBody = named(
  'ClusterDetails',
  Type.Object({
    kubernetesVersion: orNull(Type.String()),
    kubevirtVersion: orNull(Type.String(), 'Null if KubeVirt is not installed'),
    cdiVersion: orNull(Type.String(), 'Null if CDI is not installed'),
    nodes: orNull(Type.Object({ total: Type.Integer(), ready: Type.Integer() })),
    capacity: orNull(
      Type.Object({ cpus: Type.Number(), memoryMb: Type.Integer() }),
      'What the nodes that are ready and not cordoned can allocate in total, whether it is used or not',
    ),
    storageClasses: orNull(
      Type.Array(Type.Object({ name: Type.String(), provisioner: Type.String(), isDefault: Type.Boolean() })),
    ),
    features: orNull(Type.Array(Type.String()), 'The feature gates of KubeVirt'),
    unread: Type.Array(Type.String(), {
      description: 'What the vm-controller may not read there, so that its fields are null',
    }),
    readAt: Timestamp,
    stale: Type.Boolean({ description: 'It is older than 15 minutes; the vm-controller reads it every five' }),
  }),
);

export const ClusterBody = named(
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
    details: orNull(DetailsBody, 'What it consists of, as the vm-controller read it last; null before the first time'),
  }),
);

export function clusterBody({ name, entry, row }: ShownCluster): Static<typeof ClusterBody> {
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
    details: row === undefined ? null : detailsOf(row),
  };
}

/** A field that an older vm-controller did not write is unknown. */
function detailsOf({ details, details_read_at, details_stale }: ClusterRow): Static<typeof DetailsBody> | null {
  if (details === null || details_read_at === null) return null;
  const read = details as Partial<ClusterDetails>;
  return {
    kubernetesVersion: read.kubernetesVersion ?? null,
    kubevirtVersion: read.kubevirtVersion ?? null,
    cdiVersion: read.cdiVersion ?? null,
    nodes: read.nodes ?? null,
    capacity: read.capacity ?? null,
    storageClasses: read.storageClasses?.map((one) => ({ ...one })) ?? null,
    features: read.features === undefined || read.features === null ? null : [...read.features],
    unread: [...(read.unread ?? [])],
    readAt: details_read_at.toISOString(),
    stale: details_stale,
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
