/**
 * What to send to a cluster for a power operation, given the machine as it is there now. It is asked again after each step and each change of the machine,
 * until the state is reached: so an attempt that was cut off is taken up where the cluster stands, and a request that came too early is made again.
 *
 * Power is `runStrategy` (recorded: a `/stop` under RerunOnFailure before the first boot ends in CrashLoopBackOff): RerunOnFailure for on, Halted for off.
 * `/start` is for machines whose strategy says on while they are off: their guest has shut itself down.
 */
import { vmFacts } from '../facts/vm.ts';
import { vmiFacts } from '../facts/vmi.ts';
import { precondition, strategyOf, strategyPatch } from '../machine/live.ts';
import { judge } from '../status/judge.ts';
import type { MachineStatus } from '../status/machine-status.ts';
import { powerDecision, type PowerOperation } from './table.ts';

export type PowerStep =
  /** A JSON merge patch of the VirtualMachine. It has the uid and the resourceVersion in it: 409 says that somebody else was quicker. */
  { readonly kind: 'patch'; readonly patch: Readonly<Record<string, unknown>> } | SubresourceStep;

/** PUT /apis/subresources.kubevirt.io/v1/namespaces/…/<of>/…/<subresource> */
export interface SubresourceStep {
  readonly kind: 'subresource';
  readonly of: 'virtualmachines' | 'virtualmachineinstances';
  readonly subresource: 'start' | 'stop' | 'pause' | 'unpause' | 'reset' | 'softreboot';
  readonly body?: Readonly<Record<string, unknown>>;
  /** What 409 means: nothing is left to do; the machine has changed, look again; or it cannot be done, and the cluster says why. */
  readonly conflict: 'done' | 'lookAgain' | 'refused';
  /** Nobody sees afterwards whether it was done: to be sent at most once. */
  readonly once: boolean;
}

export type PowerPlan =
  | { readonly kind: 'reached' }
  /** A sentence for who has asked. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** In this order; none where there is only to wait. */
  | { readonly kind: 'act'; readonly steps: readonly PowerStep[]; readonly waitsFor: string };

/** Operations whose success is the answer of the cluster, and nothing else. */
export const sentOnce: ReadonlySet<PowerOperation> = new Set<PowerOperation>(['reset', 'reboot']);

interface Live {
  readonly vm: unknown;
  readonly status: MachineStatus;
  readonly strategy: string;
}

/** `vmi` is the instance of the machine's name, where it was read; without it the machine's own word counts, which is enough. */
export function powerPlan(operation: PowerOperation, vm: unknown, vmi?: unknown): PowerPlan {
  const live = liveOf(vm, vmi);
  if (isThere(operation, live)) return { kind: 'reached' };
  const decision = powerDecision(operation, live.status);
  if (!decision.allowed && !isUnderWay(operation, live)) return { kind: 'refused', reason: decision.reason };
  return { kind: 'act', steps: steps[operation](live), waitsFor: goals[operation] };
}

/** Whether the machine is as the operation wants it. What is sent once is never seen. */
export function isReached(operation: PowerOperation, vm: unknown, vmi?: unknown): boolean {
  return isThere(operation, liveOf(vm, vmi));
}

function liveOf(vm: unknown, vmi: unknown): Live {
  const facts = vmFacts(vm);
  const instance = vmi === undefined ? undefined : vmiFacts(vmi);
  const own = instance?.vmUid === facts.uid ? instance : undefined;
  const { status } = judge({ vm: facts, vmi: own, nameTaken: false, dataVolumes: [] });
  return { vm, status, strategy: strategyOf(vm) };
}

/** Off means that nothing will start it again: a machine that merely rests is halted as well. */
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

/** A shutdown that has been written down goes on, whatever becomes of the node. */
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
  // Nothing runs, or it is being stopped at once already: 409.
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

/** Strategies that wait for a request once the machine is off. Always does not, Once refuses it. */
const startable = new Set(['RerunOnFailure', 'Manual']);

/** One that KubeVirt will start by itself, or tries to (a crash loop), is waited for. */
function on(live: Live): readonly PowerStep[] {
  const { status, strategy } = live;
  if (strategy === 'Halted') return [turn(live, 'RerunOnFailure')];
  if (status === 'SUSPENDED') return [onInstance('unpause', 'lookAgain')];
  if (status !== 'POWERED_OFF') return [];
  return [startable.has(strategy) ? startNow : turn(live, 'RerunOnFailure')];
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
