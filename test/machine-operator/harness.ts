/**
 * A supervisor with Machines and a machine operator, and clusters of the sandbox with fast simulations of KubeVirt,
 * nodes and disks.
 */
import { anyImage } from '../net/any-image.ts';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { createLogger } from '../../packages/base/src/config/log.ts';
import {
  createMachineOperator,
  type MachineOperatorOptions,
} from '../../packages/ssvirt/src/controllers/machine/create-operator.ts';
import { machines, type Machine } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { namespaces, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { kubevirtConfigs } from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import type { FleetOptions } from '../../packages/ssvirt/src/fleet/create-fleet.ts';
import type { Fleet } from '../../packages/ssvirt/src/fleet/fleet.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import type { KubeObject, ObjectKey, Unstructured } from '../../packages/kube/src/object.ts';
import { findCondition, type Condition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { Dials } from '../../packages/sandbox/src/simulators/dials.ts';
import { startSimulators, type PartName, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { MachineSpec } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { install } from '../fleet/definition.ts';
import { configsNamespace, putConfig, startFleetHarness, uidOf, type FleetHarness } from '../fleet/harness.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { definitionOf } from './definitions.ts';

export const team = 'team-a';

/** The deadline in milliseconds: a run with planted defects waits for many things that never come. */
export const PATIENCE = 'SSVIRT_TEST_PATIENCE_MS';
/** For a busy host. */
export const patient = { deadlineMs: Number(process.env[PATIENCE] ?? 60_000) } as const;

interface Event extends KubeObject {
  readonly involvedObject?: { readonly name?: string };
  readonly reason?: string;
}
const events: ResourceType<Event> = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

export interface SimulatedMember extends MemberCluster {
  readonly simulators: Simulators;
}

export interface HarnessOptions {
  /** Names of members; by default the supervisor serves KubeVirt itself. */
  readonly clusters?: readonly string[];
  readonly parts?: readonly PartName[];
  /** Fast by default. */
  readonly dials?: Partial<Dials>;
}

export interface RunningOperator {
  readonly fleet: Fleet;
  readonly registry: Registry;
  stop(): Promise<void>;
}

export class OperatorHarness {
  readonly fleets: FleetHarness;
  readonly members: ReadonlyMap<string, SimulatedMember>;
  readonly lines: Record<string, unknown>[] = [];
  readonly #local: Simulators | undefined;
  readonly #running: RunningOperator[] = [];
  readonly #log: Logger;

  private constructor(
    fleets: FleetHarness,
    members: ReadonlyMap<string, SimulatedMember>,
    local: Simulators | undefined,
  ) {
    this.fleets = fleets;
    this.members = members;
    this.#local = local;
    this.#log = pino(
      { level: 'debug', base: null },
      { write: (line) => this.lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
  }

  static async start({
    clusters = [],
    parts = ['kubevirt', 'nodes', 'storage', 'cdi'],
    dials = { speed: 100 },
  }: HarnessOptions = {}): Promise<OperatorHarness> {
    const fleets = await startFleetHarness();
    const { supervisor } = fleets;
    await install(supervisor.client, definitionOf('machines'), definitionOf('networkconfigurations'));
    await supervisor.client.create(namespaces, { metadata: { name: team } });
    const members = await Promise.all(clusters.map((name) => startSimulatedMember(name, parts, dials)));
    const local = clusters.length === 0 ? await simulate(supervisor, parts, dials) : undefined;
    const harness = new OperatorHarness(fleets, new Map(members.map((member) => [member.name, member])), local);
    for (const member of members) await putConfig(supervisor, member.name, member);
    return harness;
  }

  get supervisor(): MemberCluster {
    return this.fleets.supervisor;
  }

  member(name: string): SimulatedMember {
    const found = this.members.get(name);
    if (found === undefined) throw new Error(`there is no member ${name}`);
    return found;
  }

  /** An operator as a process has it, without leader election. */
  async operate(
    options: Partial<Pick<MachineOperatorOptions, 'resyncMs' | 'defaultConfig' | 'concurrency' | 'images'>> = {},
    fleetOptions: Partial<FleetOptions> = {},
  ): Promise<RunningOperator> {
    const registry = new Registry();
    const { fleet, end } = this.fleets.fleet(fleetOptions);
    const operator = createMachineOperator({
      fleet,
      identity: await uidOf(this.supervisor),
      configsNamespace,
      concurrency: 5,
      resyncMs: 30_000,
      images: anyImage,
      log: this.#log,
      metrics: createMetrics(registry),
      ...options,
    });
    const stopping = new AbortController();
    const ended = Promise.all(operator.controllers.map((one) => one.run({ signal: stopping.signal })));
    const running: RunningOperator = {
      fleet,
      registry,
      async stop() {
        stopping.abort();
        await ended;
        await end();
      },
    };
    this.#running.push(running);
    const wanted = this.members.size === 0 ? 1 : this.members.size;
    await until('the clusters are reached', () => fleet.clusters().length >= wanted, patient);
    return running;
  }

  declare(name: string, spec: MachineSpec, metadata: Partial<KubeObject['metadata']> = {}): Promise<Machine> {
    return this.supervisor.client.create(machines, { metadata: { namespace: team, name, ...metadata }, spec });
  }

  async change(name: string, body: object): Promise<Machine> {
    return this.supervisor.client.patch(machines, { namespace: team, name }, { type: 'merge', body });
  }

  machine(name: string): Promise<Machine> {
    return this.supervisor.client.get(machines, { namespace: team, name });
  }

  async reaches(name: string, what: string, isThere: (machine: Machine) => boolean): Promise<Machine> {
    let found: Machine | undefined;
    await until(
      `Machine ${name} ${what}`,
      async () => {
        found = await this.machine(name);
        if (isThere(found)) return true;
        throw new Error(`it has ${JSON.stringify(found.status)}`);
      },
      patient,
    );
    if (found === undefined) throw new Error('until has not waited');
    return found;
  }

  phase(name: string, phase: string): Promise<Machine> {
    return this.reaches(name, `is ${phase}`, ({ status }) => status?.phase === phase);
  }

  async condition(name: string, type: string, status: string, reason?: string): Promise<Condition> {
    const machine = await this.reaches(name, `has ${type}=${status} ${reason ?? ''}`, (one) => {
      const found = findCondition(one.status?.conditions, type);
      return found?.status === status && (reason === undefined || found.reason === reason);
    });
    const found = findCondition(machine.status?.conditions, type);
    if (found === undefined) throw new Error(`there is no condition ${type}`);
    return found;
  }

  /** The reasons of its Events, if they include these. */
  async told(name: string, reasons: readonly string[]): Promise<readonly string[]> {
    let found: readonly string[] = [];
    await until(
      `Machine ${name} has the Events ${reasons.join(', ')}`,
      async () => {
        const { items } = await this.supervisor.client.list(events, { namespace: team });
        found = items.flatMap(({ involvedObject, reason }) =>
          involvedObject?.name === name && reason !== undefined ? [reason] : [],
        );
        if (reasons.every((reason) => found.includes(reason))) return true;
        throw new Error(`its Events are ${found.join(', ')}`);
      },
      patient,
    );
    return found;
  }

  async gone(name: string): Promise<void> {
    await until(
      `Machine ${name} is gone`,
      async () => {
        const found = await look(this.supervisor.client, machines, { namespace: team, name });
        if (found === undefined) return true;
        throw new Error(`it has ${JSON.stringify(found)}`);
      },
      patient,
    );
  }

  /**
   * Waits until the clusters are Ready, which wakes their Machines, and all queues are empty, also of keys that the
   * operator's own writes have woken: any later reconcile is due to what the test does next.
   */
  async quiet(): Promise<void> {
    await until(
      'the clusters are ready',
      async () => {
        const { items } = await this.supervisor.client.list(kubevirtConfigs, { namespace: configsNamespace });
        return items.length >= this.members.size && items.every(({ status }) => status?.phase === 'Ready');
      },
      patient,
    );
    const rounds = async (): Promise<number> => {
      const totals = this.#running.map(async ({ registry }) => {
        const metric = await registry.getSingleMetric('controller_runtime_reconcile_total')?.get();
        return (metric?.values ?? []).reduce((sum, { value }) => sum + value, 0);
      });
      return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
    };
    let before = -1;
    await until(
      'the work queues are empty',
      async () => {
        const now = await rounds();
        const isQuiet = now === before;
        before = now;
        return isQuiet;
      },
      { ...patient, everyMs: 400 },
    );
  }

  vm(cluster: string, name: string): Promise<Unstructured> {
    const { client } = this.members.get(cluster) ?? this.supervisor;
    return client.get(virtualMachines, { namespace: team, name: `vm-${name}` });
  }

  async stop(): Promise<void> {
    for (const running of this.#running) await running.stop();
    // All at once: pending requests of a simulator to a silent cluster would otherwise delay the end.
    await Promise.all(
      [...this.members.values()].flatMap((member) => [
        member.simulators.stop({ leaveRegistered: true }),
        member.stop(),
      ]),
    );
    await this.#local?.stop({ leaveRegistered: true });
    await this.fleets.stop();
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

async function startSimulatedMember(
  name: string,
  parts: readonly PartName[],
  dials: Partial<Dials>,
): Promise<SimulatedMember> {
  const member = await startMemberCluster(name);
  const simulators = await simulate(member, parts, dials);
  return Object.defineProperties({ simulators } as SimulatedMember, Object.getOwnPropertyDescriptors(member));
}

function simulate(cluster: MemberCluster, parts: readonly PartName[], dials: Partial<Dials>): Promise<Simulators> {
  return startSimulators({
    source: fixedSource(cluster),
    name: cluster.name,
    parts,
    dials,
    log: createLogger({ level: 'error', format: 'text' }),
  });
}
