/** `VmStatusSettings` holds the settings of the controller. The defaults are those of the configuration. */

export interface VmStatusSettings {
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxRetries: number;
  readonly resyncMs: number;
  readonly windowMs: number;
  readonly maxBatch: number;
  readonly staleAfterMs: number;
  /** The interval of heartbeats, and of contacts with a cluster. */
  readonly heartbeatMs: number;
  /** How many requests about VMs that may be gone run at once in one cluster. */
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

/** How long a heartbeat and a contact count: long enough to miss two, whatever the intervals. */
export function countsForMs({
  staleAfterMs,
  heartbeatMs,
}: Pick<VmStatusSettings, 'staleAfterMs' | 'heartbeatMs'>): number {
  return Math.max(staleAfterMs, 3 * heartbeatMs);
}
