/**
 * `ClusterContacts` periodically checks whether each cluster is reachable, and records when it was. While that time is
 * recent, the shown status of its VMs is current. The time is read from the database before the attempt, so every
 * earlier request is older than what the cluster answered.
 */
import type { Logger } from 'pino';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { ObservationStore, WriterTerm } from '../../db/observations/contracts.ts';
import { WatchSilent } from '../../fleet/health/reachability.ts';
import type { ClusterWatch } from './watch/cluster-watch.ts';
import { eachWatch } from './watch/each-watch.ts';
import { databaseFailure } from './write/database-failure.ts';

export interface ContactsParts {
  readonly store: Pick<ObservationStore, 'clock' | 'contacted'>;
  readonly watches: () => ReadonlyMap<string, ClusterWatch>;
  readonly mayContact: (watch: ClusterWatch) => boolean;
  /** Whether everything seen in the cluster by then is in the database. */
  readonly isWritten: (cluster: string, by: number) => boolean;
  /** Whether everything that existed before this process began to write has been compared with its rows. */
  readonly isCompared: (cluster: string) => boolean;
  /** An unreachable cluster is reachable again. */
  readonly recovered: () => void;
  /** Why the watches of the cluster deliver nothing, or undefined if they deliver or are no longer checked. */
  readonly noteWatches: (cluster: string, trouble: string | undefined) => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly heartbeatMs: number;
  readonly countsForMs: number;
}

export interface ContactTrouble {
  /** By the monotonic clock. */
  readonly since: number;
  readonly message: string;
}

const lookMs = 250;
/** The limit for one request of an attempt. */
const longestRequestMs = 5_000;

export class ClusterContacts {
  readonly #parts: ContactsParts;
  readonly #troubles = new Map<string, ContactTrouble>();
  readonly #compared = new WeakSet<ClusterWatch>();
  /** Clusters that were reported as silent. */
  readonly #silent = new Set<string>();

  constructor(parts: ContactsParts) {
    this.#parts = parts;
  }

  troubleOf(cluster: string): ContactTrouble | undefined {
    return this.#troubles.get(cluster);
  }

  /** Runs until the signal is aborted. Throws `Fenced`; retries after every other failure. */
  async run(term: WriterTerm, signal: AbortSignal): Promise<void> {
    await eachWatch(this.#parts, signal, (watch, until) => this.#follow(term, watch, until));
  }

  async #follow(term: WriterTerm, watch: ClusterWatch, signal: AbortSignal): Promise<void> {
    const { clock, heartbeatMs, log } = this.#parts;
    const { name } = watch.cluster;
    let hasFailed = false;
    while (!signal.aborted) {
      let isDone = false;
      try {
        isDone = await this.#contact(term, watch, signal);
        hasFailed = false;
      } catch (error) {
        if (databaseFailure(error) === 'fenced') throw error;
        if (!signal.aborted && !hasFailed)
          log.warn({ err: error, cluster: name }, 'cannot record contact with cluster, retrying');
        hasFailed = true;
      }
      await sleep(clock, isDone || hasFailed ? heartbeatMs : Math.min(lookMs, heartbeatMs), signal);
    }
    this.#troubles.delete(name);
    this.#endSilence(name);
  }

  /** Independent of `#troubles`, which may have been deleted before the cluster was reached. */
  #endSilence(cluster: string): void {
    if (this.#silent.delete(cluster)) this.#parts.noteWatches(cluster, undefined);
  }

  /** Resolves to false if the attempt is to be repeated soon. */
  async #contact(term: WriterTerm, watch: ClusterWatch, signal: AbortSignal): Promise<boolean> {
    const { store, mayContact, isCompared, isWritten, clock, countsForMs } = this.#parts;
    const { name } = watch.cluster;
    if (!mayContact(watch) || watch.readability().state !== 'synced') return false;
    const began = await store.clock();
    if (!(await this.#reach(watch, signal))) return true;
    if (!this.#compared.has(watch) && !isCompared(name)) return false;
    this.#compared.add(watch);
    const by = clock.now();
    while (!isWritten(name, by)) {
      if (signal.aborted || clock.now() - by > countsForMs) return false;
      await sleep(clock, 10, signal);
    }
    return store.contacted(term, { cluster: name, began, countsForMs });
  }

  async #reach(watch: ClusterWatch, signal: AbortSignal): Promise<boolean> {
    const { clock, countsForMs, recovered, noteWatches, log } = this.#parts;
    const { name } = watch.cluster;
    const timeoutMs = Math.min(longestRequestMs, countsForMs / 3);
    try {
      await watch.reach({ timeoutMs, signal, clock });
    } catch (error) {
      if (signal.aborted) return false;
      const message = error instanceof Error ? error.message : String(error);
      const known = this.#troubles.get(name);
      if (known === undefined) log.warn({ err: error, cluster: name }, 'cluster unreachable, retrying');
      this.#troubles.set(name, { since: known?.since ?? clock.now(), message });
      // Reported at the second failure in a row: a single failure is no outage.
      if (error instanceof WatchSilent && known !== undefined && !this.#silent.has(name)) {
        this.#silent.add(name);
        noteWatches(name, message);
      }
      return false;
    }
    this.#endSilence(name);
    if (this.#troubles.delete(name)) {
      log.info({ cluster: name }, 'cluster reachable again');
      recovered();
    }
    return true;
  }
}
