/**
 * `Attempt` is one run of a reconciler for one request. It never throws: its outcome carries the reconciler's error.
 */
import type { Clock, Timer } from '../clock.ts';
import { TerminalError, type Request, type Result } from './request.ts';

export class ReconcileTimeout extends Error {
  override readonly name = 'ReconcileTimeout';
}

export type Outcome =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: Error; readonly terminal: boolean; readonly panicked: boolean };

export interface AttemptOptions {
  readonly request: Request;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly graceMs: number;
  timedOut(): void;
  /** Called when the reconciler is still running some time after its signal was aborted. */
  overdue(): void;
}

export class Attempt {
  readonly request: Request;
  readonly #options: AttemptOptions;
  readonly #abort = new AbortController();
  #timeout: Timer | undefined;
  #grace: Timer | undefined;
  #ended = false;
  #overdue = false;

  constructor(options: AttemptOptions) {
    this.request = options.request;
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get overdue(): boolean {
    return this.#overdue;
  }

  abort(reason: Error): void {
    if (this.#ended || this.#abort.signal.aborted) return;
    this.#timeout?.cancel();
    this.#grace = this.#options.clock.after(this.#options.graceMs, () => {
      this.#overdue = true;
      this.#options.overdue();
    });
    this.#abort.abort(reason);
  }

  async run(reconcile: () => Promise<Result | void>): Promise<Outcome> {
    const { clock, timeoutMs } = this.#options;
    if (timeoutMs < Infinity) {
      this.#timeout = clock.after(timeoutMs, () => {
        this.#options.timedOut();
        this.abort(new ReconcileTimeout(`the reconcile took longer than ${timeoutMs} ms`));
      });
    }
    try {
      const result = await reconcile();
      return { kind: 'done', result: checked(result) };
    } catch (thrown) {
      const panicked = !(thrown instanceof Error);
      const error = panicked
        ? new Error('the reconciler threw a value that is not an Error', { cause: thrown })
        : thrown;
      return { kind: 'failed', error, terminal: isTerminal(error), panicked };
    } finally {
      this.#ended = true;
      this.#timeout?.cancel();
      this.#grace?.cancel();
    }
  }
}

/** An invalid time would let the key rest forever, or not at all. */
function checked(result: Result | void): Result {
  const { requeueAfterMs, priority } = result ?? {};
  if (requeueAfterMs !== undefined && !(requeueAfterMs >= 0 && requeueAfterMs < Infinity))
    throw new RangeError(`requeueAfterMs is ${requeueAfterMs}; it must be a finite number of at least 0`);
  if (priority !== undefined && !Number.isFinite(priority))
    throw new RangeError(`priority is ${priority}; it must be a finite number`);
  return result ?? {};
}

/** Also finds a wrapped TerminalError. */
function isTerminal(error: Error): boolean {
  let cause: unknown = error;
  for (let depth = 0; depth < 16 && cause instanceof Error; depth++, cause = cause.cause)
    if (cause instanceof TerminalError) return true;
  return false;
}
