/** Wakes the work when somebody asks for something, out of the change log. A wake-up that is lost costs no more than the next look at the database. */
import type { Logger } from 'pino';
import { Backoff } from '../../kube/backoff.ts';
import { sleep, type Clock } from '../../kube/clock.ts';
import { ChangeFeed, type Change, type Position } from '../../db/changes.ts';
import type { Database } from '../../db/database.ts';
import { markDue } from '../../db/reconciliations.ts';
import { vdcsOfOrganizations } from '../../db/vdc-work.ts';

export interface RowFeedParts {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly wake: () => void;
}

/** Until the signal. */
export async function followRows({ database, log, clock, wake }: RowFeedParts, signal: AbortSignal): Promise<void> {
  const backoff = new Backoff({ initialMs: 500, factor: 2, maxMs: 15_000, jitter: 0.5 });
  let from: Position | undefined;
  while (!signal.aborted) {
    const feed = new ChangeFeed({
      database,
      // What was not taken is told again.
      ...(from === undefined ? {} : { from }),
      kinds: ['vdc', 'organization'],
      desiredOnly: true,
      onStart: () => {
        backoff.reset();
        wake();
      },
      onChanges: async (changes) => {
        await renamed(database, changes);
        wake();
      },
      onReset: wake,
    });
    try {
      await feed.run(signal);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'cannot follow what changes in the database; trying again');
    }
    from = feed.position;
    await sleep(clock, backoff.take(), signal);
  }
}

/** The name of an organisation stands in its namespaces. */
async function renamed({ db }: Database, changes: readonly Change[]): Promise<void> {
  const ids = changes
    .filter(({ kind, operation }) => kind === 'organization' && operation === 'updated')
    .map(({ entityId }) => entityId);
  if (ids.length > 0) await markDue(db, 'vdc', await vdcsOfOrganizations(db, ids));
}
