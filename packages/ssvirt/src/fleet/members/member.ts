/**
 * One KubevirtConfig at work: probes its cluster periodically for identity and health, and keeps the result for the
 * status writer. It depends only on its own cluster, and no other member waits for it.
 */
import type { Logger } from 'pino';
import { isDeepStrictEqual } from 'node:util';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { requestIdentity } from '../identity/identity-request.ts';
import type { ClusterCredentials } from '../kubevirtconfig/credentials.ts';
import { MemberConnection, type IdentitySays, type MemberConnectionOptions } from './member-connection.ts';
import type { Observation } from '../health/observation.ts';
import { aboutInterval } from '../health/health-times.ts';

export interface MemberOptions extends Omit<MemberConnectionOptions, 'otherClusterFound'> {
  /** The observation has changed. */
  readonly changed: () => void;
}

export class Member {
  readonly name: string;
  readonly #options: MemberOptions;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #connection: MemberConnection;
  readonly #backoff: Backoff;
  readonly #running: Promise<void>;
  #woken = new AbortController();
  #credentials: ClusterCredentials | undefined;
  #says: IdentitySays = { recorded: undefined, accepted: undefined };
  #seen: Observation = {};
  /** Why the watches that another component keeps deliver nothing. */
  #noted: string | undefined;
  /** Without `#noted`. */
  #probed: Observation = {};
  /** The number of failed probes in a row. */
  #failures = 0;

  constructor(options: MemberOptions) {
    const { intervalMs, retryMs } = options.times;
    this.name = options.name;
    this.#options = options;
    this.#log = options.parts.log.child({ cluster: options.name });
    this.#connection = new MemberConnection(
      { ...options, otherClusterFound: () => this.wake() },
      this.#stopping.signal,
    );
    this.#backoff = new Backoff({ initialMs: retryMs, factor: 2, maxMs: intervalMs, jitter: 0.2 });
    this.#running = this.#run();
  }

  get observation(): Observation {
    return this.#seen;
  }

  get identity(): string | undefined {
    return this.#connection.identity;
  }

  /** Records what the watches of this cluster found: why they deliver nothing, or undefined if they deliver. */
  noteWatches(trouble: string | undefined): void {
    if (trouble === this.#noted) return;
    this.#noted = trouble;
    this.#show(this.#probed);
    this.wake();
  }

  claims(identity: string): boolean {
    return this.#connection.claims(identity);
  }

  /** Defined once the cluster has proven its identity, and from then on, whether it answers or not. */
  get cluster(): Cluster | undefined {
    return this.#connection.engagement?.cluster;
  }

  /** The version of the last offered credentials. */
  get credentialsVersion(): string | undefined {
    return this.#credentials?.version;
  }

  offer(credentials: ClusterCredentials): void {
    if (credentials.version === this.#credentials?.version && !('failure' in credentials.outcome)) return;
    if (isDeepStrictEqual(credentials, this.#credentials)) return;
    this.#credentials = credentials;
    this.wake();
  }

  tell(says: IdentitySays): void {
    if (isDeepStrictEqual(says, this.#says)) return;
    this.#says = says;
    this.wake();
  }

  /** Probes again now. */
  wake(): void {
    this.#backoff.reset();
    this.#woken.abort();
  }

  /** Requests the identity now. Rejects if the cluster does not answer. */
  async ask(signal?: AbortSignal): Promise<string> {
    const client = this.#connection.client;
    if (client === undefined)
      throw new Error(this.#seen.secret?.message ?? `cluster "${this.name}" has no connection yet`);
    const timeoutMs = this.#options.times.deadlineMs;
    return requestIdentity(client, signal === undefined ? { timeoutMs } : { timeoutMs, signal });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#connection.end();
  }

  async #run(): Promise<void> {
    // Waits one microtask, because the constructor has not returned yet.
    await Promise.resolve();
    while (!this.#stopping.signal.aborted) {
      this.#woken = new AbortController();
      const pause = await this.#look();
      const end = AbortSignal.any([this.#woken.signal, this.#stopping.signal]);
      await sleep(this.#options.parts.clock, pause, end);
    }
  }

  /** Probes once; resolves to the pause until the next probe. */
  async #look(): Promise<number> {
    const outcome = this.#credentials?.outcome;
    // `offer` wakes this loop.
    if (outcome === undefined) return this.#options.times.intervalMs;
    try {
      const seen = await this.#connection.observe(outcome, this.#says);
      if (this.#stopping.signal.aborted) return 0;
      if (!this.#isFirstFailure(seen)) this.#show(seen);
      if (!isFailure(seen)) return this.#untilNext();
    } catch (error) {
      // The identity could not be recorded. Nothing is done in a cluster before that.
      if (!this.#stopping.signal.aborted) this.#log.error({ err: error }, 'cannot engage cluster');
    }
    return this.#backoff.take();
  }

  #untilNext(): number {
    this.#backoff.reset();
    return aboutInterval(this.#options.times);
  }

  /**
   * A single unanswered request or silent watch between two answers is not an outage: it is retried before it is
   * reported.
   */
  #isFirstFailure(seen: Observation): boolean {
    const failed = typeof seen.connection === 'object' || seen.watches !== undefined;
    this.#failures = failed ? this.#failures + 1 : 0;
    return this.#failures === 1 && this.#probed.connection === 'answers';
  }

  #show(found: Observation): void {
    this.#probed = found;
    const watches = found.watches ?? this.#noted;
    const seen = watches === undefined ? found : { ...found, watches };
    if (isDeepStrictEqual(seen, this.#seen)) return;
    this.#seen = seen;
    this.#options.changed();
  }
}

/** Whether to probe again soon. */
function isFailure({ connection, watches }: Observation): boolean {
  return connection !== 'answers' || watches !== undefined;
}
