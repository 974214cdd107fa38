/** What all clusters of a fleet are created with. */
import type { Logger } from 'pino';
import type { Clock } from '../../kube/clock.ts';
import type { Metrics } from '../../kube/metrics/metrics.ts';
import type { ReflectorOptions } from '../../kube/reflector/options.ts';

export interface Parts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly userAgent: string;
  /** The event source and field manager. */
  readonly component: string;
  readonly reflector?: Partial<ReflectorOptions>;
}
