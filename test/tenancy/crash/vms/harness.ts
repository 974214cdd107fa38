/**
 * Two replicas of the API server and a vm-controller as processes, on a cluster in which KubeVirt, its nodes, its disks
 * and templates are simulated, and fast.
 */
import { sql, type Kysely } from 'kysely';
import { createLogger } from '../../../../packages/base/src/config/log.ts';
import type { Tables } from '../../../../packages/ssvirt/src/db/schema/schema.ts';
import { isKind } from '../../../../packages/kube/src/errors.ts';
import { templates } from '../../../../packages/ssvirt/src/fleet/kinds.ts';
import { startSimulators, type Simulators } from '../../../../packages/sandbox/src/simulators/start.ts';
import { machineTemplates } from '../../../../packages/sandbox/src/simulators/templates/machine-templates/kinds.ts';
import { install, kubevirtConfigDefinition } from '../../../fleet/definition.ts';
import { configsNamespace } from '../../../fleet/harness.ts';
import { fixedSource, type MemberCluster } from '../../../fleet/sandboxes.ts';
import type { Asked, Told } from '../../../processes/api-server.ts';
import { until } from '../../../runtime/until.ts';
import { Controllers, type Controller } from '../../../vm-status/controllers.ts';
import { DatabaseProxy } from '../database-proxy.ts';
import { ReplicaHarness, type HarnessOptions, type Vdc } from '../harness.ts';
import type { Replica } from '../replica.ts';
import type { Director } from '../step.ts';
import { disagreements } from './agreement.ts';
import { namespaces } from './kinds.ts';
import { machineTemplate, offers, pair } from './offers.ts';

export const base = '/cloudapi/1.0.0';

/** The namespace of the vm-controllers' Lease. */
const leaseNamespace = 'ssvirt-system';

const deadline = { deadlineMs: 120_000, everyMs: 200 };

export type Item = 'template' | 'machineTemplate';

interface MachineHarnessOptions extends Pick<HarnessOptions, 'durable'> {
  /** Sees the statements that the vm-controller sends to the database. */
  readonly observed?: Director;
}

interface Parts {
  readonly replicas: ReplicaHarness;
  readonly simulators: Simulators;
  readonly controllers: Controllers;
  readonly controller: Controller;
  /** The proxy between the vm-controller and the database, if its statements are observed. */
  readonly way: DatabaseProxy | undefined;
}

export class MachineCrashHarness {
  readonly #parts: Parts;
  /** One for each concurrent operation: a create locks the row of its VDC. */
  #vdcs: readonly Vdc[] = [];
  #catalog = '';
  #items: Readonly<Record<Item, string>> = { template: '', machineTemplate: '' };

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Creates one VDC for each of `width` concurrent operations. */
  static async start(
    width: number,
    { observed, ...options }: MachineHarnessOptions = {},
  ): Promise<MachineCrashHarness> {
    let simulators: Simulators | undefined;
    const replicas = await ReplicaHarness.start({
      ...options,
      furnish: async (cluster) => {
        simulators = await simulate(cluster);
      },
    });
    if (simulators === undefined) throw new Error('nobody has started the simulators');
    const { cluster, database } = replicas;
    const way = observed === undefined ? undefined : await DatabaseProxy.start('vm-controller', database.url, observed);
    const databaseUrl = way?.url ?? database.url;
    const controllers = await Controllers.open({ supervisor: cluster, databaseUrl, again: true });
    const controller = await controllers.start();
    const harness = new MachineCrashHarness({ replicas, simulators, controllers, controller, way });
    try {
      await harness.#furnish(width);
    } catch (error) {
      await harness.stop();
      throw error;
    }
    return harness;
  }

  get replicas(): ReplicaHarness {
    return this.#parts.replicas;
  }

  get controller(): Controller {
    return this.#parts.controller;
  }

  get db(): Kysely<Tables> {
    return this.replicas.db;
  }

  get cluster(): MemberCluster {
    return this.replicas.cluster;
  }

  get vdcs(): readonly Vdc[] {
    return this.#vdcs;
  }

  item(kind: Item): string {
    return this.#items[kind];
  }

  ask(replica: Replica, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, asked: Asked = {}): Promise<Told> {
    return this.replicas.ask(replica, method, `${base}/${path}`, asked);
  }

  /** Resolves when both replicas serve and list the cluster's templates, and the VMs are observed. */
  async ready(): Promise<void> {
    for (const replica of this.replicas.replicas) {
      await replica.ready();
      await until(
        `${replica.name} offers templates`,
        async () => (await this.#offered(replica)).length === 2,
        deadline,
      );
    }
    await until('machines are followed', () => this.#isFollowed(), deadline);
  }

  /** The disagreements between rows and cluster, and the remaining work. */
  disagreements(): Promise<readonly string[]> {
    return disagreements(this.db, this.cluster, this.#vdcs);
  }

  /** Resolves when rows and cluster agree about all VMs, and no work is left. */
  async agree(): Promise<void> {
    let found: readonly string[] = [];
    const isAgreed = async (): Promise<boolean> => {
      found = await this.disagreements();
      return found.length === 0;
    };
    await until('rows and cluster agree', isAgreed, deadline).catch((error: unknown) => {
      const logs = this.replicas.replicas.map(({ name, log }) => `${name}:\n${log.slice(-3000)}`);
      const controller = `vm-controller:\n${this.controller.log.slice(-1500)}`;
      throw new Error(`rows and cluster do not agree:\n${found.join('\n')}\n${logs.join('\n')}\n${controller}`, {
        cause: error,
      });
    });
  }

  /** Deletes everything, so that nothing is left for the next test. */
  async clear(replica: Replica): Promise<void> {
    const { rows } = await sql<{ readonly path: string }>`
      SELECT DISTINCT CASE WHEN a.hidden THEN 'vms/urn:vcloud:vm:' || v.id ELSE 'vapps/urn:vcloud:vapp:' || a.id END AS path
      FROM vapps a LEFT JOIN vms v ON v.vapp_id = a.id AND v.deleted_at IS NULL WHERE a.deleted_at IS NULL
    `.execute(this.db);
    await Promise.all(
      rows.map(async ({ path }) => {
        const { status, body } = await this.ask(replica, 'DELETE', `${path}?force=true`);
        if (status !== 202) throw new Error(`cannot delete ${path}: ${status} ${JSON.stringify(body)}`);
      }),
    );
    await this.agree();
  }

  async stop(): Promise<void> {
    const { replicas, simulators, controllers, way } = this.#parts;
    await controllers.stop();
    await way?.stop();
    await simulators.stop({ leaveRegistered: true });
    await replicas.stop();
  }

  async #furnish(width: number): Promise<void> {
    const [first] = this.replicas.replicas;
    this.#vdcs = await this.replicas.made(width);
    const { status, body } = await this.ask(first, 'POST', 'catalogs', {
      body: { name: 'offers', includesTemplates: true },
    });
    if (status !== 201) throw new Error(`cannot make a catalog: ${status} ${JSON.stringify(body)}`);
    this.#catalog = String(body['id']);
    await this.ready();
    const items = await this.#offered(first);
    const idOf = (wanted: string): string => items.find(({ name }) => name === wanted)?.id ?? '';
    this.#items = { template: idOf(pair.metadata.name), machineTemplate: idOf(machineTemplate.metadata.name) };
    const { known } = this.replicas.stage;
    for (const { id } of this.#vdcs) known.add(id);
    for (const urn of [this.#catalog, ...Object.values(this.#items)]) known.add(urn.slice(-36));
  }

  async #offered(replica: Replica): Promise<readonly { readonly id: string; readonly name: string }[]> {
    const { body } = await this.ask(replica, 'GET', `catalogs/${this.#catalog}/catalogItems?pageSize=100`);
    return body['values'] as readonly { readonly id: string; readonly name: string }[];
  }

  async #isFollowed(): Promise<boolean> {
    const { body } = await this.ask(this.replicas.replicas[0], 'GET', 'vms?pageSize=100');
    return (body['values'] as readonly { readonly stale: boolean }[]).every(({ stale }) => !stale);
  }
}

async function simulate(cluster: MemberCluster): Promise<Simulators> {
  const { client } = cluster;
  const simulators = await startSimulators({
    source: fixedSource(cluster),
    name: cluster.name,
    parts: ['kubevirt', 'nodes', 'storage', 'cdi', 'templates'],
    dials: { speed: 200 },
    log: createLogger({ level: 'error', format: 'text' }),
  });
  await install(client, kubevirtConfigDefinition());
  for (const name of [offers, configsNamespace, leaseNamespace])
    await client.create(namespaces, { metadata: { name } }).catch((error: unknown) => {
      if (!isKind(error, 'AlreadyExists')) throw error;
    });
  await client.create(templates, pair);
  await client.create(machineTemplates, machineTemplate);
  return simulators;
}
