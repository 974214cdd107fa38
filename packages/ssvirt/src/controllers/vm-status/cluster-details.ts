/** `ClusterDetailsReader` periodically reads the details of each cluster, and records them with the time. */
import type { Logger } from 'pino';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { ObservationStore, WriterTerm } from '../../db/observations/contracts.ts';
import { readClusterDetails } from '../../fleet/health/cluster-details.ts';
import type { ClusterWatch } from './watch/cluster-watch.ts';
import { eachWatch } from './watch/each-watch.ts';
import { databaseFailure } from './write/database-failure.ts';

export interface ClusterDetailsParts {
  readonly store: Pick<ObservationStore, 'writeClusterDetails'>;
  readonly watches: () => ReadonlyMap<string, ClusterWatch>;
  /** Whether the cluster is the one that is recorded under its name. */
  readonly isAdmitted: (watch: ClusterWatch) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

const intervalMs = 300_000;
const retryMs = 30_000;
const admissionMs = 250;
const requestMs = 10_000;

export class ClusterDetailsReader {
  readonly #parts: ClusterDetailsParts;

  constructor(parts: ClusterDetailsParts) {
    this.#parts = parts;
  }

  /** Runs until the signal is aborted. Throws `Fenced`; retries after every other failure. */
  run(term: WriterTerm, signal: AbortSignal): Promise<void> {
    return eachWatch(this.#parts, signal, (watch, until) => this.#follow(term, watch, until));
  }

  async #follow(term: WriterTerm, watch: ClusterWatch, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    while (!signal.aborted) await sleep(clock, await this.#read(term, watch, signal), signal);
  }

  /** Resolves to the pause until the next attempt. */
  async #read(term: WriterTerm, watch: ClusterWatch, signal: AbortSignal): Promise<number> {
    const { store, isAdmitted, log } = this.#parts;
    if (!isAdmitted(watch)) return admissionMs;
    const { name, client } = watch.cluster;
    try {
      const details = await readClusterDetails(client, { signal, timeoutMs: requestMs });
      await store.writeClusterDetails(term, name, details);
      return intervalMs;
    } catch (error) {
      if (databaseFailure(error) === 'fenced') throw error;
      if (!signal.aborted) log.warn({ err: error, cluster: name }, 'cannot record cluster details, retrying');
      return retryMs;
    }
  }
}
