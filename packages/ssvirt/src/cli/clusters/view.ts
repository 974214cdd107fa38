import type { Schemas } from '@ssvirt/api-client/client';
import type { View } from '../output/view.ts';

type Cluster = Schemas['Cluster'];

/** A stale value is marked once, at the nodes: they change most often. */
export const clusterView: View<Cluster> = {
  plural: 'clusters',
  name: ({ name }) => name,
  columns: [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'AVAILABLE', cell: ({ isAvailable }) => isAvailable },
    { header: 'STATE', cell: ({ state }) => state },
    { header: 'VDCS', cell: ({ vdcCount }) => vdcCount },
    { header: 'KUBERNETES', cell: ({ details }) => details?.kubernetesVersion },
    { header: 'KUBEVIRT', cell: ({ details }) => details?.kubevirtVersion },
    { header: 'CDI', cell: ({ details }) => details?.cdiVersion, wide: true },
    { header: 'NODES', cell: nodesText },
    { header: 'CPUS', cell: ({ details }) => details?.capacity?.cpus },
    { header: 'MEMORY MB', cell: ({ details }) => details?.capacity?.memoryMb },
    { header: 'MESSAGE', cell: ({ message }) => message, wide: true },
  ],
};

export function nodesText({ details }: Pick<Cluster, 'details'>): string | undefined {
  if (details === null || details.nodes === null) return undefined;
  const { total, ready } = details.nodes;
  return `${ready}/${total} ready${details.stale ? ' (stale)' : ''}`;
}
