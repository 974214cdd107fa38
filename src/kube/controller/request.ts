/** What a controller works on, and what it says afterwards. */
import type { Logger } from 'pino';
import type { Term } from '../leader/term.ts';

/** A key and nothing else: the reconciler reads the world itself. */
export interface Request {
  readonly cluster: string;
  /** Absent for kinds that stand in no namespace. */
  readonly namespace?: string;
  readonly name: string;
}

/** What queues and maps are keyed by. */
export function requestKey({ cluster, namespace = '', name }: Request): string {
  return `${cluster}\0${namespace}\0${name}`;
}

export interface Result {
  /** Look again after this time, even if nothing happens. */
  readonly requeueAfterMs?: number;
  readonly priority?: number;
}

export interface ReconcileContext {
  /** Aborted at the timeout, at the stop of the process, when the cluster leaves and when leadership is lost. */
  readonly signal: AbortSignal;
  /** Carries controller, request and reconcileID. */
  readonly log: Logger;
  readonly reconcileId: string;
  /** Absent where nobody elects. */
  readonly term?: Term;
}

export type Reconciler = (request: Request, context: ReconcileContext) => Promise<Result | void>;

/** A failure that trying again cannot mend: it is counted and logged, and the key rests until something changes. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}
