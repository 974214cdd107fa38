/** What every cluster of a fleet is made with. */
import type { Logger } from 'pino';
import type { Clock } from '../kube/clock.ts';
import type { Metrics } from '../kube/metrics/metrics.ts';
import type { ReflectorOptions } from '../kube/reflector/options.ts';

export interface Parts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Who records events and owns fields. */
  readonly component: string;
  readonly reflector?: Partial<ReflectorOptions>;
}

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
