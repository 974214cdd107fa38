/**
 * What is wrong for the time being, and how long that may be so before it counts as a failure: KubeVirt tries everything again, and much of it is
 * normal for seconds at a first start.
 */
import type { DataVolumeFacts } from '../facts/data-volume.ts';
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';
import { because, fault, quoted, type Fault } from './faults.ts';
import { missingDisk, unplaced } from './placement.ts';
import { isAboutDisks, refusal } from './refusal.ts';
import type { Want } from './want.ts';

/** Stable words: whoever calls measures by them for how long a trouble has lasted. */
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
  /** Undefined: it is no failure, however long it lasts (but it goes on, for the clock). */
  readonly patienceMs?: number;
  readonly fault?: Fault;
}

const SECOND = 1000;
const DISK_ERROR_MS = 30 * SECOND;
const REFUSAL_MS = 60 * SECOND;
const UNSCHEDULABLE_MS = 300 * SECOND;

export function diskError(dataVolumes: readonly DataVolumeFacts[]): Trouble {
  const failed = dataVolumes.find(({ phase }) => phase === 'Failed');
  const bad = failed ?? dataVolumes.find(({ stuck }) => stuck !== undefined);
  const why = because(bad?.stuck?.message ?? bad?.refused?.message);
  const sentence =
    bad === undefined ? 'One of its disks could not be filled.' : `Its disk "${bad.name}" could not be filled${why}.`;
  return {
    word: 'DataVolumeError',
    patienceMs: failed === undefined ? DISK_ERROR_MS : 0,
    fault: fault('IMPORT_FAILED', sentence),
  };
}

/** The import has failed before and is tried again: no failure now, but the next error counts from the first one on. */
export function diskRetry(dataVolumes: readonly DataVolumeFacts[]): Trouble | undefined {
  const again = dataVolumes.find(({ restarts, phase }) => restarts !== undefined && phase !== 'Succeeded');
  if (again === undefined) return undefined;
  const { name, restarts = 0 } = again;
  const sentence = `Its disk "${name}" has failed to fill ${times(restarts)}; it is being tried again.`;
  return { word: 'DataVolumeError', fault: fault('IMPORT_FAILED', sentence) };
}

export function diskRefused(dataVolumes: readonly DataVolumeFacts[]): Trouble | undefined {
  const bad = dataVolumes.find(({ refused, phase }) => refused !== undefined && phase !== 'Succeeded');
  if (bad?.refused === undefined) return undefined;
  const known = refusal(bad.refused);
  const sentence = `The storage for its disk "${bad.name}" cannot be provided${because(bad.refused.message)}.`;
  return {
    word: 'DataVolumeRefused',
    patienceMs: REFUSAL_MS,
    fault: known.reason === 'REFUSED' ? fault('DISK_REFUSED', sentence) : known,
  };
}

export function pvcNotFound(vmi: VmiFacts | undefined, dataVolumes: readonly DataVolumeFacts[]): Trouble {
  const missing = missingDisk(vmi?.notSynchronized ?? {}, dataVolumes);
  return { word: 'PvcNotFound', patienceMs: REFUSAL_MS, fault: missing };
}

export function imagePull(vmi: VmiFacts | undefined, backsOff: boolean): Trouble {
  const message = vmi?.notSynchronized?.message ?? '';
  const [, image] = /image "([^"]+)"/.exec(message) ?? [];
  const called = image === undefined ? 'One of its images' : `Its image "${quoted(image)}"`;
  const sentence = `${called} cannot be downloaded: check that it exists and may be read.`;
  return { word: 'ImagePull', patienceMs: backsOff ? 0 : REFUSAL_MS, fault: fault('IMAGE_UNAVAILABLE', sentence) };
}

/** Where a disk is being filled, the pod waits for that, which takes as long as it takes; the time does not count after it either. */
export function unschedulable(vmi: VmiFacts | undefined, dataVolumes: readonly DataVolumeFacts[]): Trouble | undefined {
  if (dataVolumes.some(isFilling)) return undefined;
  return {
    word: 'Unschedulable',
    patienceMs: UNSCHEDULABLE_MS,
    fault: unplaced(vmi?.unschedulable ?? {}, dataVolumes),
  };
}

/** Phases before which nothing is written to the disk, or after which nothing is any more. */
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

function isFilling({ phase = '', stuck, refused }: DataVolumeFacts): boolean {
  return !idlePhases.has(phase) && stuck === undefined && refused === undefined;
}

/** Something that the machine needs cannot be made: its disks, which count always, or its instance, which counts where it is to run. */
export function refusedStart(
  vm: VmFacts,
  vmi: VmiFacts | undefined,
  dataVolumes: readonly DataVolumeFacts[],
  wanted: Want,
): Trouble | undefined {
  const { failure } = vm;
  if (failure !== undefined && (wanted === 'on' || isAboutDisks(failure)))
    return { word: 'Failure', patienceMs: REFUSAL_MS, fault: refusal(failure) };
  return wanted === 'on' && vmi !== undefined && !isOver(vmi) ? refusedPod(vmi, dataVolumes) : undefined;
}

/** The launcher pod's quota, its security rules: nothing of that stands on the VM. A missing claim or image will, in a moment. */
function refusedPod(vmi: VmiFacts, dataVolumes: readonly DataVolumeFacts[]): Trouble | undefined {
  const { notSynchronized } = vmi;
  switch (notSynchronized?.reason) {
    case 'FailedPvcNotFound':
      return pvcNotFound(vmi, dataVolumes);
    case 'ErrImagePull':
    case 'ImagePullBackOff':
      return imagePull(vmi, false);
    default:
      if (notSynchronized === undefined) return undefined;
      return { word: 'NotSynchronized', patienceMs: REFUSAL_MS, fault: refusal(notSynchronized) };
  }
}

/** KubeVirt itself says nothing at all then. */
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
