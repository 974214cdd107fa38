/** Provisions an order, or has AAP provision it. */
import { defined } from '@ssvirt/base/values/defined';
import { secondsSince } from './operator/provisioning-timer.ts';
import { bindingProblem, namespaceFacts } from '../../kubevirt/order/namespace.ts';
import { nameProblem } from '../../kubevirt/order/names.ts';
import { hasBegunAnother } from '../../kubevirt/order/aap/aap-quiet-period.ts';
import { annotations, type Mode } from '../../kubevirt/order/resource.ts';
import type { Decided } from '../../kubevirt/order/mode.ts';
import { aapProblem, problemOf } from '../../kubevirt/order/parameters/parameters.ts';
import { askAap } from './aap/aap.ts';
import { refuseForeignTargets } from './aap/aap-targets.ts';
import { planCustom, provisionCustom } from './custom/custom.ts';
import { customRemains, isByTemplate } from './custom/view.ts';
import { lookAgainMs } from '../operator/cluster-refusal.ts';
import { OrderStepHalted, refused, waiting } from './operator/step-halted.ts';
import type { Order } from './operator/order-types.ts';
import type { Memory } from './operator/memory.ts';
import { decide, templateClass } from './mode.ts';
import { namesakeProblem } from './namesake.ts';
import { reconciledVersion } from '../../kubevirt/order/aap/aap-marks.ts';
import { planNative, provisionNative } from './native/native.ts';
import type { OrderOutcome } from './operator/report.ts';
import { ensureSecretRights } from './operator/secret-rights.ts';
import { countFailure, restOf } from './aap/retries.ts';
import { childStates } from './view.ts';
import { logFields, tell, type OrderWork } from './work.ts';

/** `provision` throws only errors that the work queue must retry. */
export async function provision(work: OrderWork, memory: Memory, desired: string): Promise<OrderOutcome> {
  const { order } = work;
  let outcome: OrderOutcome = { desired };
  try {
    const decision = decide(work, desired);
    if ('problem' in decision) throw refused(decision.problem);
    refuseForeignNamespace(work);
    if ('waitMs' in decision) {
      outcome = { ...outcome, mode: 'aap', takesOver: 'controller' };
      throw waiting('WaitingForAAP', decision.why, decision.waitMs);
    }
    const { mode, takesOver } = decision;
    outcome = { ...outcome, mode, ...defined({ takesOver }) };
    // The decision is final: a later change of the rollout percentage does not move existing orders.
    if (order.status?.provisionedBy === undefined) await record(work, decision);
    if (order.metadata.annotations?.[annotations.managementState] === 'manual') return withChildren(work, outcome);
    if (mode === 'aap') return await byAap(work, memory, decision, outcome);
    const rest = restOf(memory, work, desired);
    if (rest !== undefined) throw rest;
    return await byController(work, memory, decision, outcome);
  } catch (error) {
    const halt = countFailure(memory, work, desired, error);
    if (isGivenUp(work, outcome, halt) && (await fallBack(work, desired, halt)))
      return { ...outcome, requeueAfterMs: 1 };
    return { ...withChildren(work, outcome), halt };
  }
}

function refuseForeignNamespace({ caches, identity }: OrderWork): void {
  const found = caches.namespaces.get({ name: identity.tenantNamespace });
  const problem = bindingProblem(identity, found === undefined ? undefined : namespaceFacts(found));
  if (problem !== undefined) throw refused(problem);
}

/**
 * Records the mode before anything is created or requested, so that the deletion of the order knows who provisioned it.
 */
async function record(work: OrderWork, { mode, record: isNews }: Decided): Promise<void> {
  if (!isNews) return;
  const { journal, order } = work;
  const before = order.status?.provisionedBy;
  await journal.status({ provisionedBy: mode });
  if (before === undefined || before === mode) return;
  const message = `${nameOf(mode)} provisions the order from now on; before, ${nameOf(before)} did`;
  work.context.log.info({ ...logFields(work), mode, before }, 'order mode changed');
  tell(work, 'Normal', 'ModeChanged', message);
}

function nameOf(mode: Mode): string {
  return mode === 'aap' ? 'AAP' : 'the controller';
}

async function byAap(work: OrderWork, memory: Memory, decision: Decided, outcome: OrderOutcome): Promise<OrderOutcome> {
  const { journal, operator, context, signal } = work;
  const { desired } = outcome;
  if (reconciledVersion(journal.order) === desired) {
    if (isUndone(journal.order, desired)) return await askAnew(work, outcome);
    done(work, memory, desired, 'aap');
    return isByTemplate(work) ? { ...outcome, ...customRemains(work) } : outcome;
  }
  secondsSince(work, memory, desired);
  const taken = namesakeProblem(work);
  if (taken !== undefined) throw refused(taken, lookAgainMs);
  refuseForAap(work);
  await record(work, decision);
  const asked = await askAap(
    {
      aap: operator.aap,
      journal,
      refuse: (action) => refuseForeignTargets(work, action),
      log: context.log,
      signal,
    },
    desired,
  );
  switch (asked.state) {
    case 'unconfigured':
      throw new OrderStepHalted({ problem: asked.problem }, operator.config.retries.slow);
    case 'waiting':
    case 'accepted':
    case 'failing':
      // Everything possible was done. The outcome of the calls is reported from their record.
      memory.failures.delete(work.identity.uid);
      return { ...outcome, requeueAfterMs: asked.requeueAfterMs };
  }
}

/** A job of AAP that its role refuses would only report that it failed. */
function refuseForAap(work: OrderWork): void {
  const { order } = work;
  const problem = templateClass(work) === 'native' ? aapProblem(order.spec.templateParameters) : undefined;
  if (problem !== undefined) throw refused(problemOf([problem]));
}

/**
 * The spec went to another version and back, and AAP has started on that other version. This does not apply to versions
 * that the controller made: they are not AAP's to undo.
 */
function isUndone({ status }: Order, desired: string): boolean {
  return status?.provisionedBy === 'aap' && hasBegunAnother(status.webhook, desired);
}

/** Removes the annotation, so that the version counts as unfinished. The next reconcile decides who provisions it. */
async function askAnew(work: OrderWork, outcome: OrderOutcome): Promise<OrderOutcome> {
  await work.journal.annotate({ [annotations.reconciledConfigVersion]: null });
  const version = outcome.desired;
  work.context.log.info({ ...logFields(work), version }, 'order returned to a version that AAP has changed since');
  return { ...outcome, requeueAfterMs: 1 };
}

async function byController(
  work: OrderWork,
  memory: Memory,
  decision: Decided,
  outcome: OrderOutcome,
): Promise<OrderOutcome> {
  const { identity, journal } = work;
  const { desired } = outcome;
  const isNew = reconciledVersion(journal.order) !== desired;
  if (isNew) secondsSince(work, memory, desired);
  const wrong = nameProblem(identity);
  if (wrong !== undefined) throw refused(wrong);
  await ensureSecretRights(work);
  let made: Partial<OrderOutcome>;
  if (templateClass(work) === 'custom') {
    const plan = await planCustom(work, desired);
    await record(work, decision);
    made = { ...(await provisionCustom(work, plan)), ...(plan.version === undefined ? {} : { applied: true }) };
    if (isNew) for (const warning of plan.warnings) tell(work, 'Warning', 'ParameterIgnored', warning);
  } else {
    const plan = await planNative(work);
    await record(work, decision);
    await provisionNative(work, plan);
    made = { children: childStates(work, plan.parameters.sshPublicKey !== undefined), applied: true };
    if (isNew) for (const warning of plan.warnings) tell(work, 'Warning', 'ParameterIgnored', warning);
  }
  const isFirst = reconciledVersion(journal.order) === undefined;
  await journal.annotate({ [annotations.reconciledConfigVersion]: desired });
  memory.failures.delete(identity.uid);
  if (isNew) {
    done(work, memory, desired, 'controller');
    const said = `${isFirst ? 'Created' : 'Applied'} all objects of the order in namespace "${identity.tenantNamespace}" (config version ${desired})`;
    tell(work, 'Normal', isFirst ? 'Created' : 'Updated', said);
    work.context.log.info({ ...logFields(work), tenant: identity.tenantNamespace, version: desired }, 'order applied');
  }
  return { ...outcome, ...made };
}

/** Counts a finished version once, in the process that saw it start. */
function done(work: OrderWork, memory: Memory, version: string, mode: Mode): void {
  const timer = memory.provisionTimers.get(work.identity.uid);
  if (timer?.version !== version) return;
  work.operator.metrics.provisioned(mode, secondsSince(work, memory, version));
  memory.provisionTimers.delete(work.identity.uid);
}

/** Adds the state of the children to an outcome, also when nothing could be done. */
function withChildren(work: OrderWork, outcome: OrderOutcome): OrderOutcome {
  if (outcome.mode !== 'controller' || outcome.children !== undefined) return outcome;
  if (templateClass(work) === 'custom') return { ...outcome, ...customRemains(work) };
  return { ...outcome, children: childStates(work, false) };
}

/**
 * Whether the controller failed to provision a new version. A version that it has already provisioned does not fall
 * back, because only the controller can correct it.
 */
function isGivenUp({ journal }: OrderWork, { mode, desired }: OrderOutcome, { problem }: OrderStepHalted): boolean {
  return (
    mode === 'controller' && problem?.reason === 'RetriesExhausted' && reconciledVersion(journal.order) !== desired
  );
}

/** Whether AAP is called instead of the controller. Only for templates that AAP supports. */
async function fallBack(work: OrderWork, desired: string, halt: OrderStepHalted): Promise<boolean> {
  const { operator, journal } = work;
  if (!operator.config.fallbackToAap || operator.config.aap.createUrl === undefined) return false;
  if (templateClass(work) !== 'native') return false;
  await journal.status({ fallbackConfigVersion: desired });
  const message = `AAP is called for config version ${desired}, which the controller could not provision: ${halt.message}`;
  work.context.log.warn({ ...logFields(work), version: desired }, 'order falls back to AAP');
  tell(work, 'Warning', 'FellBackToAAP', message);
  return true;
}
