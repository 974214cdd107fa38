/** Runs one load after another and measures what each costs the server and its database. */
import { anchorOf, type Anchor } from './anchors.ts';
import { creations, logIns, type Case } from './cases.ts';
import type { Harness } from './harness.ts';
import { makeLoad } from './load.ts';
import type { Job, LoadResult } from './load-job.ts';
import type { Options } from './options.ts';

export interface Measured extends LoadResult {
  readonly name: string;
  readonly connections: number;
  /** Processor seconds during the load. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  readonly anchor: Anchor | undefined;
}

export const connectionCounts = [1, 16] as const;

type Load = Pick<Job, 'calls'> & Partial<Pick<Job, 'once' | 'status' | 'warmUpSeconds'>> & Pick<Case, 'as'>;

export class Bench {
  readonly #harness: Harness;
  readonly #options: Options;

  constructor(harness: Harness, options: Options) {
    this.#harness = harness;
    this.#options = options;
  }

  async measure({ name, anchor, ...load }: Case, connections: number): Promise<Measured> {
    return this.#counted({ name, connections, anchor: anchorOf(anchor, connections) }, this.#job(load, connections));
  }

  /** The latency of a reader while 16 clients log in all the time. */
  async underLogIns(get: Case): Promise<readonly Measured[]> {
    const others = this.#job({ as: 'nobody', calls: logIns() }, 16);
    const reader = this.#job({ ...get, warmUpSeconds: 0 }, 1);
    const under = Promise.withResolvers<void>();
    const load = makeLoad({ ...others, seconds: others.seconds + 2 }, under.resolve);
    await Promise.race([under.promise, load]);
    const name = `${get.name}, while 16 log in`;
    const measured = await this.#counted({ name, connections: 1, anchor: undefined }, reader);
    await load;
    return [measured];
  }

  /** The latency of the answers, and the time until all VDCs exist in the cluster. */
  async creation(): Promise<readonly Measured[]> {
    const found: Measured[] = [];
    for (const connections of connectionCounts) {
      const count = connections * this.#options.vdcs;
      const load = { as: 'system', once: true, warmUpSeconds: 0 } as const;
      const asked = this.#job({ ...load, calls: creations(count), status: 202 }, connections);
      found.push(await this.#counted({ name: 'VDC creation, 202', connections, anchor: undefined }, asked));
      await this.#settled();
      const waiting = this.#job({ ...load, calls: creations(count, 'wait=60'), status: 201 }, connections);
      const name = 'VDC creation, Prefer: wait, until it is in the cluster';
      found.push(await this.#counted({ name, connections, anchor: undefined }, waiting));
    }
    return found;
  }

  #job({ calls, as, once = false, status = 200, warmUpSeconds }: Load, connections: number): Job {
    const { url, ca, sessions } = this.#harness;
    const { seconds, warmUp } = this.#options;
    const token = as === 'nobody' ? '' : sessions[as];
    const times = { seconds, warmUpSeconds: warmUpSeconds ?? warmUp };
    return { url, ca, token, connections, calls, numbered: false, status, once, ...times };
  }

  async #counted(what: Pick<Measured, 'name' | 'connections' | 'anchor'>, job: Job): Promise<Measured> {
    const { server, postgres } = this.#harness;
    const cpu = (): readonly [number, number] => [server.cpuSeconds(), postgres.cpuSeconds()];
    let before = cpu();
    const result = await makeLoad(job, () => void (before = cpu()));
    const after = cpu();
    return { ...what, ...result, serverCpu: after[0] - before[0], databaseCpu: after[1] - before[1] };
  }

  /** Waits until no task runs, so that one load does not pay for another. */
  async #settled(): Promise<void> {
    const deadline = performance.now() + 120_000;
    for (;;) {
      const { rows } = await this.#harness.postgres.admin.query('SELECT FROM tasks WHERE ended_at IS NULL LIMIT 1');
      if (rows.length === 0) return;
      if (performance.now() > deadline) throw new Error('virtual data centers are not made within 120 s');
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }
}
