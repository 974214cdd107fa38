/**
 * Decides who provisions an order, from its spec and what is recorded in its status. The rules are in
 * packages/ssvirt/src/kubevirt/order/mode.ts.
 */
import { annotations } from '../../kubevirt/order/resource.ts';
import { decideMode, type ModeDecision, type TemplateClass } from '../../kubevirt/order/mode.ts';
import { hasAapFinalizer, reconciledVersion } from '../../kubevirt/order/aap/aap-marks.ts';
import { templateClass as classOf } from '../../kubevirt/order/parameters/template-class.ts';
import { templateOf } from './custom/templates.ts';
import type { OrderWork } from './work.ts';

export function templateClass({ operator, order, caches }: OrderWork): TemplateClass {
  return classOf(order.spec.templateID, operator.config, (id) => templateOf(caches, id) !== undefined);
}

export function decide(work: OrderWork, desired: string, now: number = Date.now()): ModeDecision {
  const { order, operator } = work;
  const { metadata, status, spec } = order;
  return decideMode({
    uid: metadata.uid ?? '',
    templateID: spec.templateID,
    template: templateClass(work),
    managedBy: metadata.annotations?.[annotations.managedBy],
    provisionedBy: status?.provisionedBy,
    hasAapMarks: hasAapFinalizer(order) || reconciledVersion(order) !== undefined,
    desired,
    reconciled: reconciledVersion(order),
    fallbackConfigVersion: status?.fallbackConfigVersion,
    controllerMode: operator.config.controllerMode,
    rolloutPercentage: operator.config.rolloutPercentage,
    webhook: status?.webhook,
    quietPeriodMs: operator.config.aap.quietPeriod,
    now,
  });
}
