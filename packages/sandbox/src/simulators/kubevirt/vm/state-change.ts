/** The queue of requests from `start`, `stop` and `restart`. Only its head is acted on. */
import type { RunStrategy, StateChangeRequest, VirtualMachine, VirtualMachineInstance } from '../objects.ts';
import { isDeleting, isFinal, type MaybeVmi } from './vmi-state.ts';

export function runStrategyOf(vm: VirtualMachine): RunStrategy {
  return vm.spec.runStrategy ?? (vm.spec.running === true ? 'Always' : 'Halted');
}

function headOf(vm: VirtualMachine): StateChangeRequest | undefined {
  return vm.status?.stateChangeRequests?.[0];
}

export function hasStartRequest(vm: VirtualMachine): boolean {
  return headOf(vm)?.action === 'Start';
}

export function hasStartPausedRequest(vm: VirtualMachine): boolean {
  return hasStartRequest(vm) && headOf(vm)?.data?.['paused'] === 'true';
}

export function hasStopRequestFor(vm: VirtualMachine, vmi: VirtualMachineInstance): boolean {
  const head = headOf(vm);
  return head?.action === 'Stop' && head.uid !== undefined && head.uid === vmi.metadata.uid;
}

/** A stop is done when the VMI that it names is gone, a start when a VMI is alive. */
export function isHeadDone(vm: VirtualMachine, vmi: MaybeVmi): boolean {
  const head = headOf(vm);
  if (head === undefined) return false;
  if (head.action === 'Stop') return vmi === undefined || head.uid === undefined || head.uid !== vmi.metadata.uid;
  return vmi !== undefined && !isDeleting(vmi) && !isFinal(vmi);
}

/** `pendingRequests` returns the queue without its head once that is done; undefined if it becomes empty. */
export function pendingRequests(vm: VirtualMachine, vmi: MaybeVmi): readonly StateChangeRequest[] | undefined {
  const requests = vm.status?.stateChangeRequests ?? [];
  const left = isHeadDone(vm, vmi) ? requests.slice(1) : requests;
  return left.length === 0 ? undefined : left;
}
