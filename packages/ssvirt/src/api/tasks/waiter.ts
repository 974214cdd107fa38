/** Waits for the end of tasks: one reader of the change log for all waiters, running only while there are waiters. */
import { setTimeout as sleep } from 'node:timers/promises';
import { aborted } from '@ssvirt/base/async/aborted';
import { Wakeup } from '@ssvirt/base/async/wakeup';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { ChangeFeed, type Change } from '../../db/change-log/changes.ts';
import type { Connections } from '../../db/connection/connections.ts';
import { isRetryable } from '../../db/connection/errors.ts';
import type { Tables, TaskId, TaskStatus } from '../../db/schema/schema.ts';
import type { Scope } from '../../db/schema/scope.ts';
import { getTask, isEnded, type ShownTask } from '../../db/tasks/tasks.ts';
import { found } from '../errors.ts';

export interface TaskWaiterOptions {
  readonly log?: Logger;
  /** How long the reader keeps running after the last wait, so that not every request opens a connection. */
  readonly idleMs?: number;
}

interface Reader {
  readonly end: AbortController;
  /** Resolves when the reader has a position: later ends are reported. */
  readonly started: Promise<void>;
  readonly over: Promise<void>;
}

/** The retry interval for reading the row while PostgreSQL is unavailable. */
const againMs = 250;

export class TaskWaiter {
  readonly #database: Pick<Connections, 'pool' | 'client'>;
  readonly #log: Logger | undefined;
  readonly #idleMs: number;
  readonly #closed = new AbortController();
  readonly #wakeups = new Map<string, Set<() => void>>();
  #reader: Reader | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(database: Pick<Connections, 'pool' | 'client'>, { log, idleMs = 30_000 }: TaskWaiterOptions = {}) {
    this.#database = database;
    this.#log = log;
    this.#idleMs = idleMs;
  }

  /**
   * Returns the task when it has ended or the time is up, whichever comes first; throws `noAccess` if it is not in
   * scope.
   */
  async wait(
    db: Kysely<Tables>,
    scope: Scope,
    taskId: TaskId,
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<ShownTask> {
    let last = found(await getTask(db, scope, taskId));
    if (isEnded(last.status) || milliseconds <= 0 || this.#closed.signal.aborted) return last;
    const over = AbortSignal.any([
      AbortSignal.timeout(milliseconds),
      this.#closed.signal,
      ...(signal === undefined ? [] : [signal]),
    ]);
    const wakeup = new Wakeup();
    this.#add(taskId, wakeup.ring);
    try {
      // The row is read only after the reader has a position: an end is then either in the row or reported later.
      await unless(over, this.#start().started);
      for (;;) {
        const isLast = over.aborted;
        const now = await readAgain(db, scope, taskId);
        last = now === 'unavailable' ? last : found(now);
        if (isEnded(last.status) || isLast) return last;
        await (now === 'unavailable'
          ? pause(againMs, over)
          : wakeup.rest((rung) => aborted(AbortSignal.any([over, rung]))));
      }
    } finally {
      this.#remove(taskId, wakeup.ring);
    }
  }

  /** All waiters get the current state. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#stop();
  }

  #add(taskId: TaskId, ring: () => void): void {
    clearTimeout(this.#idle);
    const rings = this.#wakeups.get(taskId) ?? new Set();
    this.#wakeups.set(taskId, rings.add(ring));
  }

  #remove(taskId: TaskId, ring: () => void): void {
    const rings = this.#wakeups.get(taskId);
    rings?.delete(ring);
    if (rings?.size === 0) this.#wakeups.delete(taskId);
    if (this.#wakeups.size > 0 || this.#reader === undefined) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#stop(), this.#idleMs);
    this.#idle.unref();
  }

  #start(): Reader {
    if (this.#reader !== undefined) return this.#reader;
    const end = new AbortController();
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    const feed = new ChangeFeed({
      database: this.#database,
      kinds: ['task'],
      desiredOnly: true,
      onStart: () => onStart(),
      onChanges: (changes) => this.#tell(changes),
      onReset: () => this.#tellAll(),
    });
    const over = feed.run(end.signal).catch((error: unknown) => {
      // Current waiters get the row when the time is up; the next one starts another reader.
      this.#log?.error({ err: error }, 'change feed of task waits failed, waiting requests are answered late');
      if (this.#reader?.end === end) this.#reader = undefined;
    });
    this.#reader = { end, started, over };
    return this.#reader;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.end.abort();
    await reader?.over;
  }

  #tell(changes: readonly Change[]): void {
    for (const { entityId, operation, data } of changes) {
      if (operation !== 'deleted' && !isEnded(data['status'] as TaskStatus)) continue;
      for (const ring of this.#wakeups.get(entityId) ?? []) ring();
    }
  }

  #tellAll(): void {
    for (const rings of this.#wakeups.values()) for (const ring of rings) ring();
  }
}

async function readAgain(
  db: Kysely<Tables>,
  scope: Scope,
  taskId: TaskId,
): Promise<ShownTask | 'unavailable' | undefined> {
  try {
    return await getTask(db, scope, taskId);
  } catch (error) {
    if (!isRetryable(error)) throw error;
    return 'unavailable'; // the wait was accepted, and has a deadline
  }
}

/** Resolves with `awaited`, or on the signal. */
async function unless(over: AbortSignal, awaited: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const giveUp = (): void => resolve();
  over.addEventListener('abort', giveUp, { once: true });
  if (over.aborted) giveUp();
  try {
    await Promise.race([awaited, promise]);
  } finally {
    over.removeEventListener('abort', giveUp);
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined); // aborted: the caller checks
}
