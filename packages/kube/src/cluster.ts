/**
 * `Cluster` is one cluster as controllers see it. Each has its own transport, caches and recorder, so that a failure in
 * one does not stop another.
 */
import type { Informers } from './informer/informers.ts';
import type { Client } from './client/client.ts';
import type { EventRecorder } from './events/recorder.ts';

export interface Cluster {
  /** The name in requests, logs and metrics. */
  readonly name: string;
  /** Its writes show in the caches of `informers` at once. */
  readonly client: Client;
  readonly informers: Informers;
  readonly recorder: EventRecorder;
  /** Aborted when the cluster leaves: all work for it must end. */
  readonly signal: AbortSignal;
}
