/**
 * `EventRecorder` reports what a controller does, as events on the objects. Recording never throws and never waits:
 * events go through a bounded queue, and those that do not fit are dropped and counted. Reasons and messages are
 * published as they are; callers keep secrets out of them.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import type { Client } from '../client/client.ts';
import { sleep, systemClock, type Clock } from '../clock.ts';
import { KubeError } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { KubeObject } from '../object.ts';
import { Correlator, defaultCorrelation, type CorrelatorOptions } from './correlator.ts';
import { eventOf, referenceTo, type CoreEvent, type EventSource, type EventType } from './event.ts';
import { writeEvent } from './sink.ts';

export interface EventRecorder {
  /** The object must have apiVersion and kind; see `regarding` for objects that lack them. */
  event(object: KubeObject, type: EventType, reason: string, message: string): void;
  /** Resolves when everything recorded so far has been written or dropped. */
  flushed(): Promise<void>;
  /** Accepts no more events, tries each queued one once, and ends at the deadline. */
  stop(deadlineMs?: number): Promise<void>;
}

export interface RecorderOptions {
  readonly client: Client;
  /** The reporting component, in the column `From` of kubectl describe. */
  readonly component: string;
  readonly host?: string;
  readonly metrics?: Metrics;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly correlation?: Partial<CorrelatorOptions>;
  /** How many events may wait. The default is 1,000. */
  readonly queueLength?: number;
  /**
   * How often an event is tried while the server is unreachable, and the pause in between. The defaults are 12 tries
   * and 10 s.
   */
  readonly tries?: number;
  readonly retryMs?: number;
}

export function createRecorder(options: RecorderOptions): EventRecorder {
  return new Recorder(options);
}

const tellAgainMs = 60_000;

type Fate = 'sent' | 'aggregated' | 'dropped' | 'refused';

class Recorder implements EventRecorder {
  readonly #options: RecorderOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #source: EventSource;
  readonly #correlator: Correlator;
  readonly #queue: CoreEvent[] = [];
  /** Ends the pauses between tries. */
  readonly #stopping = new AbortController();
  /** Ends the requests too. */
  readonly #deadline = new AbortController();
  #work: Promise<void> | undefined;
  #nanoseconds = 0n;
  /** When dropped events were last logged, and how many have been dropped since. */
  #loggedAt: number | undefined;
  #untold = 0;

  constructor(options: RecorderOptions) {
    const { component, host, clock = systemClock, random = Math.random, correlation } = options;
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#source = { component, ...defined({ host }) };
    this.#correlator = new Correlator({ ...defaultCorrelation, ...correlation }, clock);
  }

  event(object: KubeObject, type: EventType, reason: string, message: string): void {
    const reference = referenceTo(object);
    if (reference === undefined) {
      this.#count('dropped');
      this.#options.log?.warn(
        { reason, object: object.metadata.name },
        'event dropped, its object has no kind or name',
      );
      return;
    }
    if (this.#stopping.signal.aborted || this.#queue.length >= (this.#options.queueLength ?? 1000)) {
      this.#count('dropped');
      this.#tellDropped(reason, reference.name);
      return;
    }
    const circumstances = { source: this.#source, date: this.#clock.date(), nanoseconds: this.#nextNanoseconds() };
    this.#queue.push(eventOf(reference, { type, reason, message }, circumstances));
    this.#work ??= this.#drain();
  }

  /** Rate-limited: when a thousand objects change at once, a line for each would say no more than the first. */
  #tellDropped(reason: string, object: string): void {
    const now = this.#clock.now();
    this.#untold++;
    if (this.#loggedAt !== undefined && now - this.#loggedAt < tellAgainMs) return;
    const fields = { reason, object, dropped: this.#untold };
    this.#options.log?.warn(fields, 'event dropped, queue full or recorder stopped');
    this.#loggedAt = now;
    this.#untold = 0;
  }

  async flushed(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  async stop(deadlineMs = 5000): Promise<void> {
    this.#stopping.abort();
    const timer = this.#clock.after(deadlineMs, () => this.#deadline.abort());
    await this.flushed();
    timer.cancel();
  }

  async #drain(): Promise<void> {
    // One microtask later, so that the caller does not wait while the first request is built.
    await Promise.resolve();
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) await this.#record(event);
    this.#work = undefined;
  }

  async #record(event: CoreEvent): Promise<void> {
    const correlation = this.#deadline.signal.aborted
      ? ({ action: 'drop' } as const)
      : this.#correlator.correlate(event);
    if (correlation.action === 'drop') return this.#count('dropped');
    const fate = await this.#write(correlation.event);
    return this.#count(fate === 'sent' && correlation.combined ? 'aggregated' : fate);
  }

  /** Blocks the events behind it: they would not get through either. */
  async #write(event: CoreEvent): Promise<Fate> {
    const { client, log, tries = 12, retryMs = 10_000 } = this.#options;
    for (let tried = 1; ; tried++) {
      const { outcome, error } = await writeEvent(client, event, this.#deadline.signal);
      if (outcome === 'sent') return outcome;
      const fields = { reason: event.reason, object: event.involvedObject.name, tried, error };
      if (outcome === 'refused') {
        // Events in a terminating namespace cannot be read anyway.
        const level = isOfTheGone(error) ? 'debug' : 'warn';
        log?.[level](fields, 'the server refuses an event');
        return outcome;
      }
      if (tried >= tries || this.#stopping.signal.aborted) {
        log?.warn(fields, 'event dropped, server unreachable');
        return 'dropped';
      }
      // The first pause is random, so that clients of a restarted server do not return all at once.
      await sleep(this.#clock, tried === 1 ? retryMs * this.#random() : retryMs, this.#stopping.signal);
    }
  }

  #count(fate: Fate): void {
    this.#options.metrics?.events.total.inc({ result: fate });
  }

  /** Strictly increasing, and random below the millisecond, so that two processes do not choose the same name. */
  #nextNanoseconds(): bigint {
    const now = BigInt(this.#clock.date().getTime()) * 1_000_000n + BigInt(Math.floor(this.#random() * 1_000_000));
    this.#nanoseconds = now > this.#nanoseconds ? now : this.#nanoseconds + 1n;
    return this.#nanoseconds;
  }
}

function isOfTheGone(error: unknown): boolean {
  return error instanceof KubeError && (error.kind === 'NotFound' || error.hasCause('NamespaceTerminating'));
}
