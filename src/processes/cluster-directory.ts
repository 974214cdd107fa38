/**
 * The clusters as the API shows them: whether each answers, in words that are for everybody. What exactly is wrong stands in the log and in the status of the
 * KubevirtConfig, since addresses and causes are the operator's.
 */
import type { Logger } from 'pino';
import type { ClusterDirectory, ClusterEntry } from '../api/clusters/directory.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { localName, type ConnectionStatus } from '../fleet/kubevirt-config.ts';
import { Backoff } from '../kube/backoff.ts';
import { sleep, systemClock } from '../kube/clock.ts';
import type { Runnable, RunContext } from '../kube/manager/runnable.ts';

export interface DirectoryTimes {
  /** Between two questions to the own cluster, which the fleet does not ask again once it is a member. */
  readonly intervalMs: number;
  /** The first pause after a failure; it grows up to the interval. */
  readonly retryMs: number;
}

const defaultTimes: DirectoryTimes = { intervalMs: 10_000, retryMs: 500 };

const sentences: Readonly<Record<Exclude<ConnectionStatus, 'Connected'>, string>> = {
  Connecting: 'it has not answered yet',
  Disconnected: 'it does not answer',
  InvalidKubeconfig: 'its credentials cannot be used',
  IdentityChanged: 'its kubeconfig leads to another cluster than before',
  Duplicate: 'it is a member of the fleet by another name',
};

export class FleetDirectory implements ClusterDirectory, Runnable {
  readonly name = 'cluster-directory';
  /** Every replica answers for itself. */
  readonly needsLeadership = false;
  readonly #fleet: Fleet;
  readonly #log: Logger;
  readonly #times: DirectoryTimes;
  /** Of the own cluster; empty while it answers. */
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

  /** Those that do not answer. An own cluster that serves no KubeVirt does. */
  silent(): readonly string[] {
    const isSilent = ({ name, available }: ClusterEntry): boolean =>
      !available && (name !== localName || this.#trouble !== '');
    return this.list()
      .filter(isSilent)
      .map(({ name }) => name);
  }

  /** Asks the own cluster from time to time. */
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
        // One unanswered question between two answers is no outage.
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
   * One that has never answered may well be a member, and what is asked of it is written down meanwhile. One that answers and is none has no KubeVirt, or is known
   * by the name of a KubevirtConfig: then it is only where ssvirt runs.
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
    return 'it serves no KubeVirt';
  }

  #message(name: string): string {
    const status = this.#fleet.stateOf(name)?.status ?? 'Connecting';
    if (status !== 'Connected') return sentences[status];
    return this.#fleet.cluster(name) === undefined ? sentences.Connecting : '';
  }
}
