/** How a reflector behaves. The defaults are client-go's where it has one. */
import type { BackoffOptions } from '../backoff.ts';

export interface ReflectorOptions {
  /** Try a watch-list first; off for servers that are known not to have it. */
  readonly watchList: boolean;
  /** How long a server that does not know watch-lists is not asked for one again. */
  readonly watchListMemoryMs: number;
  /**
   * Where lists come from. `cached` is client-go's way: the first out of the server's watch cache however old, later ones out of it too but not
   * older than what was seen. `consistent` always asks for the newest, in pages: for those who conclude from a first list that something is gone.
   */
  readonly lists: 'cached' | 'consistent';
  readonly pageSize: number;
  /** For one page. */
  readonly listTimeoutMs: number;
  readonly backoff: BackoffOptions;
  /** After this time without a failure the pauses begin small again. */
  readonly healthyAfterMs: number;
  /** The server is asked to end a watch after a random time between these, so that watches spread over its replicas. */
  readonly watchTimeoutSeconds: readonly [number, number];
  /** How long to wait for the headers of a watch. */
  readonly headersTimeoutMs: number;
  /** Bookmarks come each minute: a stream on which nothing came for this long is dead, whatever its socket says. */
  readonly silenceMs: number;
  /** The same before the end of the initial events of a watch-list. */
  readonly initialSilenceMs: number;
  /** Above this the end of the initial events is late, which is logged. */
  readonly lateBookmarkMs: number;
  /** A watch that ended within this time and moved nothing counts as a failure: it stops hot loops. */
  readonly shortWatchMs: number;
  /** For how long in a row internal errors of the server are answered with another watch, and not with a list. */
  readonly internalErrorRetryMs: number;
  /** Told of each failure, for those who do more than logs and metrics do. */
  readonly onFailure?: (error: Error) => void;
  readonly random: () => number;
}

export const reflectorDefaults: ReflectorOptions = {
  watchList: true,
  watchListMemoryMs: 30 * 60_000,
  lists: 'cached',
  pageSize: 500,
  listTimeoutMs: 60_000,
  backoff: { initialMs: 800, factor: 2, maxMs: 30_000, jitter: 1 },
  healthyAfterMs: 120_000,
  watchTimeoutSeconds: [300, 600],
  headersTimeoutMs: 30_000,
  silenceMs: 150_000,
  initialSilenceMs: 30_000,
  lateBookmarkMs: 10_000,
  shortWatchMs: 1_000,
  internalErrorRetryMs: 60_000,
  random: Math.random,
};
