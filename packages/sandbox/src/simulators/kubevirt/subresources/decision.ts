/**
 * The result of a power action: patches in order, and possibly a refusal. Some refusals come after a patch was written,
 * as in the real virt-api.
 */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import type { StatusAnswer } from '../../serving/contracts.ts';
import type { RunStrategy, StateChangeRequest, VirtualMachine, VirtualMachineInstance } from '../objects.ts';
import { internal } from './refusals.ts';

export interface DecisionWrite {
  readonly on: 'vm' | 'vm status' | 'vmi';
  readonly operations: readonly JsonPatchOperation[];
  /** Written if this write fails. */
  readonly undo?: DecisionWrite;
}

export interface Decision {
  readonly writes: readonly DecisionWrite[];
  readonly refusal?: StatusAnswer;
}

export const refuse = (refusal: StatusAnswer): Decision => ({ writes: [], refusal });

/** `switchStrategy` changes the run strategy only if the spec still has the value that was read. */
export function switchStrategy({ spec }: VirtualMachine, to: Extract<RunStrategy, 'Always' | 'Halted'>): DecisionWrite {
  const [path, from, value] =
    spec.runStrategy === undefined
      ? ['/spec/running', spec.running ?? null, to === 'Always']
      : ['/spec/runStrategy', spec.runStrategy, to];
  return {
    on: 'vm',
    operations: [
      { op: 'test', path, value: from },
      { op: 'replace', path, value },
    ],
  };
}

/**
 * Requests for virt-controller. A lone Stop replaces pending requests; every other request is refused while there are
 * any.
 */
export function requestChange(
  { status }: VirtualMachine,
  changes: readonly StateChangeRequest[],
): DecisionWrite | StatusAnswer {
  const path = '/status/stateChangeRequests';
  const present = status?.stateChangeRequests ?? [];
  const stops = changes.length === 1 && changes[0]?.action === 'Stop';
  if (present.length > 0 && !stops) return internal('unable to complete request: stop/start already underway');
  if (status === undefined || Object.keys(status).length === 0)
    return {
      on: 'vm status',
      operations: [{ op: 'add', path: '/status', value: { stateChangeRequests: changes } }],
    };
  return {
    on: 'vm status',
    operations: [
      { op: 'test', path, value: status.stateChangeRequests ?? null },
      { op: present.length > 0 ? 'replace' : 'add', path, value: changes },
      ...(status.startFailure === undefined ? [] : [{ op: 'remove', path: '/status/startFailure' } as const]),
    ],
  };
}

/** `gracePeriod` sets the time that the guest gets to shut down. */
export function gracePeriod(vmi: VirtualMachineInstance, seconds: number, from = graceOf(vmi)): DecisionWrite {
  const path = '/spec/terminationGracePeriodSeconds';
  return {
    on: 'vmi',
    operations: [
      { op: 'test', path, value: from ?? null },
      { op: 'replace', path, value: seconds },
    ],
  };
}

export const graceOf = (vmi: VirtualMachineInstance): number | undefined => vmi.spec.terminationGracePeriodSeconds;

/** `andThen` adds one more write, or the reason why it is not possible. */
export const andThen = (writes: readonly DecisionWrite[], last: DecisionWrite | StatusAnswer): Decision =>
  last instanceof Error ? { writes, refusal: last } : { writes: [...writes, last] };
