/** How often clusters are probed, and how long a probe may take. */

export interface HealthTimes {
  /** Between two probes of a cluster that answers. */
  readonly intervalMs: number;
  /** The timeout of one request. */
  readonly deadlineMs: number;
  /** Between two checks of KubeVirt and the served kinds. */
  readonly probeMs: number;
  /** The first pause after a failure; it grows up to the interval. */
  readonly retryMs: number;
  /** A Secret that does not exist for this time disconnects the cluster. */
  readonly secretGraceMs: number;
}

/** `aboutInterval` adds jitter, so that many members that started together do not stay in step. */
export function aboutInterval({ intervalMs }: HealthTimes): number {
  return intervalMs * (0.9 + Math.random() * 0.2);
}

export const defaultTimes: HealthTimes = {
  intervalMs: 30_000,
  deadlineMs: 10_000,
  probeMs: 300_000,
  retryMs: 1000,
  secretGraceMs: 60_000,
};
