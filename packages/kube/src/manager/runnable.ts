/** `Runnable` is something that a manager starts and stops. */
import type { Term } from '../leader-election/term.ts';

export interface RunContext {
  /** Aborted when the runnable must end; its promise resolves when it has. */
  readonly signal: AbortSignal;
  /** The term, for runnables that run only on the leader. */
  readonly term?: Term;
}

export interface Runnable {
  readonly name: string;
  /** A cache runs on every replica, from before all workers start until they have ended. The default is `worker`. */
  readonly kind?: 'cache' | 'worker';
  /** False for what runs on every replica. The default is true: only on the leader. */
  readonly needsLeadership?: boolean;
  /**
   * Fills caches before the election, on a standby too. Resolves when warm. A worker runs once it is warm; a cache
   * warms up while it runs.
   */
  warmUp?(signal: AbortSignal): Promise<void>;
  run(context: RunContext): Promise<void>;
}
