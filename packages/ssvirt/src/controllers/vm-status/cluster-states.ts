/**
 * `ClusterStates` records the state of each cluster in the database: `synced` when the rows match the cluster, `stale`
 * while it cannot be read, `frozen` while its identity has changed. There is one row per cluster, which the views join
 * to its VMs, so an outage costs one write. Before a cluster is admitted, nothing of it is written and nothing in it
 * counts as gone. The identity of a cluster is the uid of its kube-system, recorded at first contact.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { Fleet } from '../../fleet/fleet.ts';
import { acceptIdentityAnnotation } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import type { ClusterState, ObservationStore, RecordedCluster, WriterTerm } from '../../db/observations/contracts.ts';
import { databaseFailure } from './write/database-failure.ts';
import type { ClusterWatch, Readability } from './watch/cluster-watch.ts';
import type { ContactTrouble } from './contacts.ts';

export interface ClusterStatesParts {
  readonly fleet: Pick<Fleet, 'identityOf' | 'stateOf' | 'listConfigs'>;
  readonly store: Pick<ObservationStore, 'clusters' | 'writeCluster'>;
  readonly watches: () => ReadonlyMap<string, ClusterWatch>;
  /** Whether something that was known of the cluster by that time still waits to be written. */
  readonly waits: (cluster: string, by: number) => boolean;
  /** Called when the cluster is admitted: from then on its observations may be written. */
  readonly admitted: (watch: ClusterWatch) => void;
  /** Why the cluster was unreachable at the last attempt. */
  readonly trouble: (cluster: string) => ContactTrouble | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly staleAfterMs: number;
  readonly lookMs?: number;
}

export class ClusterStates {
  readonly #parts: ClusterStatesParts;
  readonly #admitted = new WeakSet<ClusterWatch>();
  readonly #recorded = new Map<string, RecordedCluster>();
  readonly #written = new Map<string, string>();
  /** Since when each cluster can be read, by the monotonic clock. */
  readonly #readableSince = new Map<string, number>();
  /** Since when each cluster has not been watched. */
  readonly #missingSince = new Map<string, number>();
  #woken = new AbortController();

  constructor(parts: ClusterStatesParts) {
    this.#parts = parts;
  }

  isAdmitted(watch: ClusterWatch): boolean {
    return this.#admitted.has(watch);
  }

  /** Checks at once: a cluster has come. */
  wake(): void {
    this.#woken.abort();
  }

  /** The state of each cluster, for the heartbeat. */
  states(): readonly ClusterState[] {
    return [...this.#recorded.values()].map(({ acceptedIdentity: _not, ...state }) => state);
  }

  /** Runs until the signal is aborted. Throws `Fenced`; retries after every other failure. */
  async run(term: WriterTerm, signal: AbortSignal): Promise<void> {
    const { clock, lookMs = 1000, log } = this.#parts;
    let failing = false;
    while (!signal.aborted) {
      this.#woken = new AbortController();
      try {
        await this.#look(term);
        failing = false;
      } catch (error) {
        if (databaseFailure(error) === 'fenced') throw error;
        if (!failing) log.warn({ err: error }, 'cannot record cluster states, retrying');
        failing = true;
      }
      await sleep(clock, lookMs, AbortSignal.any([signal, this.#woken.signal]));
    }
  }

  async #look(term: WriterTerm): Promise<void> {
    const { store, watches } = this.#parts;
    if (this.#needsReading()) {
      this.#recorded.clear();
      for (const cluster of await store.clusters()) this.#recorded.set(cluster.name, cluster);
    }
    const names = new Set([...watches().keys(), ...this.#recorded.keys()]);
    for (const name of names) await this.#update(term, name);
  }

  /** Whether to read the rows again: a person may have accepted a changed identity. */
  #needsReading(): boolean {
    const all = [...this.#parts.watches().values()];
    return this.#recorded.size === 0 || all.some((watch) => !this.#admitted.has(watch));
  }

  async #update(term: WriterTerm, name: string): Promise<void> {
    const { store, watches, admitted, log } = this.#parts;
    const watch = watches().get(name);
    const state = this.#stateOf(name, watch);
    if (state === undefined) return;
    const text = JSON.stringify(state);
    if (this.#written.get(name) !== text) {
      await store.writeCluster(term, state);
      this.#written.set(name, text);
      const before = this.#recorded.get(name);
      const { accepted: _done, ...now } = state;
      this.#recorded.set(name, { ...before, ...now });
      if (before?.state !== state.state || before.message !== state.message)
        log[state.state === 'synced' || before === undefined ? 'info' : 'warn'](
          { cluster: name, state: state.state, why: state.message },
          'cluster state changed',
        );
    }
    if (watch === undefined || this.#admitted.has(watch) || state.state === 'frozen') return;
    this.#admitted.add(watch);
    admitted(watch);
  }

  /** Undefined if there is nothing to record yet. */
  #stateOf(name: string, watch: ClusterWatch | undefined): ClusterState | undefined {
    const recorded = this.#recorded.get(name);
    const identity = this.#parts.fleet.identityOf(name);
    const base = { name, ...defined({ identity }), unreadableNamespaces: [] };
    const assessment = this.#parts.fleet.stateOf(name);
    if (assessment?.status === 'IdentityChanged')
      return { ...withIdentity(base, recorded), state: 'frozen', message: assessment.message };
    if (watch === undefined) return this.#stateOfMissing(base, recorded, assessment?.message);
    this.#missingSince.delete(name);
    const another = isAnother(recorded, identity);
    if (another && !this.#isAcceptedInFleet(name, identity))
      return {
        ...withIdentity(base, recorded),
        state: 'frozen',
        message:
          `its kube-system uid was ${recorded?.identity} and is ${identity} now: its state is not recorded and nothing counts as deleted. ` +
          `If that is expected, run: ssvirt database accept-cluster ${name} ${identity}`,
      };
    // The acceptance is recorded here as well, because the annotation may be removed again.
    return this.#stateOfRead({ ...base, ...(another ? { accepted: true } : {}) }, watch, recorded);
  }

  /** A process that has just started has not reached its clusters yet, which says nothing about them. */
  #stateOfMissing(
    base: Omit<ClusterState, 'state' | 'message'>,
    recorded: RecordedCluster | undefined,
    why: string | undefined,
  ): ClusterState | undefined {
    const { clock, staleAfterMs } = this.#parts;
    const since = this.#missingSince.get(base.name) ?? clock.now();
    this.#missingSince.set(base.name, since);
    if (recorded === undefined || clock.now() - since < staleAfterMs) return undefined;
    const message = why ?? 'the cluster is not in the fleet: it serves no KubeVirt, or its KubevirtConfig is gone';
    return { ...withIdentity(base, recorded), state: 'stale', message };
  }

  /** Whether the annotation on its KubevirtConfig accepts this identity. */
  #isAcceptedInFleet(name: string, identity: string | undefined): boolean {
    const config = this.#parts.fleet.listConfigs().find(({ metadata }) => metadata.name === name);
    return identity !== undefined && config?.metadata.annotations?.[acceptIdentityAnnotation] === identity;
  }

  /**
   * The cluster counts as unread if its watches work and it does not answer, or if it answers and its watches are
   * silent.
   */
  #read(name: string, watch: ClusterWatch): Readability {
    const read = watch.readability();
    const trouble = read.state === 'synced' ? this.#parts.trouble(name) : undefined;
    return trouble === undefined ? read : { state: 'failing', ...trouble };
  }

  #stateOfRead(
    base: Omit<ClusterState, 'state' | 'message'>,
    watch: ClusterWatch,
    recorded: RecordedCluster | undefined,
  ): ClusterState {
    const { clock, staleAfterMs, waits } = this.#parts;
    const read = this.#read(base.name, watch);
    if (read.state !== 'synced') this.#readableSince.delete(base.name);
    const since = this.#readableSince.get(base.name) ?? clock.now();
    if (read.state === 'synced') this.#readableSince.set(base.name, since);
    const before = {
      state: recorded?.state ?? ('stale' as const),
      message: recorded?.message ?? 'it has not been read yet',
    };
    const asBefore =
      before.state === 'frozen' ? { state: 'stale' as const, message: 'it has not been read yet' } : before;
    switch (read.state) {
      case 'starting':
        return {
          ...withIdentity(base, recorded),
          ...base,
          ...asBefore,
          unreadableNamespaces: recorded?.unreadableNamespaces ?? [],
        };
      case 'failing':
        return clock.now() - read.since < staleAfterMs
          ? { ...base, ...asBefore, unreadableNamespaces: recorded?.unreadableNamespaces ?? [] }
          : { ...base, state: 'stale', message: `it cannot be read: ${read.message}` };
      case 'synced':
        // The rows match the cluster only when everything known has been written.
        return asBefore.state === 'stale' && (!this.#admitted.has(watch) || waits(base.name, since))
          ? { ...base, ...asBefore }
          : { ...base, state: 'synced', message: '', unreadableNamespaces: read.unreadable };
    }
  }
}

function withIdentity(
  base: Omit<ClusterState, 'state' | 'message'>,
  recorded: RecordedCluster | undefined,
): typeof base {
  return recorded?.identity === undefined ? base : { ...base, identity: recorded.identity };
}

function isAnother(recorded: RecordedCluster | undefined, identity: string | undefined): boolean {
  if (recorded?.identity === undefined || identity === undefined) return false;
  return recorded.identity !== identity && recorded.acceptedIdentity !== identity;
}
