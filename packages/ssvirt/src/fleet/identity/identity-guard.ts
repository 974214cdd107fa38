/**
 * `IdentityGuard` sits between a cluster's client and the cluster, and blocks requests to a cluster with another
 * identity.
 *
 * Checking the identity before each request would double the number of requests. So the guard checks it only when
 * another cluster could have taken over: after every lost connection and every end of a watch (the cluster is then "in
 * doubt"), and after every list and every "not found", before the caller concludes that an object is gone. When the
 * guard finds another cluster, it freezes: every request fails at once and every watch is cut, until the old identity
 * is back or a person accepts the new one.
 */
import { KubeError } from '@ssvirt/kube/errors';

export interface GuardOptions {
  readonly cluster: string;
  /** The uid that the cluster must have; if undefined, that of the first cluster that answers. */
  readonly identity: string | undefined;
  /** Requests the uid from the cluster, bypassing the guard. */
  readonly ask: (signal?: AbortSignal) => Promise<string>;
  /** Called whenever another uid is found while the guard is not frozen. */
  readonly changed: (found: string, before: string) => void;
}

export interface Cuttable {
  close(): void;
}

export class IdentityGuard {
  readonly #options: GuardOptions;
  readonly #streams = new Set<Cuttable>();
  #identity: string | undefined;
  #frozenFor: string | undefined;
  #freezes = 0;
  /** The number of reasons for doubt so far, and how many of them the last answer has settled. */
  #doubts = 0;
  #settled = 0;
  /** The start time of the last request that proved the identity. */
  #provenAt = -Infinity;
  #asking: { readonly doubts: number; readonly answer: Promise<void> } | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#identity = options.identity;
    if (options.identity === undefined) this.doubt();
  }

  /** The uid of the other cluster while frozen. */
  get frozenFor(): string | undefined {
    return this.#frozenFor;
  }

  /** The number of freezes. A response to a request from before a freeze may come from another cluster. */
  get freezes(): number {
    return this.#freezes;
  }

  /** The number of watches that a freeze would cut. */
  get watches(): number {
    return this.#streams.size;
  }

  get inDoubt(): boolean {
    return this.#settled < this.#doubts;
  }

  /** A connection was lost: the next server that answers must prove its identity. */
  doubt(): void {
    this.#doubts++;
  }

  freeze(found: string): void {
    if (this.#frozenFor === found) return;
    this.#frozenFor = found;
    this.#freezes++;
    for (const stream of this.#streams) stream.close();
    this.#options.changed(found, this.#identity ?? 'unknown');
  }

  /** The recorded identity was seen again. */
  thaw(): void {
    this.#frozenFor = undefined;
  }

  /** Throws while frozen. */
  assertOpen(): void {
    if (this.#frozenFor !== undefined) throw this.#frozen(`leads to ${this.#frozenFor} now`);
  }

  /** Throws also if the guard froze since then, even if it has thawed. */
  assertOpenSince(freezes: number): void {
    this.assertOpen();
    if (this.#freezes !== freezes) throw this.#frozen('has led elsewhere meanwhile');
  }

  #frozen(what: string): KubeError {
    return new KubeError(
      'Credentials',
      `cannot use cluster "${this.#options.cluster}": it was the one with kube-system uid ${this.#identity}, and its kubeconfig ${what}`,
    );
  }

  /** Resolves at once if there is no doubt; callers with the same doubt share one request. */
  async settle(signal?: AbortSignal): Promise<void> {
    this.assertOpen();
    if (!this.inDoubt) return;
    if (this.#asking?.doubts !== this.#doubts)
      this.#asking = { doubts: this.#doubts, answer: this.#askOnce(this.#doubts) };
    await orAborted(this.#asking.answer, this.#options.cluster, signal);
  }

  async #askOnce(doubts: number): Promise<void> {
    try {
      await this.confirm();
    } finally {
      // A failed request must not answer later callers.
      if (this.#asking?.doubts === doubts) this.#asking = undefined;
    }
  }

  /** Requests the identity now, unless there is no doubt and it was proven within `withinMs`. */
  async confirm(signal?: AbortSignal, withinMs = 0): Promise<void> {
    if (!this.inDoubt && performance.now() - this.#provenAt < withinMs) return this.assertOpen();
    const doubts = this.#doubts;
    const asked = performance.now();
    const found = await this.#options.ask(signal);
    this.#identity ??= found;
    if (found !== this.#identity) this.freeze(found);
    this.assertOpen();
    this.#settled = Math.max(this.#settled, doubts);
    this.#provenAt = Math.max(this.#provenAt, asked);
  }

  /** Registers a stream to be cut when the guard freezes. The returned function removes it. */
  track(stream: Cuttable): () => void {
    this.#streams.add(stream);
    return () => void this.#streams.delete(stream);
  }
}

/** Lets one caller give up without canceling the request that others wait for. */
async function orAborted(answer: Promise<void>, cluster: string, signal?: AbortSignal): Promise<void> {
  if (signal === undefined) return answer;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void =>
    aborted.reject(
      new KubeError('Aborted', `gave up asking cluster "${cluster}" for its identity`, { cause: signal.reason }),
    );
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
