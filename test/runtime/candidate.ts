/** `Candidate` wants to lead. Its clock advances only when the test says so, while requests take real time. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import {
  createElector,
  type Elector,
  type ElectorOptions,
  type Ending,
} from '../../packages/kube/src/leader-election/elector.ts';
import type { Term } from '../../packages/kube/src/leader-election/term.ts';
import { createMetrics, type Metrics } from '../../packages/kube/src/metrics/metrics.ts';
import { StallingClock } from './stalling-clock.ts';
import { until } from './until.ts';

export interface CandidateOptions extends Pick<ElectorOptions, 'client' | 'namespace'> {
  readonly identity: string;
  readonly skewMs?: number;
  readonly random?: () => number;
}

export class Candidate {
  readonly clock: StallingClock;
  readonly elector: Elector;
  readonly metrics: Metrics = createMetrics(new Registry());
  readonly #finish = Promise.withResolvers<Ending>();
  readonly #stop = new AbortController();
  /** Resolves to how it ended. */
  readonly done: Promise<unknown>;
  #ended = false;
  #term: Term | undefined;

  constructor({ client, namespace, identity, skewMs = 0, random = () => 0 }: CandidateOptions) {
    this.clock = new StallingClock(skewMs);
    const log = pino({ level: 'silent' });
    const { clock, metrics } = this;
    this.elector = createElector({ client, namespace, name: 'leader', identity, clock, metrics, random, log });
    const lead = (term: Term): Promise<Ending> => {
      this.#term = term;
      return this.#finish.promise;
    };
    this.done = this.elector.run(lead, this.#stop.signal).then(
      () => this.#end('ended'),
      (error: unknown) => this.#end(error),
    );
  }

  get term(): Term | undefined {
    return this.#term;
  }

  get leads(): boolean {
    return this.#term?.isHeld() === true;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The work that the lease guards has ended, or has not and must be left alone. */
  finish(ending: Ending): Promise<unknown> {
    this.#finish.resolve(ending);
    return this.done;
  }

  stop(): Promise<unknown> {
    this.#stop.abort();
    return this.done;
  }

  /** Ends the candidate at the end of a test, whatever it is doing. */
  async quit(): Promise<void> {
    this.#stop.abort();
    this.#finish.resolve('unfinished');
    await this.done;
  }

  /**
   * Resolves when it waits for its clock, not for a server: a candidate for its next try, a leader for its next renewal
   * and its deadline.
   */
  async rests(): Promise<void> {
    await until(
      'the candidate rests',
      () => this.#ended || this.clock.fake.timers >= (this.#term === undefined ? 1 : 2),
    );
  }

  async pass(milliseconds: number): Promise<void> {
    await this.rests();
    for (let left = milliseconds; left > 0;) {
      const step = Math.min(left, this.clock.fake.next ?? left);
      await this.clock.fake.advance(step);
      await this.rests();
      left -= step;
    }
  }

  #end(how: unknown): unknown {
    this.#ended = true;
    return how;
  }
}

/** Advances the clocks of all candidates by the same time, in small steps. */
export async function pass(candidates: readonly Candidate[], milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 500)
    for (const candidate of candidates) await candidate.pass(Math.min(500, milliseconds - passed));
}
