/** The time for which this process leads. Whoever writes something that only a leader may write asks it first. */

export interface Term {
  /** Grows with every change of leader: whoever can check it (a database) refuses a smaller one. */
  readonly epoch: number;
  /** Aborted when the lease is lost, or may be. */
  readonly signal: AbortSignal;
  /**
   * Whether the lease is surely ours still. It compares the monotonic clock with the last renewal, so that it is right even where the event loop
   * was stalled and no timer could tell us.
   */
  isHeld(): boolean;
  /** Throws a LeadershipLost when it is not. */
  assertHeld(): void;
}

export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}
