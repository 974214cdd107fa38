/**
 * Which process writes the status of the KubevirtConfigs. Several kinds may run beside each other (the vm-controller, the machine operator), each
 * with its own way to the clusters: one may reach a cluster that another does not, and two who write would undo each other's words for ever. So a Lease
 * in the namespace of the KubevirtConfigs decides between those that lead, and what the holder sees is what stands there.
 */
import type { Logger } from 'pino';
import { Backoff } from '../kube/backoff.ts';
import type { Client } from '../kube/client/client.ts';
import { sleep, systemClock, type Clock } from '../kube/clock.ts';
import { createElector } from '../kube/leader/elector.ts';
import { LeadershipLost, type Term } from '../kube/leader/term.ts';
import type { ElectionTimings } from '../kube/leader/timings.ts';
import type { RunContext, Runnable } from '../kube/manager/runnable.ts';
import type { Metrics } from '../kube/metrics/metrics.ts';
import type { Fleet } from './fleet.ts';

export const reporterLease = 'ssvirt-fleet';

export interface FleetReporterOptions {
  /** Of the supervisor, past the guard: a renewal waits for nothing. */
  readonly client: Client;
  /** Of the KubevirtConfigs. */
  readonly namespace: string;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
  readonly election?: Partial<ElectionTimings>;
  /** How often to look whether there is something to report on. Nothing is asked of anybody. */
  readonly everyMs?: number;
}

/** Runs on the leader of its kind. `reports` and `holds` are for the options of the fleet, which it gets to know by `for`. */
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
  /** Whoever leads has to hold what is in use, whether it reports or not. */
  readonly holds = (): boolean => this.#leads;

  /** Whose `refresh` is called when it begins to report. */
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

  /** Without KubevirtConfigs their namespace need not exist, and a Lease could not be put there. */
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
      ...(metrics === undefined ? {} : { metrics }),
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
      // Another may report by now: this one comes again as a candidate.
      if (!(error instanceof LeadershipLost)) throw error;
      log.warn({ err: error }, 'lost the lease of the cluster reporter');
    } finally {
      this.#term = undefined;
    }
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
