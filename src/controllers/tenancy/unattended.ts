/** Work that waits for a cluster which nobody has reached yet: it is said what it waits for. */
import type { Kysely } from 'kysely';
import { explainOverdue, overdueClusters } from '../../db/reconciliation-backlog.ts';
import type { Tables } from '../../db/schema.ts';
import type { Fleet } from '../../fleet/fleet.ts';

export interface UnattendedOptions {
  readonly fleet: Pick<Fleet, 'stateOf'>;
  readonly reached: readonly string[];
  readonly overdueMs: number;
}

export async function explainUnattended(db: Kysely<Tables>, options: UnattendedOptions): Promise<void> {
  const { fleet, reached, overdueMs: sinceMs } = options;
  for (const cluster of await overdueClusters(db, { kind: 'vdc', except: reached, sinceMs })) {
    const state = fleet.stateOf(cluster);
    const why =
      state === undefined
        ? 'no KubevirtConfig of that name is there'
        : state.message === ''
          ? 'it has not been reached yet'
          : state.message;
    await explainOverdue(db, { kind: 'vdc', cluster, sinceMs, message: `waits for cluster "${cluster}": ${why}` });
  }
}
