/**
 * Orders of the same name whose children are in the same namespace. This is possible for orders of several namespaces
 * if the tenant namespace is bound to all of them. Objects with our labels can be told apart; AAP and its objects only
 * use names. For these the older order wins, so that an order created later under the same name gets nothing of it.
 */
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import { parentOf, parentUidOf } from '@ssvirt/kube/reconcile/owners';
import { childNames } from '../../kubevirt/order/names.ts';
import { bindingProblem, namespaceFacts } from '../../kubevirt/order/namespace.ts';
import type { OrderProblem } from '../../kubevirt/order/resource.ts';
import { byTarget } from './operator/caches.ts';
import { orders, type Order } from './operator/order-types.ts';
import type { OrderWork } from './work.ts';

type Asking = Pick<OrderWork, 'caches' | 'identity' | 'order'>;

export function namesakesOf({ caches, identity }: Pick<OrderWork, 'caches' | 'identity'>): readonly Order[] {
  const key = keyOf({ namespace: identity.tenantNamespace, name: identity.name });
  return caches.orders.byIndex(byTarget, key).filter(({ metadata }) => metadata.uid !== identity.uid);
}

export function hasOlderNamesake(work: Asking): boolean {
  return namesakesOf(work).some((other) => isOlder(other, work.order) && mayBeThere(work, other));
}

/** Why AAP must not be called: it would act on the VM and disk of another order. */
export function namesakeProblem(work: Asking): OrderProblem | undefined {
  if (!hasOlderNamesake(work) && !isAnothers(work)) return undefined;
  const { name, tenantNamespace } = work.identity;
  const message = `Another order has the name "${name}" and its objects in namespace "${tenantNamespace}", too, and AAP cannot tell them apart: create this order under another name.`;
  return { reason: 'NameConflict', message };
}

/**
 * By creationTimestamp. Of two orders created in the same second neither has objects yet, so any stable choice will do:
 * the uid decides.
 */
function isOlder(other: Order, { metadata }: Order): boolean {
  const [a, b] = [other.metadata, metadata].map(
    ({ creationTimestamp = '', uid = '' }) => `${creationTimestamp} ${uid}`,
  );
  return (a ?? '') < (b ?? '');
}

/**
 * A user can create an order for a namespace that is not bound to theirs. Such an order has nothing there and does not
 * count.
 */
function mayBeThere({ caches, identity: { tenantNamespace } }: Asking, { metadata, status }: Order): boolean {
  if (status?.provisionedBy !== undefined) return true;
  const found = caches.namespaces.get({ name: tenantNamespace });
  const place = { namespace: metadata.namespace ?? '', tenantNamespace };
  return bindingProblem(place, found === undefined ? undefined : namespaceFacts(found)) === undefined;
}

/** Whether the VM or disk of this name carries the labels of another existing order. */
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
