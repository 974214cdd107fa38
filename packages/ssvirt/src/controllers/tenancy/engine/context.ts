/** What an attempt works with, for any kind, and how it reports to its tasks. */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { reportTasks, type OpenTask } from '../../../db/work-queue/claimed-tasks.ts';
import type { Claim } from '../../../db/work-queue/reconciliations.ts';
import type { Tables, TaskId } from '../../../db/schema/schema.ts';
import type { LeasedClient } from './leased-client.ts';
import type { TenancySettings } from './settings.ts';

export interface WorkParts {
  readonly db: Kysely<Tables>;
  readonly cluster: Cluster;
  readonly settings: TenancySettings;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Context extends WorkParts {
  readonly claim: Claim;
  readonly client: LeasedClient;
}

/** `Result` is the result of an attempt, for the metric. */
export type Result = 'unchanged' | 'applied' | 'done' | 'waiting' | 'removed' | 'kept' | 'gone';
export type Outcome = Result | 'unreachable' | 'refused' | 'raced' | 'lost';

export function idsOf(tasks: readonly OpenTask[]): readonly TaskId[] {
  return tasks.map(({ id }) => id);
}

/** `reportStep` writes a step only to the tasks that do not have it yet. */
export async function reportStep(
  { db, claim }: Pick<Context, 'db' | 'claim'>,
  tasks: readonly OpenTask[],
  step: string,
  progress: number,
): Promise<void> {
  const uninformed = tasks.filter((task) => task.status !== 'running' || task.step !== step);
  await reportTasks(db, claim, idsOf(uninformed), { step, progress });
}
