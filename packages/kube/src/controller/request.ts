/** `Request`, `Result` and `Reconciler`: what a controller works on, and how. */
import type { Logger } from 'pino';
import type { Term } from '../leader-election/term.ts';

/** `Request` is a key and nothing else: the reconciler reads the state itself. */
export interface Request {
  readonly cluster: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** `requestKey` returns the string key of a request, for queues and maps. */
export function requestKey({ cluster, namespace = '', name }: Request): string {
  return `${cluster}\0${namespace}\0${name}`;
}

export interface Result {
  /** Reconcile again after this time, even if nothing changes. */
  readonly requeueAfterMs?: number;
  readonly priority?: number;
}

export interface ReconcileContext {
  /** Aborted at the timeout, when the process stops, when the cluster leaves and when leadership is lost. */
  readonly signal: AbortSignal;
  /** Has the fields controller, request and reconcileID. */
  readonly log: Logger;
  readonly reconcileId: string;
  /** Absent without leader election. */
  readonly term?: Term;
}

export type Reconciler = (request: Request, context: ReconcileContext) => Promise<Result | void>;

/**
 * `TerminalError` is an error that a retry cannot fix: it is counted and logged, and the key rests until
 * something changes.
 */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}
