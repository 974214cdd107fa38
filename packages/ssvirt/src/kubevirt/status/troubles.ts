/**
 * Temporary troubles, and how long each may last before it counts as a failure: KubeVirt retries everything, and many
 * are normal for some seconds at a first start.
 */
import type { Disk } from '../facts/disks.ts';
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';
import { diskFault, type DiskVolume } from './disk-fault.ts';
import { because, fault, quoted, type Fault } from './faults.ts';
import { missingDisk, unplaced } from './placement.ts';
import { isAboutDisks, refusal } from './refusal.ts';
import type { DesiredState } from './desired.ts';

/** Stable names: the caller measures by them how long a trouble has lasted. */
export type TroubleWord =
  | 'DataVolumeError'
  | 'DataVolumeRefused'
  | 'PvcNotFound'
  | 'ImagePull'
  | 'Unschedulable'
  | 'Failure'
  | 'NotSynchronized'
  | 'NameTaken'
  | 'CrashLoop';

export interface Trouble {
  readonly word: TroubleWord;
  /** If undefined, the trouble never becomes a failure, but its age still counts. */
  readonly patienceMs?: number;
  readonly fault?: Fault;
}

const SECOND = 1000;
const DISK_ERROR_MS = 30 * SECOND;
const REFUSAL_MS = 60 * SECOND;
const UNSCHEDULABLE_MS = 300 * SECOND;

export function diskError(dataVolumes: readonly DiskVolume[]): Trouble {
  const failed = dataVolumes.find(({ phase }) => phase === 'Failed');
  const bad = failed ?? dataVolumes.find(({ stuck }) => stuck !== undefined);
  const why = because(bad?.stuck?.message ?? bad?.refused?.message);
  const sentence =
    bad === undefined ? 'One of its disks could not be filled.' : `Its disk "${bad.disk}" could not be filled${why}.`;
  return {
    word: 'DataVolumeError',
    patienceMs: failed === undefined ? DISK_ERROR_MS : 0,
    fault: fault('IMPORT_FAILED', sentence),
  };
}

/**
 * The import has failed before and is being retried: this is no failure now, but the age of the next error counts from
 * the first one.
 */
export function diskRetry(dataVolumes: readonly DiskVolume[]): Trouble | undefined {
  const again = dataVolumes.find(({ restarts, phase }) => restarts !== undefined && phase !== 'Succeeded');
  if (again === undefined) return undefined;
  const { disk, restarts = 0 } = again;
  const sentence = `Its disk "${disk}" has failed to fill ${times(restarts)}; it is being tried again.`;
  return { word: 'DataVolumeError', fault: fault('IMPORT_FAILED', sentence) };
}

/** A fault that needs an action takes precedence over one that the cluster retries. */
export function diskRefused(dataVolumes: readonly DiskVolume[]): Trouble | undefined {
  const faults = dataVolumes.map(diskFault).filter((one) => one !== undefined);
  const first = faults.find(({ reason }) => reason !== 'DISK_PENDING') ?? faults[0];
  return first === undefined ? undefined : { word: 'DataVolumeRefused', patienceMs: REFUSAL_MS, fault: first };
}

export function pvcNotFound(
  { disks }: Pick<VmFacts, 'disks'>,
  vmi: VmiFacts | undefined,
  dataVolumes: readonly DiskVolume[],
): Trouble {
  const missing = missingDisk(vmi?.notSynchronized ?? {}, dataVolumes, knownDisks(disks, vmi));
  return { word: 'PvcNotFound', patienceMs: REFUSAL_MS, fault: missing };
}

/** An instance may still have a disk that was removed from the VM. */
function knownDisks(disks: readonly Disk[] = [], vmi: VmiFacts | undefined): readonly Disk[] {
  return [...disks, ...(vmi?.disks ?? [])];
}

export function imagePull(vmi: VmiFacts | undefined, backsOff: boolean): Trouble {
  const message = vmi?.notSynchronized?.message ?? '';
  const [, image] = /image "([^"]+)"/.exec(message) ?? [];
  const called = image === undefined ? 'One of its images' : `Its image "${quoted(image)}"`;
  const sentence = `${called} cannot be downloaded: check that it exists and may be read.`;
  return { word: 'ImagePull', patienceMs: backsOff ? 0 : REFUSAL_MS, fault: fault('IMAGE_UNAVAILABLE', sentence) };
}

/**
 * While a disk is being filled, the pod waits for it as long as it takes; that time does not count afterwards either.
 */
export function unschedulable(
  { disks }: Pick<VmFacts, 'disks'>,
  vmi: VmiFacts | undefined,
  dataVolumes: readonly DiskVolume[],
): Trouble | undefined {
  if (dataVolumes.some(isFilling)) return undefined;
  return {
    word: 'Unschedulable',
    patienceMs: UNSCHEDULABLE_MS,
    fault: unplaced(vmi?.unschedulable ?? {}, dataVolumes, knownDisks(disks, vmi)),
  };
}

/** Phases in which nothing is being written to the disk. */
const idlePhases = new Set([
  '',
  'Pending',
  'PendingPopulation',
  'WaitForFirstConsumer',
  'Paused',
  'Succeeded',
  'Failed',
  'Unknown',
]);

function isFilling({ phase = '', stuck, refused, unprovided }: DiskVolume): boolean {
  return !idlePhases.has(phase) && [stuck, refused, unprovided].every((trouble) => trouble === undefined);
}

/**
 * The cluster cannot create what the VM needs: its disks, which always count, or its instance, which counts if the VM
 * is meant to run.
 */
export function refusedStart(
  vm: VmFacts,
  vmi: VmiFacts | undefined,
  dataVolumes: readonly DiskVolume[],
  wanted: DesiredState,
): Trouble | undefined {
  const { failure } = vm;
  if (failure !== undefined && (wanted === 'on' || isAboutDisks(failure)))
    return { word: 'Failure', patienceMs: REFUSAL_MS, fault: refusal(failure) };
  return wanted === 'on' && vmi !== undefined && !isOver(vmi) ? refusedPod(vm, vmi, dataVolumes) : undefined;
}

/**
 * The VirtualMachine does not show refusals of the launcher pod, such as by a quota or by security rules. It will show
 * a missing claim or image in a moment.
 */
function refusedPod(vm: VmFacts, vmi: VmiFacts, dataVolumes: readonly DiskVolume[]): Trouble | undefined {
  const { notSynchronized } = vmi;
  switch (notSynchronized?.reason) {
    case 'FailedPvcNotFound':
      return pvcNotFound(vm, vmi, dataVolumes);
    case 'ErrImagePull':
    case 'ImagePullBackOff':
      return imagePull(vmi, false);
    default:
      if (notSynchronized === undefined) return undefined;
      return { word: 'NotSynchronized', patienceMs: REFUSAL_MS, fault: refusal(notSynchronized) };
  }
}

/** KubeVirt reports nothing in this case. */
export function nameTaken(): Trouble {
  const sentence = 'Another running instance in its virtual data center has its name: remove that one.';
  return { word: 'NameTaken', patienceMs: REFUSAL_MS, fault: fault('NAME_TAKEN', sentence) };
}

export function crashLoop({ startFailure, runStrategy }: VmFacts): Trouble {
  const failures = startFailure?.count ?? 1;
  const at = /T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(startFailure?.retryAt ?? '')?.[1];
  const next =
    runStrategy === 'Once'
      ? 'It is not tried again: power it off and on.'
      : at === undefined
        ? 'It will be tried again.'
        : `The next attempt is at ${at} UTC.`;
  const sentence = `It has failed to start ${times(failures)}${failures === 1 ? '' : ' in a row'}. ${next}`;
  return { word: 'CrashLoop', patienceMs: 0, fault: fault('CRASH_LOOP', sentence) };
}

/** It is being started again after failures. */
export function crashRetry({ startFailure }: VmFacts): Trouble | undefined {
  if (startFailure === undefined) return undefined;
  const { count } = startFailure;
  const sentence = `It has failed to start ${times(count)}${count === 1 ? '' : ' in a row'}, and is being started again.`;
  return { word: 'CrashLoop', fault: fault('CRASH_LOOP', sentence) };
}

export function isOver({ phase }: VmiFacts): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
