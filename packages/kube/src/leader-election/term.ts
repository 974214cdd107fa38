/** `Term` is the time for which this process leads. Every write that only a leader may do checks it first. */

export interface Term {
  /** Grows with every change of leader: a store that can check it (a database) refuses a smaller one. */
  readonly epoch: number;
  /** Aborted when the lease is lost or may be lost. */
  readonly signal: AbortSignal;
  /**
   * Whether the lease is certainly still ours. It compares the monotonic clock with the last renewal, so it is right
   * even when the event loop was stalled and no timer could fire.
   */
  isHeld(): boolean;
  /** Throws LeadershipLost when the lease is no longer certainly ours. */
  assertHeld(): void;
}

export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}
