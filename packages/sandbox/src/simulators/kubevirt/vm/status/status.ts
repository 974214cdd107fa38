/** The status of a VM after a reconcile. */
import type { VirtualMachine, VirtualMachineStatus } from '../../objects.ts';
import { conditionsAfter } from './conditions.ts';
import { dumpRequestAfter } from '../memory-dump.ts';
import { printableStatus, type Sight } from './print-status.ts';
import { startFailureOf, type Pause } from './start-failure.ts';
import { pendingRequests, runStrategyOf } from '../state-change.ts';
import type { SyncError } from './sync-error.ts';
import { GENERATION_ANNOTATION } from '../vmi-of-vm.ts';
import { hasCondition, type MaybeVmi } from '../vmi-state.ts';

export interface Look extends Sight {
  readonly error: SyncError | undefined;
  readonly pause: Pause;
}

export function statusAfter(look: Look): VirtualMachineStatus {
  const { vm, vmi, error, pause } = look;
  const before = vm.status ?? {};
  const created = vmi !== undefined;
  const requests = pendingRequests(vm, vmi);
  const generations = generationsOf(vm, vmi);
  const status = without({
    ...before,
    ...generations,
    created: created || undefined,
    ready: hasCondition(vmi, 'Ready', 'True') || undefined,
    // Set when the first VMI is created: unset means that the VM never started.
    runStrategy: created || before.runStrategy !== undefined ? runStrategyOf(vm) : undefined,
    memoryDumpRequest: dumpRequestAfter(vm, vmi),
    stateChangeRequests: requests,
    startFailure: startFailureOf(vm, vmi, pause),
    conditions: conditionsAfter(before.conditions ?? [], vmi, error, shortTime(pause.now)),
  });
  return { ...status, printableStatus: printableStatus({ ...look, vm: { ...vm, status } }) };
}

/** Written only while there is a VMI: the generation from which it was started, and the current one. */
function generationsOf(vm: VirtualMachine, vmi: MaybeVmi): object {
  const started = Number(vmi?.metadata.annotations?.[GENERATION_ANNOTATION] ?? Number.NaN);
  return Number.isInteger(started) ? { observedGeneration: started, desiredGeneration: vm.metadata.generation } : {};
}

/** RFC 3339 in whole seconds, as the API shows times. */
export function shortTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function without(status: Readonly<Record<string, unknown>>): VirtualMachineStatus {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined));
}
