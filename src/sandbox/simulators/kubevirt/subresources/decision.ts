/** What a power action comes to: patches in order, then perhaps a refusal. Some refusals come after a patch was made; the real virt-api does so too. */
import type { JsonPatchOperation } from '../../../../kube/client/client.ts';
import type { StatusAnswer } from '../../serving/contracts.ts';
import type { RunStrategy, StateChangeRequest, VirtualMachine, VirtualMachineInstance } from '../objects.ts';
import { internal } from './refusals.ts';

export interface Write {
  readonly on: 'vm' | 'vm status' | 'vmi';
  readonly operations: readonly JsonPatchOperation[];
  /** What is done when this one fails. */
  readonly undo?: Write;
}

export interface Decision {
  readonly writes: readonly Write[];
  readonly refusal?: StatusAnswer;
}

export const refuse = (refusal: StatusAnswer): Decision => ({ writes: [], refusal });

/** The spec says what shall be, so it is changed only where it still says what was read. */
export function switchStrategy({ spec }: VirtualMachine, to: Extract<RunStrategy, 'Always' | 'Halted'>): Write {
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

/** Requests for virt-controller. A lone Stop takes the place of what is there; everything else waits for it to be done. */
export function requestChange(
  { status }: VirtualMachine,
  changes: readonly StateChangeRequest[],
): Write | StatusAnswer {
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

/** How long the guest gets to shut down. */
export function gracePeriod(vmi: VirtualMachineInstance, seconds: number, from = graceOf(vmi)): Write {
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

/** The writes so far, and one more or the reason why it cannot be. */
export const andThen = (writes: readonly Write[], last: Write | StatusAnswer): Decision =>
  last instanceof Error ? { writes, refusal: last } : { writes: [...writes, last] };
