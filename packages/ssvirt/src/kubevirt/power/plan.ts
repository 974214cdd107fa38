/**
 * Computes what to send to a cluster for a power operation, from the VM as it is there now. The plan is computed again
 * after each step and each change of the VM, until the state is reached. An interrupted attempt therefore continues
 * from the state in the cluster, and a request that came too early is sent again.
 *
 * Power is `runStrategy` (recorded: a `/stop` under RerunOnFailure before the first boot ends in CrashLoopBackOff):
 * RerunOnFailure for on, Halted for off. `/start` is for VMs that are off although their strategy says on: their guest
 * has shut itself down.
 */
import { vmFacts } from '../facts/vm.ts';
import { vmiFacts } from '../facts/vmi.ts';
import { precondition, strategyOf, strategyPatch } from '../tenant-vm/live.ts';
import { assess } from '../status/assess.ts';
import type { DerivedVmStatus } from '../status/vm-status.ts';
import { powerDecision, type PowerOperation } from './table.ts';

export type PowerStep =
  /**
   * A JSON merge patch of the VirtualMachine. It includes the uid and the resourceVersion: 409 means that the VM was
   * changed in the meantime.
   */
  { readonly kind: 'patch'; readonly patch: Readonly<Record<string, unknown>> } | SubresourceStep;

/** PUT /apis/subresources.kubevirt.io/v1/namespaces/…/<of>/…/<subresource> */
export interface SubresourceStep {
  readonly kind: 'subresource';
  readonly of: 'virtualmachines' | 'virtualmachineinstances';
  readonly subresource: 'start' | 'stop' | 'pause' | 'unpause' | 'reset' | 'softreboot';
  readonly body?: Readonly<Record<string, unknown>>;
  /**
   * The meaning of 409: nothing is left to do; the VM has changed, read it again; or it is impossible, and the cluster
   * says why.
   */
  readonly conflict: 'done' | 'lookAgain' | 'refused';
  /** The result cannot be observed afterwards: send it at most once. */
  readonly once: boolean;
}

export type PowerPlan =
  | { readonly kind: 'reached' }
  /** A sentence for the user. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Steps in sequence; empty if the only thing to do is wait. */
  | { readonly kind: 'act'; readonly steps: readonly PowerStep[]; readonly waitsFor: string };

/** Operations whose success is the cluster's answer, and cannot be observed in any other way. */
export const sentOnce: ReadonlySet<PowerOperation> = new Set<PowerOperation>(['reset', 'reboot']);

interface Live {
  readonly vm: unknown;
  readonly status: DerivedVmStatus;
  readonly strategy: string;
  /** KubeVirt has not finished a start or a stop, and refuses another start with 500. */
  readonly isChanging: boolean;
}

/**
 * `vmi` is the instance of the VM's name, if it was read. Without it the VirtualMachine's own status decides, which is
 * enough.
 */
export function powerPlan(operation: PowerOperation, vm: unknown, vmi?: unknown): PowerPlan {
  const live = liveOf(vm, vmi);
  if (isThere(operation, live)) return { kind: 'reached' };
  const decision = powerDecision(operation, live.status);
  if (!decision.allowed && !isUnderWay(operation, live)) return { kind: 'refused', reason: decision.reason };
  return { kind: 'act', steps: steps[operation](live), waitsFor: goals[operation] };
}

/** `isReached` returns whether the VM is in the state that the operation requests. It is never true for operations that are sent once. */
export function isReached(operation: PowerOperation, vm: unknown, vmi?: unknown): boolean {
  return isThere(operation, liveOf(vm, vmi));
}

function liveOf(vm: unknown, vmi: unknown): Live {
  const facts = vmFacts(vm);
  const instance = vmi === undefined ? undefined : vmiFacts(vmi);
  const own = instance?.vmUid === facts.uid ? instance : undefined;
  const { status } = assess({ vm: facts, vmi: own, nameTaken: false, dataVolumes: [] });
  return { vm, status, strategy: strategyOf(vm), isChanging: facts.requests !== undefined };
}

/** Off means that nothing will start it again: a VM that is off is halted as well. */
function isThere(operation: PowerOperation, { status, strategy }: Live): boolean {
  switch (operation) {
    case 'powerOn':
    case 'resume':
      return status === 'POWERED_ON';
    case 'powerOff':
    case 'shutdown':
      return status === 'POWERED_OFF' && strategy === 'Halted';
    case 'suspend':
      return status === 'SUSPENDED';
    case 'reset':
    case 'reboot':
      return false;
  }
}

/** A recorded shutdown continues even if the node is lost. */
function isUnderWay(operation: PowerOperation, { status, strategy }: Live): boolean {
  return operation === 'shutdown' && strategy === 'Halted' && status !== 'DELETING';
}

const goals: Readonly<Record<PowerOperation, string>> = {
  powerOn: 'the machine to run',
  powerOff: 'the machine to be off',
  shutdown: 'the guest to shut down',
  reset: 'the cluster to reset the machine',
  reboot: 'the cluster to reboot the guest',
  suspend: 'the machine to be suspended',
  resume: 'the machine to run again',
};

const steps: Readonly<Record<PowerOperation, (live: Live) => readonly PowerStep[]>> = {
  powerOn: on,
  // The stop gets 409 if nothing runs, or if it is already being stopped at once.
  powerOff: (live) => [...halt(live), ...(live.status === 'POWERED_OFF' ? [] : [stopNow])],
  shutdown: halt,
  reset: () => [onInstance('reset', 'refused')],
  reboot: () => [onInstance('softreboot', 'refused')],
  suspend: () => [onInstance('pause', 'lookAgain')],
  resume: () => [onInstance('unpause', 'lookAgain')],
};

const stopNow: SubresourceStep = {
  kind: 'subresource',
  of: 'virtualmachines',
  subresource: 'stop',
  body: { gracePeriod: 0 },
  conflict: 'done',
  once: false,
};

const startNow: SubresourceStep = {
  kind: 'subresource',
  of: 'virtualmachines',
  subresource: 'start',
  conflict: 'lookAgain',
  once: false,
};

/** Strategies that wait for a request once the VM is off. Always does not wait, and Once refuses it. */
const startable = new Set(['RerunOnFailure', 'Manual']);

/** If KubeVirt will start the VM by itself, or keeps trying to (a crash loop), there is nothing to send. */
function on(live: Live): readonly PowerStep[] {
  const { status, strategy, isChanging } = live;
  if (strategy === 'Halted') return [turn(live, 'RerunOnFailure')];
  if (status === 'SUSPENDED') return [onInstance('unpause', 'lookAgain')];
  if (status !== 'POWERED_OFF') return [];
  if (!startable.has(strategy)) return [turn(live, 'RerunOnFailure')];
  return isChanging ? [] : [startNow];
}

function halt(live: Live): readonly PowerStep[] {
  return live.strategy === 'Halted' ? [] : [turn(live, 'Halted')];
}

function turn({ vm }: Live, runStrategy: string): PowerStep {
  return { kind: 'patch', patch: { metadata: precondition(vm), spec: strategyPatch(vm, runStrategy) } };
}

function onInstance(
  subresource: 'pause' | 'unpause' | 'reset' | 'softreboot',
  conflict: SubresourceStep['conflict'],
): SubresourceStep {
  const once = subresource === 'reset' || subresource === 'softreboot';
  return { kind: 'subresource', of: 'virtualmachineinstances', subresource, conflict, once };
}
