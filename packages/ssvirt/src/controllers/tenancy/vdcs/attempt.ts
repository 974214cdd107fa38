/** One attempt on a VDC: what was observed, and how it reports progress to its tasks. */
import type { TaskId } from '../../../db/schema/schema.ts';
import type { VdcWork } from '../../../db/vdcs/vdc-work.ts';
import type { VdcAccess } from '../../../kubevirt/vdc/description.ts';
import type { VdcKind } from '../../../kubevirt/vdc/objects.ts';
import { idsOf, reportStep, type Context } from '../engine/context.ts';
import type { LiveObject } from '../engine/live-object.ts';
import type { VdcClient } from './vdc-client.ts';

/** What exists in the cluster, read before the desired state. */
export type Live = Partial<Readonly<Record<VdcKind, LiveObject>>>;

export interface Attempt extends Omit<Context, 'client'> {
  readonly client: VdcClient;
  readonly live: Live;
  readonly access: VdcAccess;
  readonly work: VdcWork;
}

export function taskIds({ work }: Attempt): readonly TaskId[] {
  return idsOf(work.tasks);
}

export function report(attempt: Attempt, step: string, progress: number): Promise<void> {
  return reportStep(attempt, attempt.work.tasks, step, progress);
}

/** Ours by its label, or by the recorded uid, whatever its labels are now. */
export function isOurs({ work: { vdc, applied } }: Attempt, { metadata, vdcId }: LiveObject): boolean {
  return vdcId === vdc.id || (metadata.uid !== undefined && metadata.uid === applied.namespaceUid);
}
