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
  /** What runs on every replica says false; on the leader only unless said. */
  readonly needsLeadership?: boolean;
  /** On a standby too, before the election: fill caches. Resolves when warm. */
  warmUp?(signal: AbortSignal): Promise<void>;
  run(context: RunContext): Promise<void>;
}
