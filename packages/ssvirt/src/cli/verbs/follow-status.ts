/** Waits until a VM or vApp shows a status, by its events, and shows its progress. */
import { formatDuration } from '@ssvirt/base/config/duration';
import { changes } from '../api/changes.ts';
import type { ApiClient } from '../api/client.ts';
import type { Entity } from '../api/entities.ts';
import type { Condition, PoweredKind } from '../api/kind.ts';
import { readAgain } from '../api/read-again.ts';
import { Refusal } from '../api/refusal.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { ProgressLine } from '../output/progress.ts';

/** `running`, `off`, `deleted` or a status. */
export type AwaitedStatus = string;

const shorthands: Readonly<Record<string, readonly string[]>> = {
  // A vApp without VMs is RESOLVED: nothing in it has to be started or stopped.
  running: ['POWERED_ON', 'RESOLVED'],
  off: ['POWERED_OFF', 'RESOLVED'],
  deleted: ['DELETED'],
};

export interface FollowedStatus<T extends Entity> {
  readonly kind: PoweredKind<T>;
  readonly one: T;
  readonly awaited: AwaitedStatus;
  readonly timeoutMs: number;
}

/**
 * Resolves to the object when it shows the status, and to undefined when it is deleted as awaited. Throws if it has
 * failed, was deleted, or on timeout. A stale status proves nothing.
 */
export async function followStatus<T extends Entity>(
  client: ApiClient,
  { kind, one, awaited, timeoutMs }: FollowedStatus<T>,
  progress: ProgressLine = new ProgressLine(),
): Promise<T | undefined> {
  const name = kind.view.name(one);
  const wanted = new Set(shorthands[awaited] ?? [awaited]);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  let says = 'it was not read';
  try {
    for await (const _ of changes(client, questionOf(kind, one.id), stop.signal)) {
      const read = await readAgain(async () => ({ now: await present(client, kind, one.id) }), stop.signal);
      if (read === undefined) break;
      const condition: Condition = read.now === undefined ? gone : kind.condition(read.now);
      says = conditionText(condition);
      if (wanted.has(condition.status) && !condition.isStale) {
        progress.end(`${name}: ${says}`);
        return read.now;
      }
      if (condition.status === 'DELETED') throw new CliFailure(`${name} was deleted.`, exitCodes.notFound);
      if (condition.hasFailed && !condition.isStale && awaited !== 'deleted')
        throw new CliFailure(`${name}: ${says}`, exitCodes.taskFailed);
      progress.show(`${name}: ${says}`);
    }
    throw new CliFailure(
      `${name} is not ${awaited} after ${formatDuration(timeoutMs)}: ${says}. See "ssvirt ${kind.noun} get ${one.id}".`,
      exitCodes.timeout,
    );
  } finally {
    clearTimeout(timer);
    stop.abort();
    progress.end();
  }
}

const gone: Condition = { status: 'DELETED', isStale: false, hasFailed: false };

/** The events of the VMs of a vApp tell about its status, and those of its VDC whether the status is stale. */
function questionOf<T extends Entity>({ noun }: PoweredKind<T>, id: string): Parameters<typeof changes>[1] {
  return noun === 'vapp' ? { kinds: ['vapp', 'vm', 'vdc'], vapp: id } : { kinds: ['vm', 'vdc'], entity: id };
}

/** Undefined if it is gone. The API answers 403 for it, since it does not distinguish that from one of others. */
async function present<T extends Entity>(client: ApiClient, kind: PoweredKind<T>, id: string): Promise<T | undefined> {
  try {
    return await kind.get(client.api, id);
  } catch (error) {
    if (error instanceof Refusal && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

function conditionText({ status, isStale, why }: Condition): string {
  const shown = isStale ? `${status} (stale)` : status;
  return why === undefined ? shown : `${shown}: ${why.replace(/\.$/, '')}`;
}
