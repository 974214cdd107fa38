/**
 * A sandbox with everything simulated, fast, with a witness from its first object on; and what an operator can do to
 * the simulators themselves.
 */
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { createLogger } from '../../../packages/base/src/config/log.ts';
import { DIALS } from '../../../packages/sandbox/src/simulators/dial-keeper.ts';
import { namespaces } from '../../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { configMaps } from '../../../packages/sandbox/src/simulators/serving/front-proxy.ts';
import { startSimulators, type Simulators } from '../../../packages/sandbox/src/simulators/start.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../../fleet/sandboxes.ts';
import { until } from '../../runtime/until.ts';
import { Witness } from './witness.ts';

const speed = Number(process.env['SSVIRT_TEST_SPEED'] ?? 100);

export class Harness {
  readonly witness = new Witness();
  readonly #cluster: MemberCluster;
  #simulators: Simulators;
  #isVirtApiDown = false;
  #spaces = 0;

  private constructor(cluster: MemberCluster, simulators: Simulators) {
    this.#cluster = cluster;
    this.#simulators = simulators;
  }

  static async start(): Promise<Harness> {
    const cluster = await startMemberCluster('property');
    const harness = new Harness(cluster, await simulate(cluster));
    await harness.witness.start(harness.client);
    return harness;
  }

  async stop(): Promise<void> {
    await this.witness.stop();
    await this.#simulators.stop({ leaveRegistered: true });
    await this.#cluster.stop();
  }

  get client(): Client {
    return this.#cluster.client;
  }

  async newNamespace(): Promise<string> {
    const name = `history-${++this.#spaces}`;
    await this.client.create(namespaces, { metadata: { name } });
    return name;
  }

  async restartSimulators(): Promise<void> {
    await this.#simulators.stop({ leaveRegistered: true });
    this.#isVirtApiDown = false;
    this.#simulators = await simulate(this.#cluster);
  }

  get isVirtApiDown(): boolean {
    return this.#isVirtApiDown;
  }

  async stopVirtApi(): Promise<void> {
    if (this.#isVirtApiDown) return;
    this.#isVirtApiDown = true;
    await this.#simulators.serving?.pause();
  }

  async startVirtApi(): Promise<void> {
    if (!this.#isVirtApiDown) return;
    await this.#simulators.serving?.resume();
    this.#isVirtApiDown = false;
  }

  /** Resolves when the simulators have applied the faults. */
  async turnFaults(faults: readonly string[]): Promise<void> {
    const text = faults.length === 0 ? '[]' : faults.map((fault) => `- ${fault}\n`).join('');
    await this.client.patch(configMaps, DIALS, { type: 'merge', body: { data: { faults: text } } });
    await until('the dials are turned', () => this.#simulators.world.dials.faults.length === faults.length);
  }
}

function simulate(cluster: MemberCluster): Promise<Simulators> {
  return startSimulators({
    source: fixedSource(cluster),
    name: 'property',
    parts: ['kubevirt', 'nodes', 'storage', 'cdi'],
    dials: { speed, nodes: { count: 3, cpu: '4', memory: '3Gi' } },
    log: createLogger({ level: 'fatal', format: 'text' }),
  });
}
