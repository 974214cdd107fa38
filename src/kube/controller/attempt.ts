/** One run of a reconciler over one request. Whatever it throws ends here. */
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
  /** It goes on although its signal was aborted a while ago. */
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
      const error = panicked ? new Error('the reconciler threw what is no error', { cause: thrown }) : thrown;
      return { kind: 'failed', error, terminal: isTerminal(error), panicked };
    } finally {
      this.#ended = true;
      this.#timeout?.cancel();
      this.#grace?.cancel();
    }
  }
}

/** A time that is none would rest the key for ever, or not at all. */
function checked(result: Result | void): Result {
  const { requeueAfterMs, priority } = result ?? {};
  if (requeueAfterMs !== undefined && !(requeueAfterMs >= 0 && requeueAfterMs < Infinity))
    throw new RangeError(`cannot look again after ${requeueAfterMs} ms`);
  if (priority !== undefined && !Number.isFinite(priority))
    throw new RangeError(`cannot look again with priority ${priority}`);
  return result ?? {};
}

/** Also where somebody has wrapped it. */
function isTerminal(error: Error): boolean {
  let cause: unknown = error;
  for (let depth = 0; depth < 16 && cause instanceof Error; depth++, cause = cause.cause)
    if (cause instanceof TerminalError) return true;
  return false;
}
