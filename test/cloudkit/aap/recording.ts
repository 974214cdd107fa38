/** The sandbox's AAP, which remembers here what it was asked for and what it has begun. */
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

  static async start(options: AapOptions): Promise<RecordingAap> {
    const aap = new RecordingAap({ ...options, dials: { waitMs, ...options.dials } });
    await aap.up();
    return aap;
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
