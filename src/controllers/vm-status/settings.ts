/** How the controller works; the defaults are the config's. */

export interface VmStatusSettings {
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxRetries: number;
  readonly resyncMs: number;
  readonly windowMs: number;
  readonly maxBatch: number;
  readonly staleAfterMs: number;
  /** Between two heartbeats, and between two contacts with a cluster. */
  readonly heartbeatMs: number;
  /** Requests at a time to one cluster about machines that may be gone. */
  readonly askConcurrency: number;
}

export const defaultSettings: VmStatusSettings = {
  baseDelayMs: 1000,
  maxDelayMs: 300_000,
  maxRetries: 10,
  resyncMs: 600_000,
  windowMs: 25,
  maxBatch: 1000,
  staleAfterMs: 15_000,
  heartbeatMs: 5_000,
  askConcurrency: 5,
};

/** How long a heartbeat and a contact count: two may be missed, however the times are set. */
export function countsForMs({
  staleAfterMs,
  heartbeatMs,
}: Pick<VmStatusSettings, 'staleAfterMs' | 'heartbeatMs'>): number {
  return Math.max(staleAfterMs, 3 * heartbeatMs);
}
