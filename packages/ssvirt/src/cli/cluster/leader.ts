/** Which replica of an operator leads, according to its Lease. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { fields, text } from '../../kubevirt/facts/reading.ts';
import { ago } from '../output/ago.ts';
import type { ClusterReader } from './cluster-reader.ts';

export interface Leader {
  readonly holder: string;
  readonly renewedAt: string;
}

const leases: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

/**
 * Resolves to undefined if there is no Lease or it cannot be read. Missing permission for it is not reported as a gap.
 */
export async function leaderOf(look: ClusterReader, namespace: string, name: string): Promise<Leader | undefined> {
  const lease: KubeObject | undefined = await look.at(leases, { namespace, name });
  look.unread.delete('leases.coordination.k8s.io');
  const { holderIdentity, renewTime } = fields(fields(lease)['spec']);
  const holder = text(holderIdentity);
  return holder === undefined ? undefined : { holder, renewedAt: text(renewTime) ?? '' };
}

/** A Lease that is older than this has no holder, even if clocks differ. */
const deadLeaseMs = 120_000;

/** `isLeaderDead` returns whether a leader is known, and has not renewed its Lease: no operator runs. */
export function isLeaderDead(leader: Leader | undefined, now: number): boolean {
  return leader !== undefined && now - Date.parse(leader.renewedAt) > deadLeaseMs;
}

/** A sentence without its end. */
export function leadershipText(leader: Leader | undefined, now: number): string {
  return leader === undefined
    ? 'There is no Lease of an operator'
    : `${leader.holder} leads, and renewed its Lease ${ago(leader.renewedAt, now)}`;
}

export function leaderText(leader: Leader | undefined, now: number): string {
  return leader === undefined
    ? 'no Lease was found'
    : `${leader.holder} leads, by a Lease renewed ${ago(leader.renewedAt, now)}`;
}
