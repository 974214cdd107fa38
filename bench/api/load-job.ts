/** The messages to and from the process that generates the load. */
import type { Call } from '../sandbox/connection.ts';

export interface Job {
  readonly url: string;
  /** The PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** A session token; empty if each call brings its own credentials. */
  readonly token: string;
  readonly connections: number;
  /** Sent one after another, and from the beginning again after the last. */
  readonly calls: readonly Call[];
  /** Whether `numberMark` in the body of each call is replaced by a unique number. */
  readonly numbered: boolean;
  /** The expected status of every answer. */
  readonly status: number;
  /** For calls that can be sent only once: all are sent, however long that takes. */
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
  /** Processor seconds of the load process itself. */
  readonly cpuSeconds: number;
  /** The mean size of a response body. */
  readonly bytes: number;
}

export type Told = { readonly kind: 'warm' } | ({ readonly kind: 'done' } & LoadResult);
