/** One attempt on a virtual data center: what it works with, and how it tells those who wait. */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { reportTasks } from '../../db/claimed-tasks.ts';
import type { Claim } from '../../db/reconciliations.ts';
import type { Tables, TaskId } from '../../db/schema.ts';
import type { VdcWork } from '../../db/vdc-work.ts';
import type { VdcKind } from '../../virt/vdc/objects.ts';
import type { ClusterHand } from './cluster-hand.ts';
import type { LiveObject } from './live-object.ts';
import type { TenancySettings } from './settings.ts';

/** What stands in the cluster, seen before the desired state was read. */
export type Live = Partial<Readonly<Record<VdcKind, LiveObject>>>;

export interface Attempt {
  readonly db: Kysely<Tables>;
  readonly claim: Claim;
  readonly hand: ClusterHand;
  readonly live: Live;
  readonly work: VdcWork;
  readonly settings: TenancySettings;
  readonly log: Logger;
}

/** For the metric. */
export type Result = 'unchanged' | 'applied' | 'waiting' | 'removed' | 'kept' | 'gone';

export function taskIds({ work }: Attempt): readonly TaskId[] {
  return work.tasks.map(({ id }) => id);
}

/** Written only where somebody waits who does not know it yet. */
export async function report(attempt: Attempt, step: string, progress: number): Promise<void> {
  const { db, claim, work } = attempt;
  const uninformed = work.tasks.filter((task) => task.status !== 'running' || task.step !== step);
  await reportTasks(
    db,
    claim,
    uninformed.map(({ id }) => id),
    { step, progress },
  );
}

/** Ours by its label, or because it is the one that we have made, whatever its labels say now. */
export function isOurs({ work: { vdc, applied } }: Attempt, { metadata, vdcId }: LiveObject): boolean {
  return vdcId === vdc.id || (metadata.uid !== undefined && metadata.uid === applied.namespaceUid);
}
