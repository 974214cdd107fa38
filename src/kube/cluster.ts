/** One cluster as controllers see it: each has its own transport, caches and recorder, so that the failure of one stops no other. */
import type { Informers } from './cache/informers.ts';
import type { Client } from './client/client.ts';
import type { EventRecorder } from './events/recorder.ts';

export interface Cluster {
  /** What requests, logs and metrics call it. */
  readonly name: string;
  /** Its writes show in the caches of `informers` at once. */
  readonly client: Client;
  readonly informers: Informers;
  readonly recorder: EventRecorder;
  /** Aborted when the cluster leaves: whoever works for it ends. */
  readonly signal: AbortSignal;
}
