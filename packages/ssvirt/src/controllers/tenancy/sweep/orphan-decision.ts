/**
 * Decides what happens to an object with the label of an installation. It is deleted only if it was created here for a
 * row that is deleted, for example by a process that was paused and continued too late. Any other object without a
 * matching row is reported and kept: after a database was restored, a VM without a row may still belong to a tenant.
 */
import type { SweptPlace } from '../../../db/vms/swept-places.ts';
import type { ObjectMeta } from '@ssvirt/kube/object';
import { labels } from '../../../kubevirt/tenant-vm/labels.ts';

export type OrphanDecision =
  | { readonly decision: 'wanted' | 'unwanted' }
  /** Why a person has to look at the object. */
  | { readonly decision: 'orphan'; readonly why: string };

export interface OrphanScope {
  readonly installationId: string;
  readonly cluster: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The row id in the label; undefined if it is not a uuid. A label can contain anything, and its value is used in a
 * query.
 */
export function rowNamed({ labels: found = {} }: ObjectMeta, label: string): string | undefined {
  const id = found[label];
  return id !== undefined && uuid.test(id) ? id : undefined;
}

export function decideOn(object: ObjectMeta, place: SweptPlace | undefined, scope: OrphanScope): OrphanDecision {
  const installation = object.labels?.[labels.installationId];
  if (installation !== scope.installationId) return orphan('it belongs to another installation');
  // It is being deleted already.
  if (object.deletionTimestamp !== undefined) return { decision: 'wanted' };
  if (place === undefined) return orphan('no row of that id is known');
  if (place.cluster !== scope.cluster) return orphan(`its row is in cluster "${place.cluster}"`);
  if (place.namespace !== object.namespace) return orphan(`its row is in namespace "${place.namespace}"`);
  if (place.deletedAt === undefined) return { decision: 'wanted' };
  // The object was created again with the old labels, for example from a backup.
  if (place.uid !== null && place.uid !== object.uid && !isLate(object, place.deletedAt))
    return orphan('its row is deleted, and was of another object');
  return { decision: 'unwanted' };
}

/**
 * Longer than a claim and a request last: an object that appears this soon after the end of its row was sent before it.
 */
export const lateMs = 120_000;

function isLate({ creationTimestamp }: ObjectMeta, deletedAt: Date): boolean {
  return creationTimestamp !== undefined && Date.parse(creationTimestamp) <= deletedAt.getTime() + lateMs;
}

function orphan(why: string): OrphanDecision {
  return { decision: 'orphan', why };
}
