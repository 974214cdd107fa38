/** The phase of an order. Ready only while what is ordered is there and serves, or rests because somebody wants that. */
import { machineState, type MachineState } from './machine-state.ts';
import type { OrderObservation } from './observation.ts';
import type { OrderPhase, WebhookRecord } from './resource.ts';

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

/** Some four minutes, with the intervals as they come. */
const LONG = 8;

/** AAP does not take what is to be done. Calls go on; but somebody has to look. */
export function isAapAway(seen: OrderObservation): boolean {
  return seen.mode === 'aap' && !isReconciled(seen) && isFailing(seen.webhook) && (seen.webhook?.attempts ?? 0) >= LONG;
}

export function isFailing(webhook: WebhookRecord | undefined): boolean {
  return webhook?.lastError !== undefined;
}
