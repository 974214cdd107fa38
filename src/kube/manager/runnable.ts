/** Something that a manager starts and stops. */
import type { Term } from '../leader/term.ts';

export interface RunContext {
  /** Aborted when the runnable is to end; it resolves when it has. */
  readonly signal: AbortSignal;
  /** The term of those that run on the leader only. */
  readonly term?: Term;
}

export interface Runnable {
  readonly name: string;
  /** A cache runs before all workers and until they have ended, on every replica. A worker unless said. */
  readonly kind?: 'cache' | 'worker';
  /** What runs on every replica says false; on the leader only unless said. */
  readonly needsLeadership?: boolean;
  /** On a standby too, before the election: fill caches. Resolves when warm. A worker runs when it is warm; a cache warms up while it runs. */
  warmUp?(signal: AbortSignal): Promise<void>;
  run(context: RunContext): Promise<void>;
}
