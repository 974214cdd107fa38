/**
 * The clusters as the API shows them: whether each answers, in words for all users. The exact cause is in the log and
 * in the status of the KubevirtConfig, because addresses and causes are for the provider only.
 */
import type { Logger } from 'pino';
import type { ClusterDirectory, ClusterEntry } from '../api/clusters/directory.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { localName, type ConnectionStatus } from '../fleet/kubevirtconfig/kubevirt-config.ts';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { Runnable, RunContext } from '@ssvirt/kube/manager/runnable';

export interface DirectoryTimes {
  /** The interval between requests to the own cluster. Once it is a member, the fleet does not probe it again. */
  readonly intervalMs: number;
  /** The first pause after a failure; it grows up to the interval. */
  readonly retryMs: number;
}

const defaultTimes: DirectoryTimes = { intervalMs: 10_000, retryMs: 500 };

const sentences: Readonly<Record<Exclude<ConnectionStatus, 'Connected'>, string>> = {
  Connecting: 'it has not answered yet',
  Disconnected: 'it does not answer',
  InvalidKubeconfig: 'its credentials cannot be used',
  IdentityChanged: 'its kubeconfig leads to a different cluster than before',
  Duplicate: 'it is a member of the fleet under another name',
};

export class FleetDirectory implements ClusterDirectory, Runnable {
  readonly name = 'cluster-directory';
  /** Every replica reports what it sees itself. */
  readonly needsLeadership = false;
  readonly #fleet: Fleet;
  readonly #log: Logger;
  readonly #times: DirectoryTimes;
  /** The state of the own cluster as text; empty while it answers. */
  #trouble: string = sentences.Connecting;

  constructor(fleet: Fleet, log: Logger, times: Partial<DirectoryTimes> = {}) {
    this.#fleet = fleet;
    this.#log = log;
    this.#times = { ...defaultTimes, ...times };
  }

  list(): readonly ClusterEntry[] {
    const names = new Set([...this.#configured(), ...this.#fleet.clusters().map(({ name }) => name)]);
    if (this.#showsOwn()) names.add(localName);
    return [...names].sort().map((name) => this.#entry(name));
  }

  get(name: string): ClusterEntry | undefined {
    return this.list().find((entry) => entry.name === name);
  }

  /** The clusters that do not answer. An own cluster without KubeVirt is not one of them if it answers. */
  silent(): readonly string[] {
    const isSilent = ({ name, available }: ClusterEntry): boolean =>
      !available && (name !== localName || this.#trouble !== '');
    return this.list()
      .filter(isSilent)
      .map(({ name }) => name);
  }

  /** Probes the own cluster from time to time. */
  async run({ signal }: RunContext): Promise<void> {
    const { intervalMs, retryMs } = this.#times;
    const backoff = new Backoff({ initialMs: retryMs, factor: 2, maxMs: intervalMs, jitter: 0.2 });
    while (!signal.aborted) {
      try {
        await this.#fleet.validateConnection(localName, signal);
        this.#answers();
        backoff.reset();
        await sleep(systemClock, intervalMs, signal);
      } catch (error) {
        // A single failure between two answers is not an outage.
        if (!signal.aborted && backoff.attempts > 0) this.#doesNotAnswer(error);
        await sleep(systemClock, backoff.take(), signal);
      }
    }
  }

  #answers(): void {
    if (this.#trouble === sentences.Disconnected) this.#log.info({ cluster: localName }, 'cluster answers again');
    this.#trouble = '';
  }

  #doesNotAnswer(error: unknown): void {
    if (this.#trouble === sentences.Disconnected) return;
    this.#log.warn({ err: error, cluster: localName }, 'cluster does not answer, its work waits');
    this.#trouble = sentences.Disconnected;
  }

  /**
   * The own cluster is shown until it has answered, because it may be a member, and requests for it are recorded in the
   * meantime. When it answers and is not a member, it has no KubeVirt or is a member under the name of a
   * KubevirtConfig: then ssvirt only runs there.
   */
  #showsOwn(): boolean {
    return this.#fleet.identityOf(localName) === undefined || this.#configured().length === 0;
  }

  #configured(): readonly string[] {
    return this.#fleet.listConfigs().map(({ metadata }) => metadata.name ?? '');
  }

  #entry(name: string): ClusterEntry {
    const message = name === localName ? this.#ownMessage() : this.#message(name);
    return { name, available: message === '', message };
  }

  #ownMessage(): string {
    if (this.#trouble !== '' || this.#fleet.cluster(localName) !== undefined) return this.#trouble;
    return 'it has no KubeVirt';
  }

  #message(name: string): string {
    const status = this.#fleet.stateOf(name)?.status ?? 'Connecting';
    if (status !== 'Connected') return sentences[status];
    return this.#fleet.cluster(name) === undefined ? sentences.Connecting : '';
  }
}
