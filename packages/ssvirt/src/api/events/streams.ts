/** The open event streams: limits their number, and ends them with their sessions. */
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { SessionId, UserId } from '../../db/schema/schema.ts';
import { liveAmong } from '../../db/tenants/sessions.ts';
import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';

export interface StreamLimits {
  readonly ofUser: number;
  readonly ofAll: number;
  /** How often the sessions are checked. */
  readonly checkMs: number;
}

export const defaultStreamLimits: StreamLimits = { ofUser: 100, ofAll: 5_000, checkMs: 10_000 };

interface Open {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly roles: string;
  readonly end: AbortController;
}

export interface StreamParts {
  readonly pool: Pool;
  readonly log: Logger;
  readonly registry: Registry;
  readonly limits?: Partial<StreamLimits> | undefined;
}

export class Streams {
  readonly #parts: StreamParts;
  readonly #limits: StreamLimits;
  readonly #open = new Set<Open>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#limits = { ...defaultStreamLimits, ...parts.limits };
    const open = this.#open;
    parts.registry.registerMetric(
      new Gauge({
        name: 'ssvirt_api_event_streams',
        help: 'Open event streams.',
        registers: [],
        collect() {
          this.set(open.size);
        },
      }),
    );
  }

  /**
   * `end` is aborted when the session has ended or the roles of its user have changed. The caller must call `close`.
   * Throws if there are too many streams.
   */
  open({ sessionId, userId, roles }: Caller): { readonly end: AbortSignal; readonly close: () => void } {
    const { ofUser, ofAll } = this.#limits;
    const own = [...this.#open].filter((one) => one.userId === userId).length;
    if (own >= ofUser)
      throw new ApiError('TOO_MANY_REQUESTS', `You already have ${own} open event streams; close some first.`, {
        retryAfter: 10,
      });
    if (this.#open.size >= ofAll)
      throw new ApiError('SERVICE_UNAVAILABLE', 'The server has too many open event streams; try again later.', {
        retryAfter: 30,
      });
    const one: Open = { sessionId, userId, roles: wordOf(roles), end: new AbortController() };
    this.#open.add(one);
    this.#timer ??= setTimeout(() => void this.#check(), this.#limits.checkMs).unref();
    return { end: one.end.signal, close: () => this.#open.delete(one) };
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const { end } of this.#open) end.abort();
  }

  async #check(): Promise<void> {
    const { pool, log } = this.#parts;
    const looked = [...this.#open];
    try {
      const live = await liveAmong(pool, [...new Set(looked.map(({ sessionId }) => sessionId))]);
      for (const { sessionId, roles, end } of looked) if (wordOf(live.get(sessionId) ?? []) !== roles) end.abort();
    } catch (error) {
      // They get no events while the database is unavailable.
      log.debug({ err: error }, 'cannot check ended sessions, retrying');
    }
    this.#timer =
      this.#open.size === 0 ? undefined : setTimeout(() => void this.#check(), this.#limits.checkMs).unref();
  }
}

function wordOf(roles: readonly string[]): string {
  return roles.toSorted().join();
}
