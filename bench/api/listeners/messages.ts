/** The messages to and from a process with listeners. */
export interface Group {
  readonly url: string;
  readonly ca: string;
  /** The session token of each listener. */
  readonly tokens: readonly string[];
  readonly changes: number;
}

export type Asked =
  | ({ readonly kind: 'open' } & Group)
  /** Answered by `arrived` when this many deliveries have come, or at once if they already have. */
  | { readonly kind: 'expect'; readonly arrivals: number }
  /** All listeners disconnect; `return` reconnects them as after a lost connection. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'return' }
  | { readonly kind: 'report'; readonly committed: readonly number[] };

export interface Report {
  readonly latencies: Float32Array;
  readonly arrived: number;
  readonly twice: number;
  /** How often a listener received a notice of missed events. */
  readonly resets: number;
  /** Processor seconds of the process since its start. */
  readonly cpuSeconds: number;
}

export type Told =
  /** All listeners are connected. Sent again after each loss. */
  | { readonly kind: 'listening' }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'left' }
  | ({ readonly kind: 'report' } & Report);
