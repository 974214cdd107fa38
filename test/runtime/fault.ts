/** The faults between a client and an API server. */
import type { SeenRequest } from './seen-request.ts';

/** A list at some time, to be replayed later as the answer of a lagging server. */
export interface Snapshot {
  readonly resourceVersion: string;
  /** The body of the answer to the list. */
  readonly body: { readonly items: readonly unknown[] };
}

/** Faults that replace the answer or precede it. */
export type FaultBeforeAnswer =
  /** The connection is reset, and the server never receives the request. */
  | { readonly kind: 'reset' }
  /** The server executes the request, and the connection is reset before the answer arrives. */
  | { readonly kind: 'lost-answer' }
  /** There is no answer, and the connection stays open; the server never receives the request. */
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'status';
      readonly code: number;
      readonly reason?: string;
      readonly retryAfterSeconds?: number;
      readonly message?: string;
    }
  /** A list, or a watch with initial events, from a snapshot; a watch continues from there. */
  | { readonly kind: 'stale'; readonly snapshot: Snapshot }
  /** The request is forwarded after this time. */
  | { readonly kind: 'latency'; readonly milliseconds: number };

/** Faults in the body of an answer: in a stream after some of its lines, in any other answer in the middle. */
export type FaultInAnswer = (
  | { readonly kind: 'reset-in-line' }
  /** The body ends cleanly in the middle of a line. */
  | { readonly kind: 'truncate' }
  /** No more bytes, and the connection stays open. */
  | { readonly kind: 'silence-in-stream' }
  /** An ERROR event, and a clean end; no effect on other answers. */
  | { readonly kind: 'error-event'; readonly code: number; readonly reason?: string }
  /** The stream ends cleanly between two lines. */
  | { readonly kind: 'end' }
) & {
  /** How many lines are forwarded first; 0 by default. */
  readonly afterLines?: number;
};

/** Every byte arrives, in pieces of random sizes. */
export interface SplitFault {
  readonly kind: 'split';
  /** From 0 up to, but excluding, 1; a seeded source makes the same pieces in every run. */
  readonly random: () => number;
}

export type Fault = FaultBeforeAnswer | FaultInAnswer | SplitFault;

export interface Rule {
  readonly fault: Fault;
  /** All requests by default. */
  readonly match?: (request: SeenRequest) => boolean;
  /** How many requests it strikes; unlimited by default, until the rule is removed. */
  readonly times?: number;
}

const inAnswer: ReadonlySet<Fault['kind']> = new Set([
  'reset-in-line',
  'truncate',
  'silence-in-stream',
  'error-event',
  'end',
]);

export function isInAnswer(fault: Fault): fault is FaultInAnswer {
  return inAnswer.has(fault.kind);
}

const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The Status that Kubernetes sends with a code. */
export function statusBody(code: number, reason = reasons[code] ?? '', message = 'played by the fault proxy'): string {
  return JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
  });
}
