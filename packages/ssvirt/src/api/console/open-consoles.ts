/**
 * The open consoles of this process. Each is checked periodically: whether its session and its VM still exist, whether
 * it is in use, and whether its browser answers.
 */
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { WebSocket } from 'ws';
import { consolesThatStay, type TicketHolder } from '../../db/tenants/console-tickets.ts';
import type { Database } from '../../db/connection/database.ts';
import type { UserId } from '../../db/schema/schema.ts';
import { touchSession } from '../../db/tenants/sessions.ts';
import { ApiError } from '../errors.ts';
import { bridge } from './bridge.ts';
import { endings, type Ending } from './endings.ts';
import { consoleMetrics, type ConsoleMetrics } from './metrics.ts';
import type { ConsoleSettings } from './settings.ts';
import { mayOpen } from './tickets.ts';

export interface OpenConsolesOptions {
  readonly database: Pick<Database, 'db' | 'pool'>;
  readonly settings: ConsoleSettings;
  /** Typing in a console counts as use of its session. */
  readonly sessionIdleMs: number;
  readonly log: Logger;
  readonly registry: Registry;
}

/** `ConsoleSlot` is a place within the user's limit of open consoles. */
export interface ConsoleSlot {
  release(): void;
}

interface Open {
  readonly holder: TicketHolder;
  readonly socket: WebSocket;
  readonly since: number;
  /** By the monotonic clock. */
  usedAt: number;
  hasTyped: boolean;
  /** Pings since the browser last answered. */
  unanswered: number;
  bytes: { in: number; out: number };
  ending?: Ending;
}

/** Time for browsers to receive the reason when all consoles are closed. */
const farewellMs = 1000;

export class OpenConsoles {
  readonly metrics: ConsoleMetrics;
  readonly #options: OpenConsolesOptions;
  readonly #open = new Set<Open>();
  readonly #places = new Map<UserId, number>();
  readonly #closing = new AbortController();
  readonly #looks: NodeJS.Timeout;
  #looking: Promise<void> | undefined;

  constructor(options: OpenConsolesOptions) {
    this.#options = options;
    this.metrics = consoleMetrics(options.registry);
    this.#looks = setInterval(() => {
      // One check at a time, however long the database takes.
      this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    }, options.settings.lookMs);
    this.#looks.unref();
  }

  /** Aborted when the server stops. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Throws if the user has reached the limit. */
  reserve(user: UserId): ConsoleSlot {
    const { perUser } = this.#options.settings;
    const taken = this.#places.get(user) ?? 0;
    if (taken >= perUser)
      throw new ApiError(
        'QUOTA_EXCEEDED',
        `You have ${taken} consoles open; the limit is ${perUser}. Close one first.`,
      );
    this.#places.set(user, taken + 1);
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      const left = (this.#places.get(user) ?? 1) - 1;
      if (left === 0) this.#places.delete(user);
      else this.#places.set(user, left);
    };
    return { release };
  }

  add(holder: TicketHolder, socket: WebSocket, machine: Duplex, place: ConsoleSlot): void {
    const { log } = this.#options;
    const now = performance.now();
    const bytes = { in: 0, out: 0 };
    const one: Open = {
      holder,
      socket,
      since: now,
      usedAt: now,
      hasTyped: false,
      unanswered: 0,
      bytes,
    };
    this.#open.add(one);
    this.metrics.opened(holder.kind);
    log.info(fieldsOf(holder), 'console opened');
    socket.on('pong', () => (one.unanswered = 0));
    // 'close' follows and has the details.
    socket.on('error', () => undefined);
    socket.once('close', (code: number) => {
      this.#open.delete(one);
      place.release();
      this.metrics.closed(holder.kind);
      const seconds = Math.round((performance.now() - one.since) / 1000);
      log.info({ ...fieldsOf(holder), code: one.ending?.code ?? code, seconds, ...bytes }, 'console closed');
    });
    bridge({
      browser: socket,
      machine,
      moved: (direction, count) => this.#moved(one, direction, count),
      machineEnded: (error) => {
        if (error !== undefined) log.warn({ ...fieldsOf(holder), err: error }, 'console connection lost');
        this.#end(one, error === undefined ? endings.machineEnded : endings.lost);
      },
    });
  }

  /** Closes all consoles and accepts no further ones. */
  async close(clients: ReadonlySet<WebSocket>): Promise<void> {
    clearInterval(this.#looks);
    this.#closing.abort();
    for (const one of this.#open) this.#end(one, endings.serverStops);
    const left = [...clients].filter((socket) => socket.readyState !== socket.CLOSED);
    const closed = left.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
    const cut = setTimeout(() => left.forEach((socket) => socket.terminate()), farewellMs);
    await Promise.all(closed);
    clearTimeout(cut);
    await this.#looking;
  }

  #moved(one: Open, direction: 'in' | 'out', count: number): void {
    one.bytes[direction] += count;
    this.metrics.moved(direction, count);
    one.usedAt = performance.now();
    if (direction === 'in') one.hasTyped = true;
    // Data that waits to be sent delays our ping as well; progress in sending counts as a sign of life.
    if (direction === 'in' || one.socket.bufferedAmount > 0) one.unanswered = 0;
  }

  #end(one: Open, ending: Ending): void {
    one.ending ??= ending;
    one.socket.close(ending.code, ending.reason);
  }

  async #look(): Promise<void> {
    for (const one of this.#open) this.#lookAt(one);
    const open = [...this.#open].filter(({ ending }) => ending === undefined);
    if (open.length === 0) return;
    const { database, sessionIdleMs, log } = this.#options;
    try {
      const typed = new Set(open.filter(({ hasTyped }) => hasTyped).map(({ holder }) => holder.session_id));
      for (const one of open) one.hasTyped = false;
      for (const session of typed) await touchSession(database.db, session, sessionIdleMs);
      const staying = await consolesThatStay(
        database.pool,
        open.map(({ holder }) => holder),
      );
      open.forEach((one, at) => {
        if (!mayOpen(staying[at] ?? [])) this.#end(one, endings.notAllowed);
      });
    } catch (error) {
      // While the database is unavailable, no session can end either; the next check decides.
      log.warn({ err: error, consoles: open.length }, 'cannot check permissions of open consoles, retrying');
    }
  }

  #lookAt(one: Open): void {
    const { socket } = one;
    const { idleMs, unanswered } = this.#options.settings;
    if (performance.now() - one.usedAt > idleMs) return this.#end(one, endings.idle);
    // The answers of a paused socket are not read.
    if (socket.isPaused) one.unanswered = 0;
    if (one.unanswered >= unanswered) return socket.terminate();
    one.unanswered += 1;
    socket.ping();
  }
}

function fieldsOf({ kind, vm_id, username, organization_name }: TicketHolder): Readonly<Record<string, string>> {
  return { kind, vm: vm_id, user: username, organization: organization_name };
}
