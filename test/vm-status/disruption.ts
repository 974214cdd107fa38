/**
 * Kills what the rows depend on, without a warning, and restores it: controllers, API servers, the database; or injects
 * faults into requests.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../conformance/dice.ts';
import type { VmStatusHarness } from './harness.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

export const victims = ['controller', 'database', 'member', 'supervisor', 'requests'] as const;
export type Victim = (typeof victims)[number];

export interface Disruption {
  readonly at: Date;
  readonly what: string;
}

export class Disruptions {
  readonly #harness: VmStatusHarness<SimulatedCluster>;
  readonly #dice: Dice;
  readonly done: Disruption[] = [];

  constructor(harness: VmStatusHarness<SimulatedCluster>, dice: Dice) {
    this.#harness = harness;
    this.#dice = dice;
  }

  /** Resolves when the victim is back. */
  async strike(victim: Victim): Promise<void> {
    const { clusters, controllers, database } = this.#harness;
    const [supervisor, ...members] = clusters;
    switch (victim) {
      case 'controller': {
        const controller = this.#dice.pick(controllers.all);
        this.#note(`killed ${controller.name}`);
        return controller.kill();
      }
      case 'database':
        this.#note('killed PostgreSQL');
        await database.postgres.kill();
        await pause(this.#dice.below(800));
        return database.postgres.start();
      case 'member':
        return this.#killCluster(this.#dice.pick(members));
      case 'supervisor':
        if (supervisor !== undefined) await this.#killCluster(supervisor);
        return;
      case 'requests':
        return this.#strikeRequests(this.#dice.pick(clusters));
    }
  }

  async #killCluster(cluster: SimulatedCluster): Promise<void> {
    this.#note(`killed cluster ${cluster.name}`);
    await cluster.kill();
    await pause(this.#dice.below(500));
    await cluster.restart();
  }

  async #strikeRequests(cluster: SimulatedCluster): Promise<void> {
    const kind = this.#dice.pick(['gone-in-stream', 'reset-mid-line', 'reset', '503', '429', 'stale-list'] as const);
    this.#note(`${kind} on cluster ${cluster.name}`);
    const body = { kind, path: '/apis/kubevirt.io/v1/', verbs: ['list', 'watch', 'get'], times: 6 };
    // The cluster may be down at the moment.
    await cluster.client
      .request({ method: 'POST', path: '/sandbox/faults', body, timeoutMs: 2000 })
      .catch(() => undefined);
  }

  /** Removes all faults. */
  async lift(): Promise<void> {
    for (const { client } of this.#harness.clusters)
      await client.request({ method: 'DELETE', path: '/sandbox/faults' });
  }

  #note(what: string): void {
    this.done.push({ at: new Date(), what });
  }
}
