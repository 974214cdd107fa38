/**
 * Change wakeups: wakes work when the change log has a request for it. A lost wakeup costs no more than the next poll
 * of the database.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import { ChangeFeed, type Change, type ChangeFeedOptions, type Position } from '../../../db/change-log/changes.ts';
import type { Database } from '../../../db/connection/database.ts';
import { markDue, markSeen, reconciledKinds, type ReconciledKind } from '../../../db/work-queue/reconciliations.ts';
import { vdcsOfOrganizations } from '../../../db/vdcs/vdc-work.ts';

export interface ChangeWakeupParts {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  /** Work of that kind; the default is any kind. */
  readonly wake: (kind?: ReconciledKind) => void;
}

/** `wakeOnRequests` follows requests until the signal is aborted. */
export function wakeOnRequests(parts: ChangeWakeupParts, signal: AbortSignal): Promise<void> {
  const { database, wake } = parts;
  const options = {
    kinds: ['vdc', 'organization', 'vapp', 'vm', 'task'],
    desiredOnly: true,
    onChanges: async (changes: readonly Change[]) => {
      await renamed(database, changes);
      for (const kind of reconciledKinds) if (changes.some((change) => concerns(change, kind))) wake(kind);
    },
    onReset: () => wake(),
  };
  return follow(parts, options, signal);
}

/**
 * Follows the vm-controller's observations of VMs and TemplateInstances, and wakes the work that waits for one. All
 * replicas read them. So observations within a short time are marked together, by one statement that costs little if no
 * work waits.
 */
export function wakeOnVms(parts: ChangeWakeupParts, gatherMs: number, signal: AbortSignal): Promise<void> {
  const { database, clock, wake } = parts;
  const options = {
    kinds: ['vm', 'vapp'],
    limit: 5_000,
    onChanges: async (changes: readonly Change[]) => {
      const seen = changes.filter(({ operation }) => operation === 'observed');
      if (seen.length === 0) return;
      for (const kind of ['vapp', 'vm'] as const) {
        const ids = seen.filter((change) => change.kind === kind).map(({ entityId }) => entityId);
        if ((await markSeen(database.db, kind, [...new Set(ids)])) > 0) wake(kind);
      }
      await sleep(clock, gatherMs, signal);
    },
    onReset: () => undefined,
  };
  return follow(parts, options, signal);
}

type Following = Pick<ChangeFeedOptions, 'kinds' | 'desiredOnly' | 'limit' | 'onChanges' | 'onReset'>;

async function follow(
  { database, log, clock, wake }: ChangeWakeupParts,
  options: Following,
  signal: AbortSignal,
): Promise<void> {
  const backoff = new Backoff({ initialMs: 500, factor: 2, maxMs: 15_000, jitter: 0.5 });
  let from: Position | undefined;
  while (!signal.aborted) {
    const feed = new ChangeFeed({
      database,
      ...options,
      // Continues at the last position that was handled.
      ...defined({ from }),
      onStart: () => {
        backoff.reset();
        wake();
      },
    });
    try {
      await feed.run(signal);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'change feed from the database failed, retrying');
    }
    from = feed.position;
    await sleep(clock, backoff.take(), signal);
  }
}

/** Each request creates a task. Progress of a task is also in the change log, and is ignored. */
function concerns({ kind, operation, data }: Change, wanted: ReconciledKind): boolean {
  if (kind === 'task') return operation === 'created' && data['ownerKind'] === wanted;
  return kind === wanted || (kind === 'organization' && wanted === 'vdc');
}

/** The name of an organization is in the labels and annotations of its namespaces, so a change marks its VDCs due. */
async function renamed({ db }: Database, changes: readonly Change[]): Promise<void> {
  const ids = changes
    .filter(({ kind, operation }) => kind === 'organization' && operation === 'updated')
    .map(({ entityId }) => entityId);
  if (ids.length > 0) await markDue(db, 'vdc', await vdcsOfOrganizations(db, ids));
}
