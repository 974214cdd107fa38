/** `printableStatus`: the first status whose condition is true, in KubeVirt's order. Several can be true at once. */
import type { DataVolume, PersistentVolumeClaim, VirtualMachine } from '../../objects.ts';
import { claimNameOf, volumesOf } from '../domain.ts';
import { isSetToStart } from '../run-strategy.ts';
import { countsFailures } from './start-failure.ts';
import { runStrategyOf } from '../state-change.ts';
import { conditionOf, hasCondition, isDeleting, isFinal, isMigrating, isRunning, phaseOf } from '../vmi-state.ts';
import type { MaybeVmi } from '../vmi-state.ts';

export interface Sight {
  readonly vm: VirtualMachine;
  readonly vmi: MaybeVmi;
  /** A VMI was created that is not in the cache yet. */
  readonly startIssued: boolean;
  /** The VMI was deleted, and the cache does not show it yet. */
  readonly stopIssued: boolean;
  /** Both look up names in the VM's namespace. */
  readonly dataVolume: (name: string) => DataVolume | undefined;
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
}

const order: readonly (readonly [string, (sight: Sight) => boolean])[] = [
  ['Terminating', ({ vm }) => vm.metadata.deletionTimestamp !== undefined],
  ['Stopping', ({ vmi, stopIssued }) => vmi !== undefined && !isFinal(vmi) && (isDeleting(vmi) || stopIssued)],
  ['Migrating', ({ vmi }) => vmi !== undefined && isMigrating(vmi)],
  ['Paused', ({ vmi }) => vmi !== undefined && isRunning(vmi) && hasCondition(vmi, 'Paused', 'True')],
  ['Running', ({ vmi }) => vmi !== undefined && isRunning(vmi)],
  ['ErrorPvcNotFound', ({ vmi }) => hasCondition(vmi, 'Synchronized', 'False', 'FailedPvcNotFound')],
  ['DataVolumeError', hasDataVolumeError],
  ['ErrorUnschedulable', ({ vmi }) => hasCondition(vmi, 'PodScheduled', 'False', 'Unschedulable')],
  ['Provisioning', isProvisioning],
  ['WaitingForVolumeBinding', isWaitingForBinding],
  ['ErrImagePull', ({ vmi }) => hasCondition(vmi, 'Synchronized', 'False', 'ErrImagePull')],
  ['ImagePullBackOff', ({ vmi }) => hasCondition(vmi, 'Synchronized', 'False', 'ImagePullBackOff')],
  ['Starting', isStarting],
  ['CrashLoopBackOff', isCrashLooping],
  ['Stopped', ({ vmi, startIssued }) => (vmi === undefined ? !startIssued : isFinal(vmi))],
  ['WaitingForReceiver', isWaitingForReceiver],
];

export function printableStatus(sight: Sight): string {
  return order.find(([, holds]) => holds(sight))?.[0] ?? 'Unknown';
}

function dataVolumesOf({ vm, dataVolume }: Sight): readonly DataVolume[] {
  return volumesOf(vm.spec.template.spec).flatMap((volume) => {
    const found = volume.dataVolume === undefined ? undefined : dataVolume(volume.dataVolume.name);
    return found === undefined ? [] : [found];
  });
}

function hasDataVolumeError(sight: Sight): boolean {
  return dataVolumesOf(sight).some((dataVolume) => {
    const running = conditionOf(dataVolume, 'Running');
    const stopped = running?.status === 'False' && ['Error', 'ImagePullFailed'].includes(running.reason ?? '');
    return dataVolume.status?.phase === 'Failed' || stopped;
  });
}

/**
 * Does not depend on whether the VM should run. A DataVolume that waits for its first consumer counts only once it is
 * bound.
 */
function isProvisioning(sight: Sight): boolean {
  return dataVolumesOf(sight).some((dataVolume) => {
    const phase = dataVolume.status?.phase;
    if (phase === 'Succeeded' || phase === 'PendingPopulation') return false;
    return phase !== 'WaitForFirstConsumer' || conditionOf(dataVolume, 'Bound')?.status === 'True';
  });
}

function isWaitingForBinding({ vm, vmi, claim }: Sight): boolean {
  if (!isSetToStart(vm, vmi)) return false;
  return volumesOf(vm.spec.template.spec).some((volume) => {
    const name = claimNameOf(volume);
    const found = name === undefined ? undefined : claim(name);
    return found !== undefined && found.status?.phase !== 'Bound';
  });
}

function isStarting({ vmi, startIssued }: Sight): boolean {
  return vmi === undefined ? startIssued : ['', 'Pending', 'Scheduling', 'Scheduled'].includes(phaseOf(vmi));
}

function isCrashLooping({ vm, vmi, startIssued }: Sight): boolean {
  if ((vmi !== undefined && !isFinal(vmi)) || startIssued) return false;
  return (vm.status?.startFailure?.consecutiveFailCount ?? 0) > 0 && countsFailures(vm);
}

function isWaitingForReceiver({ vm, vmi }: Sight): boolean {
  return runStrategyOf(vm) === 'WaitAsReceiver' && (vmi === undefined || phaseOf(vmi) === 'WaitingForSync');
}
