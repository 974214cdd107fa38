/** What the process that makes the load is told, and what it answers. */
import type { Call } from '../sandbox/connection.ts';

export interface Job {
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** Of a session; empty where each call brings its own credentials. */
  readonly token: string;
  readonly connections: number;
  /** Sent one after the other, from the beginning again when all were. */
  readonly calls: readonly Call[];
  /** In the body of each call `numberMark` stands for a number that no other has. */
  readonly numbered: boolean;
  /** The answer that each must get. */
  readonly status: number;
  /** Where `calls` may be sent once only, all of them are, whatever time it takes. */
  readonly once: boolean;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export const numberMark = '{number}';

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Of the loading process itself. */
  readonly cpuSeconds: number;
  /** Of an answer's body, the mean. */
  readonly bytes: number;
}

export type Told = { readonly kind: 'warm' } | ({ readonly kind: 'done' } & LoadResult);
