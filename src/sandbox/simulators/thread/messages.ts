/** What the thread of the simulators is started with, and what both sides tell each other. All of it is data: nothing is shared. */
import type { Connection } from '../../../kube/connection.ts';
import type { LogOptions } from '../../../config/log.ts';
import type { SimulatorsOptions, StopOptions } from '../start.ts';

export interface ThreadOptions extends Pick<SimulatorsOptions, 'name' | 'parts' | 'dials' | 'crds' | 'data'> {
  readonly connection: Connection;
  readonly log: LogOptions;
}

/** An error loses its class on the way: what is for people to read keeps it by name. */
export interface ToldError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

export type FromThread =
  | { readonly type: 'ready' }
  /** Before it was ready, or later when a controller has failed. */
  | { readonly type: 'failed'; readonly error: ToldError }
  | { readonly type: 'stopped' };

export interface ToThread {
  readonly type: 'stop';
  readonly options: StopOptions;
}
