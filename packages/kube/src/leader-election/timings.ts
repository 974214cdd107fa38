/** `ElectionTimings` says how long a lease lasts, how long its holder tries to renew it, and how often candidates try. */

export interface ElectionTimings {
  /** How long others wait after the last change that they saw. In whole seconds, the resolution of a Lease. */
  readonly leaseDurationMs: number;
  /**
   * The leader stops after this long without a renewal; the rest of the lease is the margin for requests already sent.
   */
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

export const defaultTimings: ElectionTimings = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2000,
};

/** A candidate waits for the period plus up to this multiple of it, so that candidates do not try all at once. */
export const jitterFactor = 1.2;

/** `checkTimings` throws for timings that could allow two leaders, or no leader for long. */
export function checkTimings({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: ElectionTimings): void {
  const refuse = (why: string): never => {
    throw new Error(`cannot elect a leader with these times: ${why}`);
  };
  if (!(retryPeriodMs > 0)) refuse(`retryPeriodMs must be greater than 0, not ${retryPeriodMs}`);
  if (!(renewDeadlineMs > jitterFactor * retryPeriodMs))
    refuse(`renewDeadlineMs must be greater than ${jitterFactor} × retryPeriodMs, not ${renewDeadlineMs}`);
  if (!(leaseDurationMs > renewDeadlineMs))
    refuse(`leaseDurationMs must be greater than renewDeadlineMs, not ${leaseDurationMs}`);
  if (leaseDurationMs % 1000 !== 0) refuse(`leaseDurationMs must be whole seconds, not ${leaseDurationMs}`);
}
