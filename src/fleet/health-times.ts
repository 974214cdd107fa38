/** How often clusters are asked how they are, and how long they may take. */

export interface HealthTimes {
  /** Between two questions to a cluster that answers. */
  readonly intervalMs: number;
  /** How long one question may take. */
  readonly deadlineMs: number;
  /** Between two looks at KubeVirt and the served kinds. */
  readonly surveyMs: number;
  /** The first pause after a failure; it grows up to the interval. */
  readonly retryMs: number;
}

/** So that many who began together do not stay together. */
export function aboutInterval({ intervalMs }: HealthTimes): number {
  return intervalMs * (0.9 + Math.random() * 0.2);
}

export const defaultTimes: HealthTimes = { intervalMs: 30_000, deadlineMs: 10_000, surveyMs: 300_000, retryMs: 1000 };
