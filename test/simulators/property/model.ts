/**
 * The expected state of a VM, by its run strategy and the requests for it: kubevirt.md, 1.1 and 4, and the surprises
 * above them.
 */
import type { Unstructured } from '../../../packages/kube/src/object.ts';
import type { Strategy } from './machine.ts';
import { at, conditionIn, hasEnded, listOf, textOf } from './seen.ts';
import { strategyOf } from './printed.ts';

/** What follows for a VM from the requests that were granted. */
export interface Expectation {
  strategies: readonly Strategy[];
  /** The state that Manual and RerunOnFailure depend on; undefined if an event has left it open. */
  power: 'up' | 'down' | undefined;
  /** A VMI may be found paused. */
  mayBePaused: boolean;
}

export function created(strategy: Strategy): Expectation {
  const power =
    strategy === 'Manual' ? 'down' : strategy === 'RerunOnFailure' || strategy === 'Once' ? 'up' : undefined;
  return { strategies: [strategy], power, mayBePaused: false };
}

export interface Found {
  readonly vm: Unstructured;
  readonly vmi: Unstructured | undefined;
  /** Launchers that have not ended and are not being deleted. */
  readonly launchers: readonly Unstructured[];
  /**
   * Its DataVolume was deleted while in use: the claim stays as long as the guest uses it, the new DataVolume waits for
   * that, and the VM controller waits for a DataVolume that is not ready, except if the VM is Halted. So the requested
   * state has to wait, as in KubeVirt.
   */
  readonly isHeldByDisk: boolean;
}

/** Why this is not the expected state; undefined if it is. */
export function complaint(expected: Expectation, found: Found): string | undefined {
  const { vm, vmi, isHeldByDisk } = found;
  const strategy = strategyOf(vm) as Strategy;
  if (!expected.strategies.includes(strategy))
    return `has run strategy ${strategy}, and ${expected.strategies.join(' or ')} was asked for`;
  const left = listOf(vm, 'status', 'stateChangeRequests');
  if (left.length > 0 && !isHeldByDisk) return `has requests left: ${JSON.stringify(left)}`;
  if ((at(vm, 'status', 'created') === true) !== (vmi !== undefined)) return 'does not know whether it has a VMI';
  const isUp = vmi !== undefined && !hasEnded(vmi);
  if (isUp && isHeldByDisk) return complaintUp(expected, strategy, found);
  const should =
    expected.power === undefined || strategy === 'Always' || strategy === 'Halted' ? undefined : expected.power;
  if (should !== undefined && (should === 'up') !== isUp) return `should be ${should} and is not`;
  if (isUp) return complaintUp(expected, strategy, found);
  return complaintDown(strategy, found);
}

function complaintUp(expected: Expectation, strategy: Strategy, { vm, vmi, launchers }: Found): string | undefined {
  if (strategy === 'Halted') return 'is Halted and up';
  const shown = textOf(vm, 'status', 'printableStatus');
  if (shown === 'Paused') return expected.mayBePaused ? undefined : 'is paused, and nobody asked for that';
  if (shown !== 'Running') return `shows ${shown} instead of Running`;
  if (at(vm, 'status', 'ready') !== true) return 'is not ready';
  if (conditionIn(vm, 'Failure') !== undefined) return 'bears a Failure';
  // 4.5: the counter of failed starts disappears after a successful one.
  if (at(vm, 'status', 'startFailure') !== undefined) return 'runs and counts failed starts';
  if (textOf(vmi, 'status', 'phase') !== 'Running') return 'has a VMI that does not run';
  const [launcher] = launchers;
  if (launchers.length !== 1) return `has ${launchers.length} launchers`;
  if (textOf(launcher, 'status', 'phase') !== 'Running') return 'has a launcher that does not run';
  if (textOf(launcher, 'spec', 'nodeName') !== textOf(vmi, 'status', 'nodeName')) return 'is not where its launcher is';
  const address = listOf(vmi, 'status', 'interfaces')[0]?.['ipAddress'];
  return address === textOf(launcher, 'status', 'podIP') ? undefined : 'has not the address of its launcher';
}

function complaintDown(strategy: Strategy, { vm, vmi, launchers }: Found): string | undefined {
  if (launchers.length > 0) return 'is down and has a launcher';
  const shown = textOf(vm, 'status', 'printableStatus');
  if (at(vm, 'status', 'ready') === true) return 'is down and ready';
  switch (strategy) {
    case 'Always':
      return `is Always, and ${shown}`;
    case 'Halted':
      return vmi === undefined && shown === 'Stopped' ? undefined : `is Halted, and ${shown}`;
    case 'Manual':
      // 1.3, 10: a VM with a VMI that was not asked to stop counts as set to start.
      return shown === 'Stopped' || (vmi !== undefined && shown === 'WaitingForVolumeBinding')
        ? undefined
        : `is Manual and down, and ${shown}`;
    case 'RerunOnFailure':
      if (vmi !== undefined) return 'keeps a VMI that has ended';
      // Surprise 1: stopped before it ever ran; and 1.3, 10: it counts as set to start.
      return ['Stopped', 'CrashLoopBackOff', 'WaitingForVolumeBinding'].includes(shown)
        ? undefined
        : `is RerunOnFailure and down, and ${shown}`;
    case 'Once':
      if (vmi === undefined) return 'is Once and was not started';
      // Surprise 2: a failed start is shown as long as the VMI exists.
      return shown === 'Stopped' || shown === 'CrashLoopBackOff' ? undefined : `is Once and down, and ${shown}`;
  }
}
