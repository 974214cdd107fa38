/**
 * One operator as a process, which is killed between any two of its writes, with AAP, and orders whose names occur in
 * everything that is written for them.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { parentUidOf } from '../../packages/kube/src/reconcile/owners.ts';
import { desiredVersion } from '../../packages/ssvirt/src/kubevirt/order/config-version.ts';
import { annotations, labels, type Mode } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { processGroup, type ProcessGroup } from '../cluster/processes.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { ClusterProxy } from '../tenancy/crash/cluster-proxy.ts';
import { Stage, Watched, type Point } from '../tenancy/crash/stage.ts';
import { passing, type Director } from '../tenancy/crash/step.ts';
import { Controller } from '../vm-status/controllers.ts';
import { children } from './aap/harness.ts';
import { RecordingAap } from './aap/recording.ts';
import { CloudkitHarness, ordersNamespace, tenant } from './harness.ts';

const program = fileURLToPath(new URL('operator.ts', import.meta.url));
const actor = 'operator';
const inTime = { deadlineMs: 100_000, everyMs: 200 };

export interface Operation {
  readonly does: 'create' | 'change' | 'delete';
  readonly by: Mode;
}

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
/** Small, since many VMs have to fit. */
const first = {
  cpu_cores: 2,
  memory: '128Mi',
  disk_size: '10Gi',
  ssh_public_key: `${key} one`,
  exposed_ports: '22/tcp',
};
/** The text is different for every object. */
const second = {
  ...first,
  cpu_cores: 3,
  disk_size: '12Gi',
  ssh_public_key: `${key} two`,
  exposed_ports: '22/tcp,80/tcp',
  cloud_init_config: Buffer.from('#cloud-config\n# other\n').toString('base64'),
};

type Uids = Readonly<Record<string, string>>;

export class CrashHarness {
  readonly #inner: CloudkitHarness;
  readonly #aap: RecordingAap;
  readonly #hand: Client;
  readonly #proxy: ClusterProxy;
  readonly #stage: Stage;
  readonly #folder: ThrowAwayFolder;
  readonly #group: ProcessGroup;
  #present: Controller | undefined;
  #made = 0;
  #lives = 0;

  private constructor(
    inner: CloudkitHarness,
    [aap, hand]: readonly [RecordingAap, Client],
    [proxy, stage]: readonly [ClusterProxy, Stage],
    folder: ThrowAwayFolder,
  ) {
    this.#inner = inner;
    this.#aap = aap;
    this.#hand = hand;
    this.#proxy = proxy;
    this.#stage = stage;
    this.#folder = folder;
    this.#group = processGroup(folder.path);
  }

  static async start(): Promise<CrashHarness> {
    const inner = await CloudkitHarness.start({ dials: { speed: 200 } });
    const hand = createClient({ cluster: 'local', source: fixedSource(inner.sandbox), userAgent: 'aap' });
    const aap = await RecordingAap.start({ client: hand });
    const stage = new Stage();
    // Events are sent independently of the work, and nothing depends on them.
    const director: Director = { fateOf: (step) => (step.text.endsWith('/events') ? passing : stage.fateOf(step)) };
    const proxy = await ClusterProxy.start(actor, inner.sandbox, director);
    const folder = await throwAwayFolder('ssvirt-cloudkit-crash-');
    const harness = new CrashHarness(inner, [aap, hand], [proxy, stage], folder);
    await harness.#live();
    return harness;
  }

  /**
   * Does this to an order for each point, stops the operator there, and kills it. Resolves to the steps that were
   * reached.
   */
  async strike(operation: Operation, points: readonly Point[]): Promise<readonly Watched[]> {
    // No number in a uid looks like this name.
    const names = points.map(() => `oc-${++this.#made}-x`);
    if (operation.does !== 'create') {
      for (const name of names) await this.#create(name, operation.by);
      await this.#all(names, 'is ready', isReady);
    }
    const watched = points.map((point, at) => new Watched(names[at] ?? '', point));
    this.#stage.watch(actor, watched);
    for (const name of names) await this.#ask(operation, name);
    const isDone = operation.does === 'delete' ? isGone : isReady;
    await until(
      'each is held or done',
      async () => {
        const found = await this.#orders();
        return watched.every(({ name, heldAt }) => heldAt !== undefined || isDone(found.get(name)));
      },
      inTime,
    );
    const before = await this.#standing();
    await this.#present?.kill();
    for (const one of watched) one.release(false);
    await this.#live();
    await this.#all(names, 'is as ordered after a blow', isDone);
    const now = await this.#standing();
    for (const name of names) this.#check(operation, name, before.get(name) ?? {}, now.get(name) ?? {});
    await this.#noOrphans();
    // Frees the slot for the next; nothing waits for it.
    if (operation.does !== 'delete') for (const name of names) await this.#inner.delete(name);
    return watched;
  }

  async stop(): Promise<void> {
    await this.#present?.stop();
    await this.#group.stop();
    await this.#proxy.stop();
    await this.#aap.stop();
    await this.#hand.close();
    await this.#inner.stop();
    await this.#folder.remove();
  }

  async #live(): Promise<void> {
    const file = join(this.#folder.path, 'operator.yaml');
    const kubeconfig = await writeKubeconfig(join(this.#folder.path, 'kubeconfig'), this.#proxy.credentials);
    const cloudkit = {
      kubeconfig,
      leaderElection: 'false',
      healthAddr: '127.0.0.1:0',
      metricsAddr: '127.0.0.1:0',
      maxConcurrentReconciles: '40',
      aap: {
        createUrl: this.#aap.createUrl,
        deleteUrl: this.#aap.deleteUrl,
        retryInitial: '50ms',
        retryLongest: '500ms',
        repeatAfter: '5s',
        quietPeriod: '1s',
      },
    };
    await writeFile(file, stringify({ log: { format: 'json' }, cloudkit }));
    const name = `operator-${++this.#lives}`;
    const start = (life: number): ReturnType<ProcessGroup['start']> =>
      this.#group.start(`${name}-${life}`, process.execPath, [program, file], process.env);
    this.#present = new Controller(name, start, false);
  }

  async #ask({ does, by }: Operation, name: string): Promise<void> {
    if (does === 'create') await this.#create(name, by);
    else if (does === 'change') await this.#inner.ask(name, second);
    else await this.#inner.delete(name);
  }

  #create(name: string, by: Mode): Promise<Order> {
    return this.#inner.order(name, { parameters: first }, { annotations: { [annotations.managedBy]: by } });
  }

  async #all(names: readonly string[], what: string, is: (order: Order | undefined) => boolean): Promise<void> {
    await until(
      `every order ${what}`,
      async () => {
        const found = await this.#orders();
        const bad = names.find((name) => !is(found.get(name)));
        if (bad === undefined) return true;
        throw new Error(`${bad} is not: ${JSON.stringify(found.get(bad))}\n${this.#present?.log.slice(-3000)}`);
      },
      inTime,
    );
  }

  async #orders(): Promise<ReadonlyMap<string, Order>> {
    const { items } = await this.#inner.client.list(orders, { namespace: ordersNamespace });
    return new Map(items.map((order) => [order.metadata.name ?? '', order]));
  }

  /** The existing objects of each order, by kind and name, with their uids. */
  async #standing(): Promise<ReadonlyMap<string, Uids>> {
    const found = new Map<string, Record<string, string>>();
    for (const { what, type, suffix } of children)
      for (const { metadata } of (await this.#inner.client.list(type, { namespace: tenant })).items) {
        const { name = '', uid = '' } = metadata;
        const [, order] = /^(oc-\d+-x)(.*)$/.exec(name) ?? [];
        if (order === undefined || name !== `${order}${suffix}`) continue;
        found.set(order, { ...found.get(order), [what]: uid });
      }
    return found;
  }

  /** What existed at the kill still exists, or is gone with the order; and all requests to AAP were the same. */
  #check({ does, by }: Operation, name: string, before: Uids, now: Uids): void {
    if (does === 'delete') assert.deepEqual(now, {}, name);
    else {
      const all = by === 'aap' ? children.filter(({ what }) => what !== 'service') : children;
      assert.deepEqual(Object.keys(now).toSorted(), all.map(({ what }) => what).toSorted(), name);
      assert.deepEqual({ ...now, ...before }, now, `${name}: something was created again`);
    }
    const action = does === 'delete' ? 'delete' : 'create';
    const keys = new Set(this.#aap.callsFor(name, action).map((call) => call.key));
    assert.equal(keys.size, by === 'aap' ? 1 : 0, `${name}: ${[...keys].join(', ')}`);
  }

  /** Each object belongs to an existing order, and to that very one. */
  async #noOrphans(): Promise<void> {
    const all = await this.#orders();
    for (const type of new Set(children.map((child) => child.type)))
      for (const { metadata } of (await this.#inner.client.list(type, { namespace: tenant })).items) {
        const order = metadata.labels?.[labels.order] ?? metadata.labels?.[labels.instance] ?? '';
        assert.ok(all.has(order), `${type.kind} ${metadata.name} has no order`);
        const parent = parentUidOf(metadata);
        if (parent !== undefined) assert.equal(parent, all.get(order)?.metadata.uid, `${type.kind} ${metadata.name}`);
      }
  }
}

function isReady(order: Order | undefined): boolean {
  const { phase, reconciledConfigVersion, observedGeneration } = order?.status ?? {};
  return (
    order !== undefined &&
    phase === 'Ready' &&
    reconciledConfigVersion === desiredVersion(order.spec) &&
    observedGeneration === order.metadata.generation
  );
}

function isGone(order: Order | undefined): boolean {
  return order === undefined;
}
