/** The controller of orders: one reconcile of one order. */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import { isDeleting } from '@ssvirt/kube/reconcile/finalizers';
import { desiredVersion } from '../../kubevirt/order/config-version.ts';
import { annotations } from '../../kubevirt/order/resource.ts';
import { controllerName } from './operator/order-types.ts';
import { createMemory, type Memory } from './operator/memory.ts';
import type { OrderOperatorContext } from './operator/operator.ts';
import { provision } from './provision.ts';
import { remove } from './removal.ts';
import { tellStatus } from './operator/report.ts';
import { sourcesOf } from './operator/sources.ts';
import { workOn } from './work.ts';

export function orderController(operator: OrderOperatorContext): Controller {
  const memory = createMemory();
  const { maxConcurrentReconciles, retries } = operator.config;
  return createController({
    ...operator.instruments,
    name: controllerName,
    concurrency: maxConcurrentReconciles,
    rateLimit: { initialMs: retries.initial, maxMs: retries.longest },
    onSyncTimeout: 'wait',
    sources: (cluster) => sourcesOf(operator, cluster),
    reconcile: (request, context) => reconcile(operator, memory, request, context),
  });
}

async function reconcile(
  operator: OrderOperatorContext,
  memory: Memory,
  { namespace = '', name }: Request,
  context: ClusterContext,
): Promise<Result | void> {
  const order = operator.caches(context.cluster).orders.get({ namespace, name });
  if (order === undefined) return undefined;
  const work = workOn(operator, order, context);
  if (isDeleting(order)) return after(await remove(work, memory));
  if (order.metadata.annotations?.[annotations.managementState] === 'unmanaged') return undefined;
  // Before the first child is created: from now on a deletion of the order waits for us.
  await work.journal.addFinalizer();
  const outcome = await provision(work, memory, desiredVersion(order.spec));
  return after(await tellStatus(work, memory, outcome));
}

function after(requeueAfterMs: number | undefined): Result | undefined {
  return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
}
