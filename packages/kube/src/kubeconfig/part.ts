/**
 * `Part` is a piece of a connection that may change at run time. An unchanged value stays the same object (or string),
 * so that users detect a change by identity.
 */
import { KubeError } from '../errors.ts';

export interface Part<T> {
  /** Rejects with a KubeError of kind `Credentials`. */
  current(signal?: AbortSignal): Promise<T>;
  /** The server refused this value: finds out whether there is a newer one. */
  refresh(refused: T, signal?: AbortSignal): Promise<void>;
}

export interface Credentials {
  /** The value of the Authorization header. */
  readonly authorization?: string;
  readonly cert?: string;
  readonly key?: string;
}

export function fixed<T>(value: T): Part<T> {
  return { current: () => Promise.resolve(value), refresh: () => Promise.resolve() };
}

/** `combined` combines two parts into one. */
export function combined<A, B, T>(first: Part<A>, second: Part<B>, combine: (a: A, b: B) => T): Part<T> {
  let last: { readonly a: A; readonly b: B; readonly whole: T } | undefined;
  return {
    async current(signal) {
      const a = await first.current(signal);
      const b = await second.current(signal);
      if (last === undefined || last.a !== a || last.b !== b) last = { a, b, whole: combine(a, b) };
      return last.whole;
    },
    async refresh(refused, signal) {
      if (last === undefined || last.whole !== refused) return;
      const { a, b } = last;
      await Promise.all([first.refresh(a, signal), second.refresh(b, signal)]);
    },
  };
}

/** `waitFor` waits for shared work: an abort ends the wait, not the work. */
export async function waitFor<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new KubeError('Aborted', 'the caller gave up while waiting for credentials'));
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
