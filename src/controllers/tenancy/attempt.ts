/** One attempt on a virtual data center: what was seen of it, and how it tells those who wait. */
import type { TaskId } from '../../db/schema.ts';
import type { VdcWork } from '../../db/vdc-work.ts';
import type { VdcAccess } from '../../virt/vdc/description.ts';
import type { VdcKind } from '../../virt/vdc/objects.ts';
import { idsOf, reportStep, type Context } from './context.ts';
import type { LiveObject } from './live-object.ts';
import type { VdcHand } from './vdc-hand.ts';

/** What stands in the cluster, seen before the desired state was read. */
export type Live = Partial<Readonly<Record<VdcKind, LiveObject>>>;

export interface Attempt extends Omit<Context, 'hand'> {
  readonly hand: VdcHand;
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

/** Ours by its label, or because it is the one that we have made, whatever its labels say now. */
export function isOurs({ work: { vdc, applied } }: Attempt, { metadata, vdcId }: LiveObject): boolean {
  return vdcId === vdc.id || (metadata.uid !== undefined && metadata.uid === applied.namespaceUid);
}
