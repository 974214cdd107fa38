/** Writes the result of a reconcile to the status of an order, and reports changes as Events and log lines. */
import { defined } from '@ssvirt/base/values/defined';
import { Conditions, findCondition } from '@ssvirt/kube/reconcile/conditions';
import {
  annotations,
  conditions as types,
  type Mode,
  type OrderFacts,
  type OrderProblem,
} from '../../../kubevirt/order/resource.ts';
import { pinnedSpec } from '../../../kubevirt/order/pinned-spec.ts';
import { orderStatus, type ChildState, type OrderReport } from '../../../kubevirt/order/status/status.ts';
import type { OrderStepHalted } from './step-halted.ts';
import type { OrderStatus } from './order-types.ts';
import type { Memory } from './memory.ts';
import { reconciledVersion } from '../../../kubevirt/order/aap/aap-marks.ts';
import { seenOf, type OwnNames } from '../view.ts';
import { logFields, tell, type OrderWork } from '../work.ts';

/** `OrderOutcome` is the result of a reconcile. */
export interface OrderOutcome {
  readonly desired: string;
  /** Who provisions the order now. */
  readonly mode?: Mode;
  readonly takesOver?: Mode;
  readonly halt?: OrderStepHalted;
  readonly children?: readonly ChildState[];
  readonly machineless?: boolean;
  /** Only for an OrderTemplate. */
  readonly names?: OwnNames;
  /** An additional sentence for the status. */
  readonly note?: string;
  /** What a deletion waits for. */
  readonly deletionWaits?: string;
  /** Set when the controller has applied the spec. */
  readonly applied?: true;
  readonly requeueAfterMs?: number | undefined;
}

/** `tellStatus` resolves to the time after which to reconcile again even if nothing changes. */
export async function tellStatus(work: OrderWork, memory: Memory, outcome: OrderOutcome): Promise<number | undefined> {
  const { journal, identity } = work;
  const { desired, mode, takesOver, halt, children = [], machineless = false, names, note, deletionWaits } = outcome;
  const { metadata } = journal.order;
  const seen = seenOf(work, memory, names);
  const deleting = metadata.deletionTimestamp !== undefined;
  if (mode === 'controller' && !deleting) await showAddress(work, seen.loadBalancerAddress);
  const { status, spec } = journal.order;
  const reconciled = reconciledVersion(journal.order);
  const report = orderStatus({
    name: identity.name,
    tenantNamespace: identity.tenantNamespace,
    deleting,
    managementState: metadata.annotations?.[annotations.managementState],
    desired,
    reconciled,
    ...pinnedSpec({ spec, reconciled, status, applied: outcome.applied === true }),
    mode,
    takesOver,
    provisionedBy: status?.provisionedBy,
    fallbackConfigVersion: status?.fallbackConfigVersion,
    problem: halt?.problem,
    waiting: halt?.waits,
    children,
    machineless,
    note,
    ...seen,
    webhook: status?.webhook,
    deletionWaits,
  });
  const { generation } = metadata;
  await journal.status({
    ...noFacts,
    ...report.facts,
    conditions: conditionsAfter(work, report),
    ...defined({ observedGeneration: generation }),
  });
  tellNews(work, report, outcome);
  return sooner(seen.observation?.recheckAfterMs, sooner(outcome.requeueAfterMs, halt?.requeueAfterMs));
}

/** Removes the fields that are not among the new facts. */
const noFacts: { readonly [K in keyof Omit<OrderFacts, 'tenantReference'>]: undefined } = {
  phase: undefined,
  desiredConfigVersion: undefined,
  reconciledConfigVersion: undefined,
  reconciledSpecVersion: undefined,
  virtualMachineReference: undefined,
  provisionedBy: undefined,
  fallbackConfigVersion: undefined,
  ipAddresses: undefined,
  loadBalancerAddress: undefined,
  webhook: undefined,
};

/**
 * The fulfillment service reads the address from this annotation. A value that AAP or a person wrote stays: the
 * annotation is ours only if it equals the address in our status.
 */
async function showAddress({ journal }: OrderWork, address: string | undefined): Promise<void> {
  const { metadata, status } = journal.order;
  const shown = metadata.annotations?.[annotations.floatingIp];
  if (shown === undefined ? address !== undefined : shown === status?.loadBalancerAddress)
    await journal.annotate({ [annotations.floatingIp]: address ?? null });
}

function conditionsAfter({ journal }: OrderWork, { findings }: OrderReport): NonNullable<OrderStatus['conditions']> {
  const { status, metadata } = journal.order;
  const after = new Conditions(status?.conditions, { date: new Date(), generation: metadata.generation });
  for (const { type, status: is, reason, message } of findings) after.set(type, is, reason, message);
  for (const type of Object.values(types)) if (!findings.some((finding) => finding.type === type)) after.drop(type);
  return after.list();
}

/** Reports each change once: what was reported before is in the status that the reconcile started with. */
function tellNews(work: OrderWork, { facts }: OrderReport, { halt, mode }: OrderOutcome): void {
  const { order, operator, context, identity } = work;
  const { phase } = facts;
  const before = order.status?.phase;
  const fields = { ...logFields(work), tenant: identity.tenantNamespace, phase, mode };
  if (phase !== before) {
    context.log.info({ ...fields, before }, 'order phase changed');
    if (phase === 'Ready')
      tell(
        work,
        'Normal',
        'Provisioned',
        `The virtual machine is as ordered (config version ${facts.reconciledConfigVersion ?? ''})`,
      );
  }
  const problem = halt?.problem;
  if (problem === undefined) {
    if (phase === 'Failed' && phase !== before) tellFailure(work, mode, 'Failed');
    return;
  }
  if (isKnown(work, problem)) return;
  context.log.warn({ ...fields, reason: problem.reason, detail: problem.message }, 'order cannot proceed');
  tell(work, 'Warning', problem.reason, problem.message);
  operator.metrics.failed(mode ?? 'none', problem.reason);
}

/**
 * The VM or its disk has failed, or AAP does not accept the call. A condition gives the cause. The condition of a VM
 * that does not exist yet is skipped.
 */
function tellFailure(work: OrderWork, mode: Mode | undefined, reason: string): void {
  const { operator, journal } = work;
  const condition = [types.available, types.progressing]
    .map((type) => findCondition(journal.order.status?.conditions, type))
    .find((condition) => condition?.status === 'False' && condition.reason !== 'Progressing');
  tell(work, 'Warning', reason, condition?.message ?? 'The virtual machine has failed');
  operator.metrics.failed(mode ?? 'none', condition?.reason ?? reason);
}

function isKnown({ order }: OrderWork, { reason, message }: OrderProblem): boolean {
  const isDeletion = order.metadata.deletionTimestamp !== undefined;
  const condition = findCondition(order.status?.conditions, isDeletion ? types.deleting : types.progressing);
  return condition?.reason === reason && condition.message === message;
}

function sooner(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
