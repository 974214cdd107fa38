/** The printable status that a VM must show at rest: kubevirt.md, 1.3, from publicly visible objects. */
import type { Unstructured } from '../../../packages/kube/src/object.ts';
import { isObject } from '../../../packages/sandbox/src/values/json.ts';
import { at, conditionIn, hasEnded, isDeleting, listOf, textOf } from './seen.ts';

export interface Sight {
  readonly vm: Unstructured;
  readonly vmi: Unstructured | undefined;
  /** All DataVolumes of its namespace. */
  readonly dataVolumes: readonly Unstructured[];
  readonly claims: readonly Unstructured[];
}

export function strategyOf(vm: Unstructured): string {
  return textOf(vm, 'spec', 'runStrategy') || (at(vm, 'spec', 'running') === true ? 'Always' : 'Halted');
}

function volumeNames(vm: Unstructured, source: string, field: string): readonly string[] {
  return listOf(vm, 'spec', 'template', 'spec', 'volumes').flatMap((volume) => {
    const found = volume[source];
    return isObject(found) && typeof found[field] === 'string' ? [found[field]] : [];
  });
}

export function printed({ vm, vmi, dataVolumes, claims }: Sight): string {
  if (isDeleting(vm)) return 'Terminating';
  const phase = textOf(vmi, 'status', 'phase');
  const ended = vmi !== undefined && hasEnded(vmi);
  if (vmi !== undefined && !ended && isDeleting(vmi)) return 'Stopping';
  const moved = ['startTimestamp', 'endTimestamp'].map((field) => textOf(vmi, 'status', 'migrationState', field));
  if (moved[0] !== '' && moved[1] === '') return 'Migrating';
  if (phase === 'Running') return conditionIn(vmi, 'Paused')?.['status'] === 'True' ? 'Paused' : 'Running';
  const synchronized = conditionIn(vmi, 'Synchronized');
  const trouble = synchronized?.['status'] === 'False' ? String(synchronized['reason']) : '';
  if (trouble === 'FailedPvcNotFound') return 'ErrorPvcNotFound';
  const disks = volumeNames(vm, 'dataVolume', 'name');
  const filled = dataVolumes.filter(({ metadata }) => disks.includes(metadata.name ?? ''));
  if (filled.some(isBroken)) return 'DataVolumeError';
  const scheduled = conditionIn(vmi, 'PodScheduled');
  if (scheduled?.['status'] === 'False' && scheduled['reason'] === 'Unschedulable') return 'ErrorUnschedulable';
  if (filled.some((one) => !['Succeeded', 'PendingPopulation'].includes(textOf(one, 'status', 'phase'))))
    return 'Provisioning';
  const names = [...disks, ...volumeNames(vm, 'persistentVolumeClaim', 'claimName')];
  const unbound = claims.some(
    (claim) => names.includes(claim.metadata.name ?? '') && textOf(claim, 'status', 'phase') !== 'Bound',
  );
  if (unbound && isToStart(vm, vmi)) return 'WaitingForVolumeBinding';
  if (trouble === 'ErrImagePull' || trouble === 'ImagePullBackOff') return trouble;
  if (vmi !== undefined && !ended) return 'Starting';
  const failures = Number(at(vm, 'status', 'startFailure', 'consecutiveFailCount') ?? 0);
  if (failures > 0 && ['Always', 'RerunOnFailure', 'Once'].includes(strategyOf(vm))) return 'CrashLoopBackOff';
  return 'Stopped';
}

function isBroken(dataVolume: Unstructured): boolean {
  const running = conditionIn(dataVolume, 'Running');
  return (
    textOf(dataVolume, 'status', 'phase') === 'Failed' ||
    (running?.['status'] === 'False' && ['Error', 'ImagePullFailed'].includes(String(running['reason'])))
  );
}

function isToStart(vm: Unstructured, vmi: Unstructured | undefined): boolean {
  const head = listOf(vm, 'status', 'stateChangeRequests')[0]?.['action'];
  switch (strategyOf(vm)) {
    case 'Always':
      return true;
    case 'Manual':
      return vmi === undefined ? head === 'Start' : head !== 'Stop';
    case 'RerunOnFailure':
      return textOf(vmi, 'status', 'phase') !== 'Succeeded';
    case 'Once':
      return vmi === undefined;
    default:
      return false;
  }
}
