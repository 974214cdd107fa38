/**
 * The Service of an order. The order defines the list of ports as a whole: a port that was added otherwise, as AAP did
 * before the controller took over, is removed.
 */
import { lockOn } from '@ssvirt/kube/reconcile/merge-patch';
import { portsToKeep } from '../../../kubevirt/order/build.ts';
import { appliedChild, nameOf, writing, type WantedChild } from '../children.ts';
import { services } from '../../../fleet/kinds.ts';
import type { OrderWork } from '../work.ts';

export async function applyService(
  work: OrderWork,
  { desired, found }: Pick<WantedChild, 'desired' | 'found'>,
): Promise<void> {
  const { cluster, identity, signal } = work;
  const { object } = await appliedChild(work, { type: services, desired, found });
  const ports = portsToKeep(object, desired);
  if (ports === undefined) return;
  const key = { namespace: identity.tenantNamespace, name: desired.metadata.name };
  const body = { metadata: lockOn(object), spec: { ports } };
  await writing(work, `close ports of ${nameOf(services, key)}`, () =>
    cluster.client.patch(services, key, { type: 'merge', body }, { signal }),
  );
}
