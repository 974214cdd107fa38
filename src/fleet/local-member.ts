/** The process's own cluster: a member of the fleet from the moment that it serves KubeVirt. */
import type { Logger } from 'pino';
import { sleep, type Clock } from '../kube/clock.ts';
import type { Cluster } from '../kube/cluster.ts';
import { askIdentity } from './contact.ts';
import { aboutInterval, type HealthTimes } from './parts.ts';
import { servesKubeVirt } from './survey.ts';

export interface LocalMemberOptions {
  readonly cluster: Cluster;
  readonly times: HealthTimes;
  readonly clock: Clock;
  readonly log: Logger;
  readonly engaged: (cluster: Cluster) => void;
}

export class LocalMember {
  readonly #options: LocalMemberOptions;
  readonly #firstLook = Promise.withResolvers<void>();
  #identity: string | undefined;
  #isMember = false;

  constructor(options: LocalMemberOptions) {
    this.#options = options;
  }

  get identity(): string | undefined {
    return this.#identity;
  }

  get isMember(): boolean {
    return this.#isMember;
  }

  /** Settled when it has been asked once, whatever it said: who else is this cluster can be told from then on. */
  get firstLook(): Promise<void> {
    return this.#firstLook.promise;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, times, log } = this.#options;
    while (!signal.aborted && !this.#isMember) {
      try {
        await this.#look(signal);
      } catch (error) {
        if (!signal.aborted)
          log.warn({ err: error, cluster: this.#options.cluster.name }, 'cannot look at the own cluster');
      }
      this.#firstLook.resolve();
      if (!this.#isMember) await sleep(clock, aboutInterval(times), signal);
    }
    this.#firstLook.resolve();
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { cluster, times, log, engaged } = this.#options;
    const request = { signal, timeoutMs: times.deadlineMs };
    this.#identity = await askIdentity(cluster.client, request);
    if (!(await servesKubeVirt(cluster.client, request))) return;
    this.#isMember = true;
    log.info({ cluster: cluster.name }, 'the own cluster serves KubeVirt and is a member of the fleet');
    engaged(cluster);
  }
}
