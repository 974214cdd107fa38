/**
 * One operator, which is killed between any two of its writes, on a supervisor and a cluster. Each Machine has its own
 * namespace, which marks all that is written for it.
 */
import { namespaces, secrets } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { machines, networkConfigurations } from '../../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { annotations, type MachineSpec } from '../../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { kubeconfigText } from '../../cluster/cluster.ts';
import { putSecret } from '../../fleet/harness.ts';
import { until } from '../../runtime/until.ts';
import { ClusterProxy } from '../../tenancy/crash/cluster-proxy.ts';
import { Stage, Watched, type Point } from '../../tenancy/crash/stage.ts';
import { passing, type Director } from '../../tenancy/crash/step.ts';
import type { Controller } from '../../vm-status/controllers.ts';
import { OperatorHarness } from '../harness.ts';
import { agree } from './agreement.ts';
import { Declared } from './declared.ts';
import { disagreements } from './disagreements.ts';
import { Operators } from './operators.ts';
import { networks, textsOf } from './supplies.ts';
import { lookAtWorld } from './world.ts';

const cluster = 'east';
const actor = 'operator';
const inTime = { deadlineMs: 100_000 };

export const operations = ['create', 'edit', 'delete'] as const;
export type Operation = (typeof operations)[number];

const first: MachineSpec = {
  template: 'small',
  running: true,
  disks: [
    { name: 'root', source: { containerDisk: { image: 'images.example.com/fedora:42' } } },
    { name: 'data', size: '1Gi' },
  ],
  networks: [{ name: 'eth0' }, { name: 'eth1', networkName: 'prod-network' }],
  cloudInit: { secretRef: { name: 'words', key: 'userdata' } },
};

/** Every part of it differs: one disk removed, one added, one larger. */
const second: MachineSpec = {
  template: 'small',
  running: false,
  resources: { cpu: { cores: 3 }, memory: { size: '3Gi' } },
  disks: [
    { name: 'root', size: '25Gi', source: { containerDisk: { image: 'images.example.com/fedora:42' } } },
    { name: 'logs', size: '2Gi' },
  ],
  networks: [{ name: 'eth0', networkName: 'storage-network', model: 'e1000' }],
  cloudInit: { userData: `#cloud-config\n# ${'x'.repeat(3000)}\n` },
};

export class CrashHarness {
  readonly #inner: OperatorHarness;
  readonly #proxies: readonly ClusterProxy[];
  readonly #stage: Stage;
  readonly operators: Operators;
  #present: Controller | undefined;
  #made = 0;

  private constructor(inner: OperatorHarness, proxies: readonly ClusterProxy[], stage: Stage, operators: Operators) {
    this.#inner = inner;
    this.#proxies = proxies;
    this.#stage = stage;
    this.operators = operators;
  }

  static async start(): Promise<CrashHarness> {
    const inner = await OperatorHarness.start({ clusters: [cluster] });
    const stage = new Stage();
    // Events are sent independently of the work, and nothing depends on them.
    const director: Director = { fateOf: (step) => (step.text.endsWith('/events') ? passing : stage.fateOf(step)) };
    const supervisor = await ClusterProxy.start(actor, inner.supervisor, director);
    const member = await ClusterProxy.start(actor, inner.member(cluster), director);
    await putSecret(inner.supervisor, cluster, kubeconfigText(member.credentials));
    const settings = { leaderElection: 'false', maxConcurrentReconciles: '40', reconcileInterval: '1h' };
    const operators = await Operators.open({ supervisor: supervisor.credentials, settings });
    const harness = new CrashHarness(inner, [supervisor, member], stage, operators);
    harness.#present = await operators.start();
    return harness;
  }

  get supervisor(): OperatorHarness['supervisor'] {
    return this.#inner.supervisor;
  }

  get members(): readonly OperatorHarness['supervisor'][] {
    return [this.#inner.member(cluster)];
  }

  /**
   * Does this to a Machine for each point, stops the operator there, and kills it. Resolves to the steps that were
   * reached.
   */
  async strike(operation: Operation, points: readonly Point[]): Promise<readonly Watched[]> {
    const all = await Promise.all(points.map(() => this.#prepare()));
    if (operation !== 'create') {
      for (const declared of all) await this.#create(declared);
      await agree(this, all, inTime);
    }
    const watched = points.map((point, i) => new Watched(all[i]?.name ?? '', point));
    this.#stage.watch(actor, watched);
    for (const declared of all) await this.#ask(operation, declared);
    await until('each is held or done', () => this.#allHeldOrDone(watched, all), inTime);
    await this.#present?.kill();
    for (const one of watched) one.release(false);
    this.#present = await this.operators.start();
    await agree(this, all, { ...inTime, happened: watched.map(({ name, heldAt }) => `${name} was held at ${heldAt}`) });
    return watched;
  }

  async stop(): Promise<void> {
    await this.operators.stop();
    for (const proxy of this.#proxies) await proxy.stop();
    await this.#inner.stop();
  }

  async #prepare(): Promise<Declared> {
    // No number in a uid looks like it.
    const name = `mc-${++this.#made}-x`;
    const { client } = this.supervisor;
    await client.create(namespaces, { metadata: { name } });
    for (const [network, spec] of networks)
      await client.create(networkConfigurations, { metadata: { namespace: name, name: network }, spec });
    for (const [secret, text] of textsOf(name)) {
      const data = { userdata: Buffer.from(text).toString('base64') };
      await client.create(secrets, { metadata: { namespace: name, name: secret }, data });
    }
    return new Declared(name, name);
  }

  #ask(operation: Operation, declared: Declared): Promise<void> {
    switch (operation) {
      case 'create':
        return this.#create(declared);
      case 'edit':
        return this.#edit(declared);
      case 'delete':
        return this.#delete(declared);
    }
  }

  async #create(declared: Declared): Promise<void> {
    const { namespace, name } = declared;
    declared.state = 'there';
    declared.cluster = cluster;
    declared.spec = first;
    const metadata = { namespace, name, annotations: { [annotations.kubevirtConfig]: cluster } };
    await this.supervisor.client.create(machines, { metadata, spec: first });
  }

  async #edit(declared: Declared): Promise<void> {
    const { namespace, name } = declared;
    declared.spec = second;
    declared.labels = { 'cluster.vitistack.io/cluster-name': 'blue' };
    declared.kept.add(`${name}-data`);
    const found = await this.supervisor.client.get(machines, { namespace, name });
    const metadata = { ...found.metadata, labels: declared.labels };
    await this.supervisor.client.update(machines, { ...found, metadata, spec: second });
  }

  async #delete(declared: Declared): Promise<void> {
    const { namespace, name } = declared;
    declared.state = 'going';
    await this.supervisor.client.delete(machines, { namespace, name });
  }

  async #allHeldOrDone(watched: readonly Watched[], all: readonly Declared[]): Promise<boolean> {
    const free = all.filter((_, i) => watched[i]?.heldAt === undefined);
    if (free.length === 0) return true;
    const world = await lookAtWorld(
      this,
      free.map(({ namespace }) => namespace),
    );
    const left = disagreements(world, free);
    if (left.length === 0) return true;
    throw new Error(
      left
        .slice(0, 5)
        .map(({ machine = '', what }) => `${machine} ${what}`)
        .join('\n'),
    );
  }
}
