/** `Source` is where a controller's work comes from. */
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { AddOptions } from '../queue/queue.ts';
import type { Request } from './request.ts';

/** `Sink` is what a source is started with, for one cluster. */
export interface Sink {
  /** The controller's name, for logs and metrics. */
  readonly controller: string;
  readonly cluster: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the source must end: the cluster leaves or the controller stops. */
  readonly signal: AbortSignal;
  /**
   * Returns false when the request is dropped, as on a standby; its sources are started again when it begins to lead.
   */
  enqueue(request: Request, options?: AddOptions): boolean;
}

export interface Source {
  /** Names the source in errors and logs. */
  readonly name: string;
  /**
   * Starts the source and returns at once. Throws if it can never work. It is started again, with another sink, when
   * the standby that started it begins to lead: then it enqueues everything that exists.
   */
  start(sink: Sink): StartedSource;
}

export interface StartedSource {
  /** True when everything that existed at the start is in the queue. */
  readonly hasSynced: boolean;
  /** Resolves when the source has synced, or early when the signal is aborted. */
  synced(signal: AbortSignal): Promise<void>;
  /** Why the source has not synced; `absent` when the kind is not served. */
  trouble(): string | undefined;
}
