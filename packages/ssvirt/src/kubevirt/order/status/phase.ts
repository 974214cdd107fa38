/**
 * The phase of an order. It is Ready only while the ordered objects exist and the VM serves, or is stopped or paused on
 * request.
 */
import { machineState, type MachineState } from '../machine-state.ts';
import type { OrderObservation } from '../observation.ts';
import type { OrderPhase, WebhookRecord } from '../resource.ts';

export function phaseOf(seen: OrderObservation, machine: MachineState = machineState(seen)): OrderPhase {
  if (seen.deleting) return 'Deleting';
  if (seen.problem !== undefined || isAapAway(seen) || machine.state === 'failed') return 'Failed';
  return isReconciled(seen) && isSettled(seen, machine) ? 'Ready' : 'Progressing';
}

export function isReconciled({ desired, reconciled }: OrderObservation): boolean {
  return desired !== undefined && desired === reconciled;
}

function isSettled({ machineless, children }: OrderObservation, { state }: MachineState): boolean {
  if (machineless === true) return children.every(({ applied, ready }) => applied && ready !== false);
  return state === 'serving' || state === 'stopped' || state === 'paused';
}

/** About four minutes with the usual intervals. */
const LONG = 8;

/** AAP does not accept the calls. Calls continue, but a person has to look into it. */
export function isAapAway(seen: OrderObservation): boolean {
  return seen.mode === 'aap' && !isReconciled(seen) && isFailing(seen.webhook) && (seen.webhook?.attempts ?? 0) >= LONG;
}

export function isFailing(webhook: WebhookRecord | undefined): boolean {
  return webhook?.lastError !== undefined;
}
