/** Reports on work that waits for a cluster that was never reached: what it waits for. */
import type { Kysely } from 'kysely';
import { explainOverdue, overdueClusters } from '../../../db/work-queue/reconciliation-backlog.ts';
import { reconciledKinds } from '../../../db/work-queue/reconciliations.ts';
import type { Tables } from '../../../db/schema/schema.ts';
import type { Fleet } from '../../../fleet/fleet.ts';

export interface WaitingWorkOptions {
  readonly fleet: Pick<Fleet, 'stateOf'>;
  readonly reached: readonly string[];
  readonly overdueMs: number;
}

export async function explainWaitingWork(db: Kysely<Tables>, options: WaitingWorkOptions): Promise<void> {
  const { fleet, reached, overdueMs: sinceMs } = options;
  for (const kind of reconciledKinds)
    for (const cluster of await overdueClusters(db, { kind, except: reached, sinceMs })) {
      const message = `waits for cluster "${cluster}": ${whyAway(fleet, cluster)}`;
      await explainOverdue(db, { kind, cluster, sinceMs, message });
    }
}

function whyAway(fleet: Pick<Fleet, 'stateOf'>, cluster: string): string {
  const state = fleet.stateOf(cluster);
  if (state === undefined) return 'no KubevirtConfig of that name exists';
  return state.message === '' ? 'it has not been reached yet' : state.message;
}
