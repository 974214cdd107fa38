/** What all clusters of a fleet are created with. */
import type { Logger } from 'pino';
import type { Clock } from '@ssvirt/kube/clock';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import type { ReflectorOptions } from '@ssvirt/kube/reflector/options';

export interface Parts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly userAgent: string;
  /** The event source and field manager. */
  readonly component: string;
  readonly reflector?: Partial<ReflectorOptions>;
}
