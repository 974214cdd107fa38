/** Who leads among the replicas of an operator, by its Lease. */
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { fields, text } from '../../virt/facts/reading.ts';
import { ago } from '../output/ago.ts';
import type { Look } from './look.ts';

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

/** Undefined where there is no Lease, or it may not be read: who may not is none the worse for it. */
export async function leaderOf(look: Look, namespace: string, name: string): Promise<Leader | undefined> {
  const lease: KubeObject | undefined = await look.at(leases, { namespace, name });
  look.unread.delete('leases.coordination.k8s.io');
  const { holderIdentity, renewTime } = fields(fields(lease)['spec']);
  const holder = text(holderIdentity);
  return holder === undefined ? undefined : { holder, renewedAt: text(renewTime) ?? '' };
}

export function leaderText(leader: Leader | undefined, now: number): string {
  return leader === undefined
    ? 'no Lease was found'
    : `${leader.holder} leads, by a Lease of ${ago(leader.renewedAt, now)}`;
}
