/**
 * The process's own cluster: a member of the fleet from the moment that it serves KubeVirt, unless a KubevirtConfig
 * already refers to it. Then its VMs are known by that name, and a second name would mean two controllers for one VM.
 * As a member it is probed periodically, as other members are.
 */
import type { Logger } from 'pino';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { requestIdentity } from '../identity/identity-request.ts';
import { aboutInterval, type HealthTimes } from '../health/health-times.ts';
import { servesKubeVirt } from '../health/cluster-probe.ts';
import { failureOf } from '../health/failure.ts';
import { watchTrouble } from '../health/reachability.ts';
import type { Phase } from '../kubevirtconfig/kubevirt-config.ts';

export interface LocalMemberOptions {
  readonly cluster: Cluster;
  readonly times: HealthTimes;
  readonly clock: Clock;
  readonly log: Logger;
  readonly engaged: (cluster: Cluster) => void;
  /** The name under which the cluster is already known. */
  readonly holderOf: (identity: string, signal: AbortSignal) => Promise<string | undefined>;
}

interface Trouble {
  readonly phase: 'Degraded' | 'Failed';
  readonly message: string;
}

export class LocalMember {
  readonly #options: LocalMemberOptions;
  readonly #firstLook = Promise.withResolvers<void>();
  #identity: string | undefined;
  #isMember = false;
  #hasLooked = false;
  #holder: string | undefined;
  #trouble: Trouble | undefined;
  /** Why the watches that another component keeps deliver nothing. */
  #noted: string | undefined;
  /** The number of failed probes in a row. */
  #failures = 0;
  #logged: Phase = 'Ready';

  constructor(options: LocalMemberOptions) {
    this.#options = options;
  }

  get identity(): string | undefined {
    return this.#identity;
  }

  get isMember(): boolean {
    return this.#isMember;
  }

  /** Of the member: `Degraded` while its watches are silent, `Failed` while it does not answer. */
  get phase(): Phase {
    return this.#current()?.phase ?? 'Ready';
  }

  noteWatches(trouble: string | undefined): void {
    this.#noted = trouble;
    this.#logPhase();
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
    while (!signal.aborted) {
      let pause = aboutInterval(times);
      try {
        if (this.#isMember) {
          if (await this.#isWell(signal)) backoff.reset();
          else pause = backoff.take();
        } else {
          await this.#look(signal);
          backoff.reset();
          // `firstLook` does not wait for the first probe as a member.
          if (this.#isMember) pause = 0;
        }
      } catch (error) {
        pause = backoff.take();
        if (!signal.aborted) log.warn({ err: error, cluster: this.#options.cluster.name }, 'cannot probe own cluster');
      }
      this.#hasLooked = true;
      this.#firstLook.resolve();
      await sleep(clock, pause, signal);
    }
    this.#firstLook.resolve();
  }

  /** A single failure is no outage: it is retried before it is shown. */
  async #isWell(signal: AbortSignal): Promise<boolean> {
    const trouble = await this.#probe(signal);
    this.#failures = trouble === undefined ? 0 : this.#failures + 1;
    if (this.#failures === 1 || signal.aborted) return false;
    this.#trouble = trouble;
    this.#logPhase();
    return trouble === undefined;
  }

  async #probe(signal: AbortSignal): Promise<Trouble | undefined> {
    const { cluster, times } = this.#options;
    const request = { signal, timeoutMs: times.deadlineMs };
    try {
      await requestIdentity(cluster.client, request);
    } catch (error) {
      return { phase: 'Failed', message: failureOf(error).message };
    }
    const message = await watchTrouble(cluster.client, request);
    return message === undefined ? undefined : { phase: 'Degraded', message };
  }

  #current(): Trouble | undefined {
    return this.#trouble ?? (this.#noted === undefined ? undefined : { phase: 'Degraded', message: this.#noted });
  }

  #logPhase(): void {
    const { cluster, log } = this.#options;
    const { phase, message: reason } = this.#current() ?? { phase: 'Ready', message: '' };
    if (phase === this.#logged) return;
    this.#logged = phase;
    const fields = { cluster: cluster.name, phase, reason };
    if (phase === 'Ready') log.info(fields, 'own cluster reachable again');
    else log.warn(fields, 'own cluster unreachable');
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
