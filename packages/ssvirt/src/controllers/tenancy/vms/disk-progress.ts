/** The progress of a disk's storage, and what blocks it, as reported by the cluster. */
import type { Selection } from '@ssvirt/kube/client/client';
import { isKind } from '@ssvirt/kube/errors';
import type { ObjectKey } from '@ssvirt/kube/object';
import { claimEventFacts, claimEventReason, type ClaimEventFacts } from '../../../kubevirt/facts/claim-event.ts';
import { dataVolumeFacts, withClaimEvent } from '../../../kubevirt/facts/data-volume.ts';
import { known } from '../../../kubevirt/facts/reading.ts';
import { dataVolumeName } from '../../../kubevirt/tenant-vm/names.ts';
import { diskTrouble, type DiskTrouble } from '../../../kubevirt/status/disk-fault.ts';
import type { VmAttempt } from './attempt.ts';
import { dataVolumes } from '../../../fleet/kinds.ts';
import { eventType as events } from '@ssvirt/kube/events/event';

export interface DiskProgress {
  readonly phase?: string;
  readonly isReady: boolean;
  readonly waitsForStart: boolean;
  readonly trouble?: DiskTrouble;
}

const consumerPhases = new Set(['WaitForFirstConsumer', 'PendingPopulation']);

export async function diskProgress(attempt: VmAttempt, disk: string): Promise<DiskProgress> {
  const { client, identity } = attempt;
  const key = { namespace: identity.namespace, name: dataVolumeName(identity.vmName, disk) };
  const found = await client.get(dataVolumes, key);
  // Older versions of CDI delete a DataVolume when it is filled.
  if (found === undefined) return { isReady: true, waitsForStart: false };
  const facts = dataVolumeFacts(found);
  const { phase } = facts;
  if (phase === 'Succeeded') return { phase, isReady: true, waitsForStart: false };
  const trouble = diskTrouble({ ...withClaimEvent(facts, await claimEvent(attempt, key)), disk });
  return known<DiskProgress>({
    phase,
    isReady: false,
    waitsForStart: trouble === undefined && consumerPhases.has(phase ?? ''),
    trouble,
  });
}

const mostEvents = 50;

/**
 * The newest Event that says why the claim gets no volume. If Events may not be read, the DataVolume alone explains the
 * delay.
 */
async function claimEvent({ client }: VmAttempt, { namespace, name }: ObjectKey): Promise<ClaimEventFacts | undefined> {
  const fieldSelector = `involvedObject.kind=PersistentVolumeClaim,involvedObject.name=${name},reason=${claimEventReason}`;
  try {
    const found = await client.some(events, known<Selection>({ namespace, fieldSelector }), mostEvents);
    const all = found.map(claimEventFacts).filter((one) => one !== undefined);
    return all.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
  } catch (error) {
    if (isKind(error, 'Forbidden')) return undefined;
    throw error;
  }
}
