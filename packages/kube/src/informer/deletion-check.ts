/**
 * `DeletionCheck` guards against mass deletion. When a list lacks many known objects, the cause may be something else:
 * a proxy that points to another server, a server that lost data, a selector changed by mistake. Each missing object is
 * therefore requested by name before handlers learn that it is gone. An object that cannot be requested is kept and
 * checked again later: unreachable is not deleted.
 */
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';
import type { BackoffOptions } from '../backoff.ts';
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Client } from '../client/client.ts';
import { isNotFound } from '../errors.ts';
import { keyOf } from '../object.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import type { Projected } from './informer.ts';
import type { Selects } from './selects.ts';

export interface DeletionCheckOptions {
  readonly enabled: boolean;
  /** The check starts only when both `count` and `share` are exceeded. */
  readonly count: number;
  readonly share: number;
  /** Concurrent requests. */
  readonly concurrency: number;
  /** Deadline for all requests together; objects without an answer by then are kept. */
  readonly deadlineMs: number;
  /** Pauses before the kept objects are checked again. */
  readonly recheck: BackoffOptions;
}

export const deletionCheckDefaults: DeletionCheckOptions = {
  enabled: true,
  count: 20,
  share: 0.1,
  concurrency: 8,
  deadlineMs: 60_000,
  recheck: { initialMs: 30_000, factor: 2, maxMs: 600_000, jitter: 0.5 },
};

export interface DeletionCheckParts<P extends Projected> {
  readonly client: Client;
  readonly type: ResourceType<KubeObject>;
  readonly selects: Selects;
  readonly options: DeletionCheckOptions;
  readonly clock: Clock;
  readonly log: Logger | undefined;
  /** Called for each kept object that a later check finds gone. */
  readonly gone: (object: P) => void;
}

export class DeletionCheck<P extends Projected> {
  readonly #parts: DeletionCheckParts<P>;
  #suspects = new Map<string, P>();
  #rechecking = false;

  constructor(parts: DeletionCheckParts<P>) {
    this.#parts = parts;
  }

  /** Objects that a list lacked and that are kept nevertheless. */
  get suspects(): number {
    return this.#suspects.size;
  }

  /** Resolves to the keys of the objects to keep. */
  async confirm(missing: readonly P[], known: number, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { enabled, count, share } = this.#parts.options;
    this.#suspects = new Map();
    if (!enabled || missing.length <= count || missing.length <= known * share) return new Set();
    this.#parts.log?.warn({ missing: missing.length, known }, 'many objects missing from a list, checking each');
    const gone = new Set((await this.#ask(missing, signal)).map(({ metadata }) => keyOf(metadata)));
    for (const object of missing)
      if (!gone.has(keyOf(object.metadata))) this.#suspects.set(keyOf(object.metadata), object);
    if (this.#suspects.size > 0) void this.#recheck(signal);
    return new Set(this.#suspects.keys());
  }

  async #recheck(signal: AbortSignal): Promise<void> {
    if (this.#rechecking) return;
    this.#rechecking = true;
    const pauses = new Backoff(this.#parts.options.recheck);
    while (this.#suspects.size > 0 && !signal.aborted) {
      this.#parts.log?.warn({ objects: this.#suspects.size }, 'kept objects that a list left out');
      await sleep(this.#parts.clock, pauses.take(), signal);
      for (const object of await this.#ask([...this.#suspects.values()], signal)) {
        const key = keyOf(object.metadata);
        // A newer list may have replaced the suspects.
        if (this.#suspects.get(key) !== object) continue;
        this.#suspects.delete(key);
        this.#parts.gone(object);
      }
    }
    this.#rechecking = false;
  }

  /** Resolves to the objects that are certainly gone. Never rejects. */
  async #ask(objects: readonly P[], signal: AbortSignal): Promise<readonly P[]> {
    const { concurrency, deadlineMs } = this.#parts.options;
    const gone: P[] = [];
    const rest = objects[Symbol.iterator]();
    const until = new AbortController();
    const late = this.#parts.clock.after(deadlineMs, () => until.abort());
    const either = AbortSignal.any([signal, until.signal]);
    const worker = async (): Promise<void> => {
      for (const object of rest) {
        if (either.aborted) return;
        if (await this.#isGone(object, either)) gone.push(object);
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, objects.length) }, worker));
    late.cancel();
    return gone;
  }

  async #isGone({ metadata }: P, signal: AbortSignal): Promise<boolean> {
    const { client, type, selects } = this.#parts;
    const { name = '', namespace, uid } = metadata;
    try {
      const key = { name, ...(namespace !== undefined && { namespace }) };
      const found = await client.get(type, key, { metadataOnly: true, signal });
      // Another object has the name now, or the object left the selection. Where only the server can judge the
      // selection, its list is right.
      return found.metadata.uid !== uid || selects(found) !== true;
    } catch (error) {
      // Any other error proves nothing.
      return isNotFound(error);
    }
  }
}
