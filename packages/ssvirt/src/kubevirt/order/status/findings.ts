/**
 * The conditions of an order. Types and reasons are the original operator's where they fit, since the fulfillment
 * service and users' scripts know them. `Available` depends on the VM alone: it is True while the VM serves, even if a
 * later change of the order is refused.
 */
import type { Finding } from '../../machine/status.ts';
import { childFindings } from './child-findings.ts';
import type { MachineState } from '../machine-state.ts';
import type { OrderObservation } from '../observation.ts';
import { isAapAway, isFailing, isReconciled } from './phase.ts';
import { conditions, type Mode, type OrderPhase, type OrderProblem, type OrderProblemReason } from '../resource.ts';

type Saying = Omit<Finding, 'type'>;

const no = (reason: string, message: string): Saying => ({ status: 'False', reason, message });
const yes = (reason: string, message: string): Saying => ({ status: 'True', reason, message });

export function findingsOf(seen: OrderObservation, machine: MachineState, phase: OrderPhase): readonly Finding[] {
  return [
    { type: conditions.accepted, ...accepted(seen) },
    { type: conditions.progressing, ...progressing(seen, machine, phase) },
    { type: conditions.available, ...available(seen, machine) },
    { type: conditions.deleting, ...deleting(seen) },
    ...(isStale(seen)
      ? [{ type: conditions.specNotReconciled, ...yes('DesiredConfigVersionPinned', stale(seen)) }]
      : []),
    ...(seen.mode === 'controller' && !seen.deleting ? childFindings(seen, machine) : []),
  ];
}

/** The order itself is wrong; other reasons are temporary obstacles. */
const refusals: ReadonlySet<OrderProblemReason> = new Set<OrderProblemReason>([
  'InvalidParameters',
  'InvalidName',
  'UnsupportedTemplate',
  'InvalidTemplate',
  'FloatingIPTemplate',
  'UnknownManagedBy',
  'NamespaceNotBound',
  'NamespaceNotFound',
  'NamespaceTerminating',
  'SecretsForbidden',
  'NameConflict',
  'ImmutableFieldChanged',
]);

function accepted({ problem }: OrderObservation): Saying {
  return problem !== undefined && refusals.has(problem.reason)
    ? no(problem.reason, problem.message)
    : yes('AsExpected', 'The order is understood.');
}

function progressing(seen: OrderObservation, machine: MachineState, phase: OrderPhase): Saying {
  const { problem, waiting, mode, webhook, takesOver } = seen;
  if (seen.deleting) return no('Deleting', 'The order is being deleted.');
  if (problem !== undefined) return no(problem.reason, problem.message);
  if (isAapAway(seen)) return no('WebhookFailed', webhookFailed(seen));
  if (waiting !== undefined) return yes(waiting.reason, waiting.message);
  if (isReconciled(seen)) {
    if (machine.state === 'failed') return no('Failed', machine.sentence);
    if (isStale(seen)) return no('SpecNotReconciled', stale(seen));
    const taken = takesOver === undefined ? '' : ` ${nameOf(takesOver)} takes over at the next change of the order.`;
    const later = seen.note === undefined ? taken : `${taken} ${seen.note}`;
    const what = seen.machineless === true ? 'not everything' : 'the virtual machine';
    return phase === 'Ready'
      ? no('AsExpected', `All is as ordered.${later}`)
      : yes(
          'Progressing',
          `All objects exist; ${what} is ${seen.machineless === true ? '' : 'not '}ready yet.${later}`,
        );
  }
  if (seen.managementState === 'manual')
    return yes('Progressing', 'The order is managed manually: nothing is created, and AAP is not called.');
  if (mode === 'aap') {
    if (isFailing(webhook)) return yes('WebhookFailed', webhookFailed(seen));
    // The last call may have been for another version as long as the minimum interval lasts.
    return webhook === undefined || webhook.configVersion !== seen.desired
      ? yes('Progressing', 'AAP is about to be called.')
      : yes('WebhookTriggered', `AAP was called for config version ${webhook.configVersion}, and is working on it.`);
  }
  return yes('Progressing', 'Applying configuration.');
}

function isStale({ isStale: is = false, deleting }: OrderObservation): boolean {
  return is && !deleting;
}

function stale({ desired = '' }: OrderObservation): string {
  return `The order has changed since config version ${desired} was applied, and spec.desiredConfigVersion still asks for that version, so the change is not applied: remove spec.desiredConfigVersion, or give it another value.`;
}

function nameOf(mode: Mode): string {
  return mode === 'aap' ? 'AAP' : 'The controller';
}

function webhookFailed({ webhook }: OrderObservation): string {
  const { attempts = 0, lastError = 'unknown' } = webhook ?? {};
  const many = attempts === 1 ? 'once' : `${attempts} times`;
  return `AAP could not be called after trying ${many}: ${lastError.replace(/[\s.]+$/, '')}. The call is retried.`;
}

function available(seen: OrderObservation, machine: MachineState): Saying {
  if (seen.deleting) return no('Deleting', 'The order is being deleted.');
  if (machine.state === 'serving') {
    const later =
      seen.observation?.restartRequired === true
        ? ' It runs with older settings: the change takes effect when it is restarted, for example with "virtctl restart".'
        : '';
    return yes('AsExpected', `The virtual machine runs.${later}`);
  }
  if (machine.state === 'failed' || machine.state === 'hindered') return no(machine.reason, machine.sentence);
  return unavailable(seen, machine.state, seen.problem);
}

function unavailable(seen: OrderObservation, state: MachineState['state'], problem: OrderProblem | undefined): Saying {
  switch (state) {
    case 'stopped':
      return no('Stopped', 'The virtual machine is stopped: start it, for example with "virtctl start".');
    case 'paused':
      return no('Paused', 'The virtual machine is paused: resume it, for example with "virtctl unpause vm".');
    case 'missing':
      if (problem !== undefined) return no(problem.reason, problem.message);
      if (seen.machineless === true) return no('AsExpected', 'The template of the order has no virtual machine.');
      return no('Progressing', 'The virtual machine does not exist yet.');
    default:
      return no('Progressing', 'The virtual machine is not ready yet.');
  }
}

function deleting(seen: OrderObservation): Saying {
  if (!seen.deleting) return no('AsExpected', 'The order is not being deleted.');
  if (seen.problem !== undefined) return yes(seen.problem.reason, seen.problem.message);
  return yes('Deleting', seen.deletionWaits ?? 'The objects of the order are being removed.');
}
