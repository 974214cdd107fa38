/**
 * Stands between a cluster's client and the cluster, and lets nothing through to a cluster that is not the one that it was.
 *
 * Asking before each request would double them. So the identity is asked for again where another cluster could have taken the
 * place: after every lost connection and every end of a watch (the cluster is then "in doubt"), and after every list and
 * every "not found", before somebody concludes from it that an object is gone. Once another cluster was found the guard is frozen: every request fails
 * at once and every watch is cut, until the old identity is back or a person accepts the new one.
 */
import { ApiError } from '../kube/errors.ts';

export interface GuardOptions {
  readonly cluster: string;
  /** The uid that the cluster must have; undefined: that of whoever answers first. */
  readonly identity: string | undefined;
  /** Asks the cluster for its uid, past the guard. */
  readonly ask: (signal?: AbortSignal) => Promise<string>;
  /** Called each time that another uid is found while not frozen. */
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
  /** Reasons to doubt that there were, and how many of them the last answer has settled. */
  #doubts = 0;
  #settled = 0;
  /** When the last question that it has answered was asked. */
  #provenAt = -Infinity;
  #asking: { readonly doubts: number; readonly answer: Promise<void> } | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#identity = options.identity;
    if (options.identity === undefined) this.doubt();
  }

  /** The uid of the other cluster, while frozen. */
  get frozenFor(): string | undefined {
    return this.#frozenFor;
  }

  /** How often it froze: what was asked before and answered after may be another cluster's answer. */
  get freezes(): number {
    return this.#freezes;
  }

  /** How many watches would be cut. */
  get watches(): number {
    return this.#streams.size;
  }

  get inDoubt(): boolean {
    return this.#settled < this.#doubts;
  }

  /** A connection was lost: whoever answers next has to prove who it is. */
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

  /** Throws also where it froze since, and has thawed. */
  assertOpenSince(freezes: number): void {
    this.assertOpen();
    if (this.#freezes !== freezes) throw this.#frozen('has led elsewhere meanwhile');
  }

  #frozen(what: string): ApiError {
    return new ApiError(
      'Credentials',
      `cannot use cluster "${this.#options.cluster}": it was the one with kube-system uid ${this.#identity}, and its kubeconfig ${what}`,
    );
  }

  /** Resolves at once unless there is a doubt; those who wait for the same doubt share one question. */
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
      // A question that failed is not the answer to those who come later.
      if (this.#asking?.doubts === doubts) this.#asking = undefined;
    }
  }

  /** Asks now, whatever was known; unless there is no doubt, and it was proven so lately. */
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

  /** Cut when the guard freezes. */
  track(stream: Cuttable): () => void {
    this.#streams.add(stream);
    return () => void this.#streams.delete(stream);
  }
}

/** A question that others wait for too is not given up because one of them is. */
async function orAborted(answer: Promise<void>, cluster: string, signal?: AbortSignal): Promise<void> {
  if (signal === undefined) return answer;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void =>
    aborted.reject(
      new ApiError('Aborted', `gave up asking cluster "${cluster}" for its identity`, { cause: signal.reason }),
    );
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
