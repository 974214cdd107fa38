/**
 * The process's own cluster: a member of the fleet from the moment that it serves KubeVirt, unless a KubevirtConfig
 * already refers to it. Then its VMs are known by that name, and a second name would mean two controllers for one VM.
 */
import type { Logger } from 'pino';
import { Backoff } from '../../kube/backoff.ts';
import { sleep, type Clock } from '../../kube/clock.ts';
import type { Cluster } from '../../kube/cluster.ts';
import { requestIdentity } from '../identity/identity-request.ts';
import { aboutInterval, type HealthTimes } from '../health/health-times.ts';
import { servesKubeVirt } from '../health/cluster-probe.ts';

export interface LocalMemberOptions {
  readonly cluster: Cluster;
  readonly times: HealthTimes;
  readonly clock: Clock;
  readonly log: Logger;
  readonly engaged: (cluster: Cluster) => void;
  /** The name under which the cluster is already known. */
  readonly holderOf: (identity: string, signal: AbortSignal) => Promise<string | undefined>;
}

export class LocalMember {
  readonly #options: LocalMemberOptions;
  readonly #firstLook = Promise.withResolvers<void>();
  #identity: string | undefined;
  #isMember = false;
  #hasLooked = false;
  #holder: string | undefined;

  constructor(options: LocalMemberOptions) {
    this.#options = options;
  }

  get identity(): string | undefined {
    return this.#identity;
  }

  get isMember(): boolean {
    return this.#isMember;
  }

  /**
   * Settles after the first probe, with any result. From then on a KubevirtConfig that refers to this cluster is
   * recognized.
   */
  get firstLook(): Promise<void> {
    return this.#firstLook.promise;
  }

  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, times, log } = this.#options;
    const backoff = new Backoff({ initialMs: times.retryMs, factor: 2, maxMs: times.intervalMs, jitter: 0.2 });
    while (!signal.aborted && !this.#isMember) {
      let pause = aboutInterval(times);
      try {
        await this.#look(signal);
        backoff.reset();
      } catch (error) {
        pause = backoff.take();
        if (!signal.aborted) log.warn({ err: error, cluster: this.#options.cluster.name }, 'cannot probe own cluster');
      }
      this.#hasLooked = true;
      this.#firstLook.resolve();
      if (!this.#isMember) await sleep(clock, pause, signal);
    }
    this.#firstLook.resolve();
  }

  /** Logged once, because it stays true as long as that KubevirtConfig exists. */
  #heldBy(holder: string | undefined): void {
    if (holder === undefined || holder === this.#holder) return;
    this.#holder = holder;
    const { cluster, log } = this.#options;
    log.info({ cluster: cluster.name, holder }, 'own cluster is the cluster of a KubevirtConfig');
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { cluster, times, log, engaged, holderOf } = this.#options;
    const request = { signal, timeoutMs: times.deadlineMs };
    this.#identity = await requestIdentity(cluster.client, request);
    if (!(await servesKubeVirt(cluster.client, request))) return;
    const holder = await holderOf(this.#identity, signal);
    if (signal.aborted || holder !== undefined) return this.#heldBy(holder);
    this.#isMember = true;
    log.info({ cluster: cluster.name }, 'own cluster serves KubeVirt and joined the fleet');
    engaged(cluster);
  }
}
