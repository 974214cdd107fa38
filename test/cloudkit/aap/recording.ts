/** The sandbox's AAP, which remembers here what it was asked for and what it has begun, and whose jobs can be held. */
import type { Client } from '../../../src/kube/client/client.ts';
import {
  AapServer,
  type Action,
  type AapOptions,
  type Call,
  type Job,
} from '../../../src/sandbox/simulators/aap/server.ts';

/** Longer than any machine of a test takes. */
const waitMs = 60_000;

export class RecordingAap extends AapServer {
  readonly calls: Call[] = [];
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

  /** Jobs that run, and those to come, get no further until they are released: no slow machine ends what a test looks at. */
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

  callsFor(name: string, action?: Action): readonly Call[] {
    return this.calls.filter((call) => call.order.metadata.name === name && (action ?? call.action) === call.action);
  }

  jobsFor(name: string, action?: Action): readonly Job[] {
    return this.jobs.filter((job) => job.order === name && (action ?? job.action) === job.action);
  }

  protected override called(call: Call): void {
    this.calls.push(call);
  }

  protected override launched(job: Job): void {
    this.jobs.push(job);
  }
}

/** What is asked of the cluster through it waits while it is shut. */
class Gate {
  #opened: PromiseWithResolvers<void> | undefined;

  shut(): void {
    this.#opened ??= Promise.withResolvers();
  }

  open(): void {
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  /** For a job's verbs, all of which answer with a promise. */
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
