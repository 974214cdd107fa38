/** The sandbox's AAP, which records its calls and the jobs it started, and whose jobs can be held. */
import type { Client } from '../../../packages/kube/src/client/client.ts';
import {
  AapServer,
  type AapAction,
  type AapOptions,
  type AapCall,
  type Job,
} from '../../../packages/sandbox/src/simulators/aap/server.ts';

/** Longer than any busy host takes. */
const waitMs = 60_000;

export class RecordingAap extends AapServer {
  readonly calls: AapCall[] = [];
  readonly jobs: Job[] = [];
  readonly #gate: Gate;

  private constructor(options: AapOptions, gate: Gate) {
    super({ ...options, client: gate.guard(options.client), dials: { waitMs, ...options.dials } });
    this.#gate = gate;
  }

  static async start(options: AapOptions): Promise<RecordingAap> {
    const aap = new RecordingAap(options, new Gate());
    await aap.up();
    return aap;
  }

  /**
   * Present and future jobs make no progress until they are released, so a slow host cannot end what a test inspects.
   */
  hold(): void {
    this.#gate.shut();
  }

  release(): void {
    this.#gate.open();
  }

  override async stop(): Promise<void> {
    this.release();
    await super.stop();
  }

  callsFor(name: string, action?: AapAction): readonly AapCall[] {
    return this.calls.filter((call) => call.order.metadata.name === name && (action ?? call.action) === call.action);
  }

  jobsFor(name: string, action?: AapAction): readonly Job[] {
    return this.jobs.filter((job) => job.order === name && (action ?? job.action) === job.action);
  }

  protected override called(call: AapCall): void {
    this.calls.push(call);
  }

  protected override launched(job: Job): void {
    this.jobs.push(job);
  }
}

/** Requests to the cluster through this wait while it is closed. */
class Gate {
  #opened: PromiseWithResolvers<void> | undefined;

  shut(): void {
    this.#opened ??= Promise.withResolvers();
  }

  open(): void {
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  /** For a job's verbs, all of which return a promise. */
  guard(client: Client): Client {
    return new Proxy(client, {
      get: (target, name) => {
        const verb: unknown = Reflect.get(target, name);
        if (typeof verb !== 'function') return verb;
        return async (...given: readonly unknown[]): Promise<unknown> => {
          await this.#opened?.promise;
          return (await Reflect.apply(verb, target, given)) as unknown;
        };
      },
    });
  }
}
