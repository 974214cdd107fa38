/**
 * Decides which process writes the status of the KubevirtConfigs. Several kinds of process may run beside each other
 * (the vm-controller, the machine operator), each with its own network path to the clusters: one may reach a cluster
 * that another cannot, and two writers would overwrite each other forever. So the leaders compete for a Lease in the
 * namespace of the KubevirtConfigs, and the status shows what the holder sees.
 */
import { aborted } from '@ssvirt/base/async/aborted';
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { Backoff } from '@ssvirt/kube/backoff';
import type { Client } from '@ssvirt/kube/client/client';
import { sleep, systemClock, type Clock } from '@ssvirt/kube/clock';
import { createElector } from '@ssvirt/kube/leader-election/elector';
import { LeadershipLost, type Term } from '@ssvirt/kube/leader-election/term';
import type { ElectionTimings } from '@ssvirt/kube/leader-election/timings';
import type { RunContext, Runnable } from '@ssvirt/kube/manager/runnable';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import type { Fleet } from '../fleet.ts';

export const reporterLease = 'ssvirt-fleet';

export interface FleetReporterOptions {
  /** A client of the supervisor that bypasses the guard: a renewal must not wait. */
  readonly client: Client;
  /** The namespace of the KubevirtConfigs. */
  readonly namespace: string;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
  readonly election?: Partial<ElectionTimings>;
  /** How often to check whether there is something to report on. Reads only the cache. */
  readonly everyMs?: number;
}

/** `FleetReporter` runs on the leader of its kind. `reports` and `holds` are options of the fleet; `for` passes the fleet in later. */
export class FleetReporter implements Runnable {
  readonly name = 'fleet-reporter';
  readonly #options: FleetReporterOptions;
  readonly #clock: Clock;
  #fleet: Pick<Fleet, 'listConfigs' | 'refresh'> | undefined;
  #leads = false;
  #term: Term | undefined;

  constructor(options: FleetReporterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  readonly reports = (): boolean => this.#term?.isHeld() === true;
  /** Every leader protects clusters that are in use, whether it reports or not. */
  readonly holds = (): boolean => this.#leads;

  /** Sets the fleet whose `refresh` is called when this process starts to report. */
  for(fleet: Pick<Fleet, 'listConfigs' | 'refresh'>): this {
    this.#fleet = fleet;
    return this;
  }

  async run({ signal }: RunContext): Promise<void> {
    const backoff = new Backoff({ initialMs: 1000, factor: 2, maxMs: 30_000, jitter: 0.5 });
    this.#leads = true;
    this.#fleet?.refresh();
    try {
      while (await this.#somethingToReport(signal)) {
        await this.#report(signal, backoff);
        if (!signal.aborted) await sleep(this.#clock, backoff.take(), signal);
      }
    } finally {
      this.#leads = false;
    }
  }

  /** Without KubevirtConfigs their namespace may not exist, and the Lease could not be created there. */
  async #somethingToReport(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted && this.#fleet?.listConfigs().length === 0)
      await sleep(this.#clock, this.#options.everyMs ?? 1000, signal);
    return !signal.aborted;
  }

  async #report(signal: AbortSignal, backoff: Backoff): Promise<void> {
    const { client, namespace, log, metrics, election } = this.#options;
    const elector = createElector({
      client,
      namespace,
      name: reporterLease,
      log,
      ...defined({ metrics }),
      clock: this.#clock,
      ...election,
    });
    try {
      await elector.run(async (term) => {
        this.#term = term;
        backoff.reset();
        this.#fleet?.refresh();
        await aborted(AbortSignal.any([signal, term.signal]));
        return 'ended';
      }, signal);
    } catch (error) {
      // Another process may report by now. This one becomes a candidate again.
      if (!(error instanceof LeadershipLost)) throw error;
      log.warn({ err: error }, 'lost the lease of the cluster reporter');
    } finally {
      this.#term = undefined;
    }
  }
}
