/** What a process with listeners is told, and what it answers. */
export interface Group {
  readonly url: string;
  readonly ca: string;
  /** Of the session of each listener. */
  readonly tokens: readonly string[];
  readonly changes: number;
}

export type Asked =
  | ({ readonly kind: 'open' } & Group)
  /** Told when so many have come, or at once where they have. */
  | { readonly kind: 'expect'; readonly arrivals: number }
  /** All of them leave, and come back as after a loss of their connections. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'return' }
  | { readonly kind: 'report'; readonly committed: readonly number[] };

export interface Report {
  readonly latencies: Float32Array;
  readonly arrived: number;
  readonly twice: number;
  /** How often a listener was told that it had missed something. */
  readonly resets: number;
  /** Processor seconds of the process since it began. */
  readonly cpuSeconds: number;
}

export type Told =
  /** All of them listen. Told again whenever they do after a loss. */
  | { readonly kind: 'listening' }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'left' }
  | ({ readonly kind: 'report' } & Report);
