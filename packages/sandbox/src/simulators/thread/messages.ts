/**
 * The start data of the simulators' thread, and the messages of both sides. Everything is plain data: nothing is
 * shared.
 */
import type { Connection } from '@ssvirt/kube/connection';
import type { LogOptions } from '@ssvirt/base/config/log';
import type { SimulatorsOptions, StopOptions } from '../start.ts';

export interface ThreadOptions extends Pick<SimulatorsOptions, 'name' | 'parts' | 'dials' | 'crds' | 'data'> {
  readonly connection: Connection;
  readonly log: LogOptions;
}

/** An error loses its class in transit: errors with a message for users are recognized by name. */
export interface ToldError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

export type FromThread =
  | { readonly type: 'ready' }
  /** Before it was ready, or later if a controller has failed. */
  | { readonly type: 'failed'; readonly error: ToldError }
  | { readonly type: 'stopped' };

export interface ToThread {
  readonly type: 'stop';
  readonly options: StopOptions;
}
