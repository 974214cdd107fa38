/** Derives the phase of a DataVolume from its PVC and from the annotations about the pod that fills it. */
import { valueAt } from '../../objects/kinds/values/fields.ts';
import type { PersistentVolumeClaim } from '../kubevirt/objects.ts';
import { SELECTED_NODE } from '../node/pod-claims.ts';
import * as name from './names.ts';
import type { Origin } from './origin.ts';

export interface PhaseFacts {
  readonly before: string;
  readonly dataVolume: string;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly origin: Origin;
  /** The class waits for a first consumer. */
  readonly waits: boolean;
}

const clonePhases: Readonly<Record<string, string>> = {
  '': 'CloneScheduled',
  Pending: 'CloneScheduled',
  HostClone: 'CloneInProgress',
  CSIClone: 'CSICloneInProgress',
  Snapshot: 'SnapshotForSmartCloneInProgress',
  SnapshotClone: 'CloneFromSnapshotSourceInProgress',
  PrepClaim: 'PrepClaimInProgress',
  Rebind: 'RebindInProgress',
};

/** No consumer exists yet, so no node is selected, and immediate binding is not requested. */
export function awaitsConsumer(claim: PersistentVolumeClaim, waits: boolean): boolean {
  const { annotations = {} } = claim.metadata;
  return waits && annotations[SELECTED_NODE] === undefined && annotations[name.BIND_IMMEDIATELY] === undefined;
}

export function usesPopulator({ metadata }: PersistentVolumeClaim): boolean {
  return metadata.annotations?.[name.USE_POPULATOR] === 'true';
}

/** True while the prime is full and its volume is being rebound to the target PVC. */
export function changesHands(claim: PersistentVolumeClaim): boolean {
  const { annotations = {} } = claim.metadata;
  return usesPopulator(claim) && annotations[name.POD_PHASE] === 'Succeeded' && claim.status?.phase === 'Pending';
}

export function phaseOf(facts: PhaseFacts): string {
  const { before, claim, origin, dataVolume } = facts;
  if (claim === undefined) return before === '' ? 'Pending' : before;
  const phase = claim.status?.phase;
  if (phase === 'Lost') return 'Failed';
  const { annotations = {} } = claim.metadata;
  if (phase === 'Bound') {
    if (annotations[name.POPULATED_FOR] === dataVolume || annotations[name.POD_PHASE] === 'Succeeded')
      return 'Succeeded';
    if (origin.kind === 'external') return 'Succeeded';
    if (usesPopulator(claim)) return before;
    return annotations[name.POD_PHASE] === undefined ? 'PVCBound' : transferPhase(claim, origin);
  }
  if (origin.kind === 'external') return awaitsConsumer(claim, facts.waits) ? 'PendingPopulation' : 'Pending';
  if (!usesPopulator(claim)) return facts.waits ? 'WaitForFirstConsumer' : 'Pending';
  return awaitsConsumer(claim, facts.waits) ? 'PendingPopulation' : transferPhase(claim, origin);
}

/** The phase while the PVC is filled. Success is reported only when the PVC is bound, too. */
function transferPhase({ metadata: { annotations = {} } }: PersistentVolumeClaim, origin: Origin): string {
  const running = ['Running', 'Succeeded'].includes(annotations[name.POD_PHASE] ?? '');
  if (origin.kind === 'clone') {
    const phase = annotations[name.CLONE_PHASE];
    if (phase !== undefined) return valueAt(clonePhases, phase) ?? 'CloneScheduled';
    return running ? 'CloneInProgress' : 'CloneScheduled';
  }
  if (origin.kind === 'upload') return running ? 'UploadReady' : 'UploadScheduled';
  return running ? 'ImportInProgress' : 'ImportScheduled';
}
