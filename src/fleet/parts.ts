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
