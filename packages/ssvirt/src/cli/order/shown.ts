/**
 * How orders are shown: the columns of `kubectl get virtualmachines.cloudkit.openshift.io`, and when an order is
 * fulfilled.
 */
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import { conditions, type OrderPhase } from '../../kubevirt/order/resource.ts';
import { hidden } from '../cluster/hidden.ts';
import type { ShownKind, ProgressState } from '../cluster/shown-kind.ts';
import { orders, type ShownOrder } from './shown-order.ts';

/** Not a phase of the operator. */
const gonePhase = 'Deleted' as OrderPhase;

export const shownOrders: ShownKind<ShownOrder> = {
  noun: 'order',
  word: 'order',
  plural: 'orders',
  type: orders,
  gone: (last) => ({ ...last, status: { ...last.status, phase: gonePhase } }),
  columns: [
    { header: 'TEMPLATE', cell: ({ spec }) => spec.templateID },
    { header: 'PHASE', cell: ({ status }) => status?.phase },
    { header: 'MODE', cell: ({ status }) => status?.provisionedBy },
    { header: 'AVAILABLE', cell: ({ status }) => findCondition(status?.conditions, conditions.available)?.status },
    { header: 'RECONCILED', cell: ({ status }) => status?.reconciledConfigVersion },
    { header: 'DESIRED', wide: true, cell: ({ status }) => status?.desiredConfigVersion },
    { header: 'VM-NAMESPACE', wide: true, cell: ({ status }) => status?.virtualMachineReference?.namespace },
    { header: 'ADDRESS', wide: true, cell: ({ status }) => status?.loadBalancerAddress },
    {
      header: 'REASON',
      wide: true,
      cell: ({ status }) => findCondition(status?.conditions, conditions.progressing)?.reason,
    },
  ],
  withoutSecrets,
  standing,
};

function standing({ metadata, status }: ShownOrder): ProgressState {
  const type = metadata.deletionTimestamp === undefined ? conditions.progressing : conditions.deleting;
  const condition = findCondition(status?.conditions, type);
  const reason =
    condition === undefined || condition.message === '' ? '' : `, ${condition.reason}: ${condition.message}`;
  if (metadata.deletionTimestamp !== undefined) return { state: 'underway', says: `is being deleted${reason}` };
  const isBehind = (status?.observedGeneration ?? 0) < (metadata.generation ?? 0);
  if (status?.phase === undefined || isBehind) return { state: 'underway', says: 'not processed yet' };
  return { state: status.phase === 'Ready' ? 'ready' : 'underway', says: `${status.phase}${reason}` };
}

/** Parameters contain user data, keys, and anything that a custom template defines. */
function withoutSecrets(order: ShownOrder): ShownOrder {
  const { templateParameters } = order.spec;
  if (templateParameters === undefined || templateParameters === '') return order;
  return { ...order, spec: { ...order.spec, templateParameters: hidden(templateParameters) } };
}
