/**
 * A cluster of the sandbox with orders and a cloudkit operator, and fast simulations of KubeVirt, nodes, disks and load
 * balancers.
 */
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { schema, type Config } from '../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../packages/base/src/config/load.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { createCloudkitOperator } from '../../packages/ssvirt/src/controllers/cloudkit/operator/create-operator.ts';
import {
  fieldManager,
  orders,
  type Order,
} from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { connectCluster, type ConnectedCluster } from '../../packages/kube/src/connect-cluster.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import type { KubeObject, ObjectKey, Unstructured } from '../../packages/kube/src/object.ts';
import { findCondition, type Condition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { Dials } from '../../packages/sandbox/src/simulators/dials.ts';
import { startSimulators, type PartName, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { annotations, type OrderSpec } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { install } from '../fleet/definition.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { anyImage } from '../net/any-image.ts';
import { until } from '../runtime/until.ts';
import { definitionOf } from './definitions.ts';

/** The namespace of the orders, and the tenant namespace that is bound to it. */
export const ordersNamespace = 'vm-orders';
export const tenant = 'tenant-a';
export const nativeTemplate = 'osac.templates.ocp_virt_vm';

/** The deadline in milliseconds: a run with planted defects waits for many things that never come. */
export const PATIENCE = 'SSVIRT_TEST_PATIENCE_MS';
/** For a busy host. */
export const patient = { deadlineMs: Number(process.env[PATIENCE] ?? 60_000) } as const;

const reflector = { backoff: { initialMs: 50, factor: 2, maxMs: 400, jitter: 0.5 } } as const;

export interface HarnessOptions {
  readonly parts?: readonly PartName[];
  /** Fast by default. */
  readonly dials?: Partial<Dials>;
}

export interface RunningOperator {
  readonly registry: Registry;
  readonly cluster: ConnectedCluster;
  stop(): Promise<void>;
}

/** The configuration of an operator, by the paths of the settings: `{ 'aap.createUrl': … }`. */
export type Told = Readonly<Record<string, string>>;

export function configOf(told: Told = {}): Config['cloudkit'] {
  const flags = Object.fromEntries(Object.entries(told).map(([key, value]) => [`cloudkit.${key}`, value]));
  return loadConfig(schema, { process: 'cloudkit-operator', env: {}, flags }).config.cloudkit;
}

export class CloudkitHarness {
  readonly sandbox: MemberCluster;
  readonly lines: Record<string, unknown>[] = [];
  readonly #simulators: Simulators;
  readonly #running: RunningOperator[] = [];
  readonly #log: Logger;

  private constructor(sandbox: MemberCluster, simulators: Simulators) {
    this.sandbox = sandbox;
    this.#simulators = simulators;
    this.#log = pino(
      { level: 'debug', base: null },
      { write: (line) => this.lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
  }

  static async start({
    parts = ['kubevirt', 'nodes', 'storage', 'cdi', 'load-balancers'],
    dials = { speed: 100 },
  }: HarnessOptions = {}): Promise<CloudkitHarness> {
    const sandbox = await startMemberCluster('cloudkit');
    const { client } = sandbox;
    await install(client, definitionOf('virtualmachines'), definitionOf('ordertemplates'));
    await client.create(namespaces, { metadata: { name: ordersNamespace } });
    const labels = { 'cloudkit.openshift.io/project': ordersNamespace };
    await client.create(namespaces, { metadata: { name: tenant, labels } });
    const simulators = await startSimulators({
      source: fixedSource(sandbox),
      name: sandbox.name,
      parts,
      dials,
      log: createLogger({ level: 'error', format: 'text' }),
    });
    return new CloudkitHarness(sandbox, simulators);
  }

  get client(): Client {
    return this.sandbox.client;
  }

  /** An operator as a process has it, without leader election. */
  operate(told: Told = {}, images = anyImage): RunningOperator {
    const registry = new Registry();
    const metrics = createMetrics(registry);
    const cluster = connectCluster({
      name: 'local',
      component: fieldManager,
      source: fixedSource(this.sandbox),
      log: this.#log,
      metrics,
      reflector,
      flushMs: 500,
    });
    const config = configOf(told);
    const { controllers } = createCloudkitOperator({ cluster, config, images, log: this.#log, metrics });
    const stopping = new AbortController();
    const ended = Promise.all(controllers.map((one) => one.run({ signal: stopping.signal })));
    let stopped: Promise<void> | undefined;
    const end = async (): Promise<void> => {
      stopping.abort();
      await ended;
      await cluster.close();
    };
    const running: RunningOperator = { registry, cluster, stop: () => (stopped ??= end()) };
    this.#running.push(running);
    return running;
  }

  /** An order for the tenant namespace, in controller mode unless its annotations set another. */
  order(
    name: string,
    { parameters, ...spec }: Partial<OrderSpec> & { readonly parameters?: object } = {},
    metadata: Partial<KubeObject['metadata']> = {},
  ): Promise<Order> {
    return this.client.create(orders, {
      metadata: {
        namespace: ordersNamespace,
        name,
        ...metadata,
        annotations: metadata.annotations ?? { [annotations.managedBy]: 'controller' },
      },
      spec: {
        templateID: nativeTemplate,
        tenantNamespace: tenant,
        ...(parameters === undefined ? {} : { templateParameters: JSON.stringify(parameters) }),
        ...spec,
      },
    });
  }

  async change(name: string, body: object): Promise<Order> {
    return this.client.patch(orders, { namespace: ordersNamespace, name }, { type: 'merge', body });
  }

  /** Only what the fulfillment service patches. */
  ask(name: string, parameters: object): Promise<Order> {
    return this.change(name, { spec: { templateParameters: JSON.stringify(parameters) } });
  }

  annotate(name: string, some: Readonly<Record<string, string | null>>): Promise<Order> {
    return this.change(name, { metadata: { annotations: some } });
  }

  read(name: string): Promise<Order> {
    return this.client.get(orders, { namespace: ordersNamespace, name });
  }

  async reaches(name: string, what: string, isThere: (order: Order) => boolean): Promise<Order> {
    let found: Order | undefined;
    await until(
      `order ${name} ${what}`,
      async () => {
        found = await this.read(name);
        if (isThere(found)) return true;
        throw new Error(`it has ${JSON.stringify(found)}`);
      },
      patient,
    );
    if (found === undefined) throw new Error('until has not waited');
    return found;
  }

  phase(name: string, phase: string): Promise<Order> {
    return this.reaches(name, `is ${phase}`, ({ status }) => status?.phase === phase);
  }

  async condition(name: string, type: string, status: string, reason?: string): Promise<Condition> {
    const order = await this.reaches(name, `has ${type}=${status} ${reason ?? ''}`, (one) => {
      const found = findCondition(one.status?.conditions, type);
      return found?.status === status && (reason === undefined || found.reason === reason);
    });
    const found = findCondition(order.status?.conditions, type);
    if (found === undefined) throw new Error(`there is no condition ${type}`);
    return found;
  }

  delete(name: string): Promise<unknown> {
    return this.client.delete(orders, { namespace: ordersNamespace, name });
  }

  async gone(name: string): Promise<void> {
    await until(
      `order ${name} is gone`,
      async () => {
        const found = await look(this.client, orders, { namespace: ordersNamespace, name });
        if (found === undefined) return true;
        throw new Error(`it has ${JSON.stringify(found)}`);
      },
      patient,
    );
  }

  /** The objects in the tenant namespace. */
  child<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<Unstructured> {
    return this.client.get(type as unknown as ResourceType, { namespace: tenant, name });
  }

  look<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined> {
    return look(this.client, type, { namespace: tenant, name });
  }

  async stop(): Promise<void> {
    for (const running of this.#running) await running.stop();
    await this.#simulators.stop({ leaveRegistered: true });
    await this.sandbox.stop();
  }
}

/** Undefined if there is none. */
export async function look<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: ObjectKey,
): Promise<T | undefined> {
  try {
    return await client.get(type, key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
