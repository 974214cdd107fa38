/**
 * Orders of one name that have their objects in one namespace: orders of several namespaces may, where that is bound to all of them. What bears marks is told apart by
 * them; AAP, and what it has made, are told apart by names alone. There the older order counts, so that whoever writes another one of its name gets nothing of it.
 */
import { keyOf, type KubeObject } from '../../kube/object.ts';
import { parentOf, parentUidOf } from '../../kube/reconcile/owners.ts';
import { childNames } from '../../virt/order/names.ts';
import { bindingProblem, namespaceFacts } from '../../virt/order/namespace.ts';
import type { Problem } from '../../virt/order/resource.ts';
import { byTarget } from './caches.ts';
import { orders, type Order } from './kinds.ts';
import type { Work } from './work.ts';

type Asking = Pick<Work, 'caches' | 'identity' | 'order'>;

export function namesakesOf({ caches, identity }: Pick<Work, 'caches' | 'identity'>): readonly Order[] {
  const key = keyOf({ namespace: identity.tenantNamespace, name: identity.name });
  return caches.orders.byIndex(byTarget, key).filter(({ metadata }) => metadata.uid !== identity.uid);
}

export function hasOlderNamesake(work: Asking): boolean {
  return namesakesOf(work).some((other) => isOlder(other, work.order) && mayBeThere(work, other));
}

/** Why AAP must not be asked for anything: it would do it to another order's machine and disk. */
export function namesakeProblem(work: Asking): Problem | undefined {
  if (!hasOlderNamesake(work) && !isAnothers(work)) return undefined;
  const { name, tenantNamespace } = work.identity;
  const message = `Another order has the name "${name}" and its objects in namespace "${tenantNamespace}", too, and AAP tells them apart by nothing else: write this order under another name.`;
  return { reason: 'NameConflict', message };
}

/** By the server's clock. Within one second nobody has anything yet: then any one will do, if it is always the same. */
function isOlder(other: Order, { metadata }: Order): boolean {
  const [a, b] = [other.metadata, metadata].map(
    ({ creationTimestamp = '', uid = '' }) => `${creationTimestamp} ${uid}`,
  );
  return (a ?? '') < (b ?? '');
}

/** Anybody may write an order for a namespace that is not bound to them: it has nothing there, and stands in nobody's way. */
function mayBeThere({ caches, identity: { tenantNamespace } }: Asking, { metadata, status }: Order): boolean {
  if (status?.provisionedBy !== undefined) return true;
  const found = caches.namespaces.get({ name: tenantNamespace });
  const place = { namespace: metadata.namespace ?? '', tenantNamespace };
  return bindingProblem(place, found === undefined ? undefined : namespaceFacts(found)) === undefined;
}

/** The machine or the disk of this name bears the marks of another order that is there. */
function isAnothers({ caches, identity }: Asking): boolean {
  const { vm, dataVolume } = childNames(identity);
  const at = (name: string): { namespace: string; name: string } => ({ namespace: identity.tenantNamespace, name });
  const found: readonly (KubeObject | undefined)[] = [
    caches.vms.get(at(vm)),
    caches.dataVolumes.get(at(dataVolume)),
    caches.claims.get(at(dataVolume)),
  ];
  return found.some((object) => {
    const parent = object === undefined ? undefined : parentOf(object, orders);
    const uid = object === undefined ? undefined : parentUidOf(object.metadata);
    if (parent === undefined || uid === undefined || uid === identity.uid) return false;
    return caches.orders.get(parent)?.metadata.uid === uid;
  });
}
