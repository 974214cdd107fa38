/** What a look at one aspect of a cluster gave: a condition without the times. */
import type { Reason } from './reasons.ts';

export interface Verdict {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: Reason;
  readonly message: string;
}
