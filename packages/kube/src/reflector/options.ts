/** The settings of a reflector. The defaults are client-go's where it has one. */
import type { BackoffOptions } from '../backoff.ts';

export interface ReflectorOptions {
  /** Try a watch-list first; false for servers known not to support it. */
  readonly watchList: boolean;
  /** How long a server without watch-list support is not asked for one again. */
  readonly watchListMemoryMs: number;
  /**
   * Where lists come from. `cached` is client-go's way: the first from the server's watch cache at any age, later ones
   * from it too but not older than what was seen. `consistent` always reads the newest state, in pages: for callers
   * that conclude from a first list that something is gone.
   */
  readonly lists: 'cached' | 'consistent';
  readonly pageSize: number;
  /** For one page. */
  readonly listTimeoutMs: number;
  readonly backoff: BackoffOptions;
  /** After this time without a failure the backoff is reset. */
  readonly healthyAfterMs: number;
  /** The server is asked to end a watch after a random time in this range, so that watches spread over its replicas. */
  readonly watchTimeoutSeconds: readonly [number, number];
  /** How long to wait for the headers of a watch. */
  readonly headersTimeoutMs: number;
  /** Bookmarks come every minute: a stream without any data for this long is dead, whatever its socket reports. */
  readonly silenceMs: number;
  /** The same before the end of the initial events of a watch-list. */
  readonly initialSilenceMs: number;
  /** The end of the initial events is late after this time, which is logged. */
  readonly lateBookmarkMs: number;
  /** A watch that ended within this time without progress counts as a failure, to prevent hot loops. */
  readonly shortWatchMs: number;
  /** How long consecutive internal errors of the server lead to another watch instead of a list. */
  readonly internalErrorRetryMs: number;
  /** Called for each failure, for uses beyond logs and metrics. */
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
