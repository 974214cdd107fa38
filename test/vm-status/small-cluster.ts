/**
 * A cluster in this process with the kinds of KubeVirt and no controllers: the test sets the state of VMs. It can go
 * down, come back, come back with an older state, and be replaced by another cluster at the same address with the same
 * certificates and tokens.
 */
import { randomBytes } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { WATCH_TIMES } from '../../packages/sandbox/src/server/api/watch.ts';
import { startCluster, type Cluster as Sandbox } from '../../packages/sandbox/src/server/cluster.ts';
import { loadIdentity, type Identity } from '../../packages/sandbox/src/server/identity.ts';
import type { Faults } from '../../packages/sandbox/src/server/faults/faults.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { installKubeVirt } from '../fleet/harness.ts';
import { fixedSource, type MemberCluster } from '../fleet/sandboxes.ts';
import { namespace } from './tenant.ts';

const host = '127.0.0.1';

/**
 * Bookmarks come every half second: a watch that is silent for longer has lost its server, or is at a version that the
 * server does not know.
 */
const watchTimes = { ...WATCH_TIMES, bookmarkEvery: 500 };

const namespaces: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

export class SmallCluster implements MemberCluster {
  readonly name: string;
  readonly namespace = namespace;
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly #identity: Identity;
  readonly #folder: ThrowAwayFolder;
  /** The folder of its current state: each cluster that was at this address has its own. */
  #state: string;
  #sandbox: Sandbox;
  #client: Client;

  private constructor(name: string, identity: Identity, folder: ThrowAwayFolder, state: string, sandbox: Sandbox) {
    this.name = name;
    this.#identity = identity;
    this.#folder = folder;
    this.#state = state;
    this.#sandbox = sandbox;
    this.url = sandbox.url;
    this.ca = identity.authority.certificate;
    this.token = identity.token;
    this.#client = createClient({ cluster: name, source: fixedSource(this), userAgent: 'vm-status-test' });
  }

  /** `more` are additional namespaces. */
  static async start(name: string, more: readonly string[] = []): Promise<SmallCluster> {
    const identity = await loadIdentity({ host, token: randomBytes(12).toString('hex') });
    const folder = await throwAwayFolder('ssvirt-small-');
    const sandbox = await run(name, identity, join(folder.path, 'first'), 0);
    const cluster = new SmallCluster(name, identity, folder, 'first', sandbox);
    await cluster.furnish(more);
    return cluster;
  }

  get client(): Client {
    return this.#client;
  }

  get faults(): Faults {
    return this.#sandbox.faults;
  }

  /** Creates the kinds and namespaces of every cluster. */
  async furnish(more: readonly string[] = []): Promise<void> {
    await installKubeVirt(this);
    for (const name of [namespace, ...more]) await this.client.create(namespaces, { metadata: { name } });
  }

  async down(): Promise<void> {
    await this.#sandbox.stop();
  }

  async up(): Promise<void> {
    this.#sandbox = await run(
      this.name,
      this.#identity,
      join(this.#folder.path, this.#state),
      Number(new URL(this.url).port),
    );
  }

  /** Moves to another address for the duration of `act`, so that clients of the usual address do not reach it. */
  async elsewhere(act: () => Promise<void>): Promise<void> {
    const { client } = this;
    const hidden = await run(this.name, this.#identity, join(this.#folder.path, this.#state), 0);
    this.#client = createClient({
      cluster: this.name,
      source: fixedSource({ url: hidden.url, ca: this.ca, token: this.token }),
      userAgent: 'vm-status-test',
    });
    try {
      await act();
    } finally {
      await this.#client.close();
      this.#client = client;
      await hidden.stop();
    }
  }

  /** Becomes another cluster at the same address, empty if this state is new. */
  async become(state: string): Promise<void> {
    await this.down();
    this.#state = state;
    await this.up();
  }

  async swap(): Promise<void> {
    await this.become(randomBytes(4).toString('hex'));
  }

  /** Stores a copy of its state for `restore`. It is down meanwhile. */
  async backUp(): Promise<void> {
    await this.down();
    await cp(join(this.#folder.path, this.#state), join(this.#folder.path, 'backup'), { recursive: true });
    await this.up();
  }

  /** As after a restore of etcd: the same cluster with an older state. */
  async restore(): Promise<void> {
    await this.down();
    await rm(join(this.#folder.path, this.#state), { recursive: true });
    await cp(join(this.#folder.path, 'backup'), join(this.#folder.path, this.#state), { recursive: true });
    await this.up();
  }

  async stop(): Promise<void> {
    await this.#client.close();
    await this.#sandbox.stop();
    await this.#folder.remove();
  }

  create(name: string, labels: Record<string, string>, printableStatus = 'Running'): Promise<Unstructured> {
    const status = { printableStatus };
    return this.client.create(virtualMachines, {
      metadata: { namespace, name, labels },
      spec: { runStrategy: printableStatus === 'Stopped' ? 'Halted' : 'Always' },
      status,
    });
  }

  /** Sets both the requested and the reported state to Running or Stopped. */
  async power(name: string, on: boolean): Promise<void> {
    const body = on
      ? { spec: { runStrategy: 'Always' }, status: { printableStatus: 'Running' } }
      : { spec: { runStrategy: 'Halted' }, status: { printableStatus: 'Stopped' } };
    await this.client.patch(virtualMachines, { namespace, name }, { type: 'merge', body });
  }

  async remove(name: string): Promise<void> {
    await this.client.delete(virtualMachines, { namespace, name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

function run(name: string, identity: Identity, data: string, port: number): Promise<Sandbox> {
  return startCluster({ name, host, port, identity, eventWindow: 10_000, data, watchTimes });
}
