/** One page about a cluster, for a person. */
import type { Schemas } from '@ssvirt/api-client/client';
import { factSection, page, sentenceSection, type PageSection } from '../cluster/page.ts';
import { ago } from '../output/ago.ts';
import { nodesText } from './view.ts';

type Cluster = Schemas['Cluster'];
type Details = NonNullable<Cluster['details']>;

export function clusterPage(cluster: Cluster, now: number): string {
  const { name, isAvailable, isFollowed, state, lastContactAt, vdcCount, message, details } = cluster;
  return page([
    factSection(`Cluster ${name}`, [
      ['state', state ?? 'not reported yet'],
      ['API server', isAvailable ? 'reaches it' : 'does not reach it'],
      ['vm-controller', isFollowed === null ? 'has not tried yet' : isFollowed ? 'reaches it' : 'does not reach it'],
      ['last contact', lastContactAt === null ? undefined : ago(lastContactAt, now)],
      ['VDCs', String(vdcCount)],
    ]),
    message === '' ? [] : sentenceSection('What is wrong', [message]),
    details === null ? ['Details: not read yet'] : detailSection(cluster, details, now),
    details === null || details.unread.length === 0 ? [] : sentenceSection('Not read', details.unread),
  ]);
}

function detailSection(cluster: Cluster, details: Details, now: number): PageSection {
  const { capacity, storageClasses, features, readAt, stale } = details;
  return factSection(`Details, read ${ago(readAt, now)}${stale ? ' (stale)' : ''}`, [
    ['Kubernetes', details.kubernetesVersion ?? undefined],
    ['KubeVirt', details.kubevirtVersion ?? undefined],
    ['CDI', details.cdiVersion ?? undefined],
    ['nodes', nodesText(cluster)],
    ['capacity', capacity === null ? undefined : `${capacity.cpus} CPUs, ${capacity.memoryMb} MB`],
    ['storage', storageClasses === null ? undefined : storageText(storageClasses)],
    ['features', features === null ? undefined : features.join(', ') || 'none'],
  ]);
}

function storageText(classes: NonNullable<Details['storageClasses']>): string {
  return classes.map(({ name, isDefault }) => `${name}${isDefault ? ' (default)' : ''}`).join(', ') || 'none';
}
