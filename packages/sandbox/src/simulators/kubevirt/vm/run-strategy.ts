/** The action that a run strategy demands, given the current VMI. */
import type { VirtualMachine, VirtualMachineInstance } from '../objects.ts';
import { hasStartRequest, hasStopRequestFor, runStrategyOf } from './state-change.ts';
import { isDeleting, isFinal, phaseOf, type MaybeVmi } from './vmi-state.ts';

export type Wish =
  | { readonly do: 'nothing' }
  /** `afterBackOff`: only after the backoff of failed starts. */
  | { readonly do: 'start'; readonly afterBackOff: boolean }
  /** `thenStart`: also queues a start, if the strategy runs the VM again. */
  | { readonly do: 'stop'; readonly thenStart: boolean }
  /** A start request for a halted VM changes the strategy to Always. */
  | { readonly do: 'un-halt' }
  | { readonly do: 'refuse'; readonly message: string };

const nothing: Wish = { do: 'nothing' };
const stop: Wish = { do: 'stop', thenStart: false };
const start: Wish = { do: 'start', afterBackOff: false };
const startAgain: Wish = { do: 'start', afterBackOff: true };

export function wishOf(vm: VirtualMachine, vmi: MaybeVmi): Wish {
  const strategy = runStrategyOf(vm);
  switch (strategy) {
    case 'Always':
      if (vmi === undefined) return startAgain;
      return hasStopRequestFor(vm, vmi) || isFinal(vmi) ? stop : nothing;
    case 'RerunOnFailure':
      return vmi === undefined ? rerun(vm) : endOfRun(vm, vmi);
    case 'Manual':
      if (vmi === undefined) return hasStartRequest(vm) ? start : nothing;
      return hasStopRequestFor(vm, vmi) ? stop : nothing;
    case 'Halted':
      if (vmi !== undefined) return stop;
      return hasStartRequest(vm) ? { do: 'un-halt' } : nothing;
    case 'Once':
      return vmi === undefined ? start : nothing;
    case 'WaitAsReceiver':
      return receiver(vmi);
    default:
      strategy satisfies never;
      return { do: 'refuse', message: `unknown runstrategy: ${String(strategy)}` };
  }
}

/** Starts by itself after a change from another strategy, otherwise only on request. */
function rerun(vm: VirtualMachine): Wish {
  return hasStartRequest(vm) || vm.status?.runStrategy !== 'RerunOnFailure' ? startAgain : nothing;
}

function endOfRun(vm: VirtualMachine, vmi: VirtualMachineInstance): Wish {
  if (isDeleting(vmi) || !(hasStopRequestFor(vm, vmi) || isFinal(vmi))) return nothing;
  return { do: 'stop', thenStart: phaseOf(vmi) === 'Failed' };
}

function receiver(vmi: MaybeVmi): Wish {
  if (vmi === undefined) return start;
  if (vmi.metadata.annotations?.['kubevirt.io/create-migration-target'] === 'true') return nothing;
  if (vmi.status?.migrationState?.['completed'] === true) return nothing;
  return { do: 'refuse', message: 'Found non receiver VMI while VM is receiver' };
}

/** `isSetToStart` returns whether the VM is starting or should run: unbound PVCs matter only then. */
export function isSetToStart(vm: VirtualMachine, vmi: MaybeVmi): boolean {
  switch (runStrategyOf(vm)) {
    case 'Always':
      return true;
    case 'Manual':
      return vmi === undefined ? hasStartRequest(vm) : !hasStopRequestFor(vm, vmi);
    case 'RerunOnFailure':
      return vmi === undefined || phaseOf(vmi) !== 'Succeeded';
    case 'Once':
      return vmi === undefined;
    default:
      return false;
  }
}
