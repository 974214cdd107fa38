/** Where a controller's work comes from. */
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { AddOptions } from '../queue/queue.ts';
import type { Request } from './request.ts';

/** What a source is started with, for one cluster. */
export interface Sink {
  /** Who is told, for logs and metrics. */
  readonly controller: string;
  readonly cluster: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the source is to end: the cluster leaves, or the controller stops. */
  readonly signal: AbortSignal;
  /** False when nobody takes it: on a standby, which is told everything again when it leads. */
  enqueue(request: Request, options?: AddOptions): boolean;
}

export interface Source {
  /** Says in errors and logs what does not sync. */
  readonly name: string;
  /**
   * Returns at once. Throws where it cannot work at all. Started again, with another sink, when the standby that started it begins to lead: then it tells
   * everything that there is.
   */
  start(sink: Sink): StartedSource;
}

export interface StartedSource {
  /** Everything that was there at the start is in the queue. */
  readonly hasSynced: boolean;
  /** Ends early when the signal is aborted. */
  synced(signal: AbortSignal): Promise<void>;
  /** Why it has not synced; `absent` where the kind is not served. */
  trouble(): string | undefined;
}
