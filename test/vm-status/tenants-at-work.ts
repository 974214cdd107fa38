/**
 * The random actions of tenants on their VMs: power, pauses, faults, edits, deletions and replacements under the same
 * name.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { KubeError, isKind, isNotFound } from '../../packages/kube/src/errors.ts';
import { FAULT_ANNOTATION, type DialFault } from '../../packages/sandbox/src/simulators/dials.ts';
import { virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Dice } from '../conformance/dice.ts';
import { machine } from '../simulators/property/machine.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import { namespace, type Tenant } from './tenant.ts';

export interface TenantsOptions {
  readonly cluster: SimulatedCluster;
  readonly tenant: Tenant;
  readonly names: readonly string[];
  readonly dice: Dice;
  readonly pauseMs: number;
}

const strategies = ['Always', 'Always', 'Halted', 'Manual'] as const;
const faults: readonly DialFault[] = ['unschedulable', 'crash-loop', 'image-pull-error', 'guest-crash', 'no-agent'];
const calls = ['start', 'stop', 'restart', 'pause', 'unpause'] as const;
/** Requests give up soon while things are killed; before and after that all must succeed. */
const requestMs = 3000;
const patientMs = 30_000;

export class TenantsAtWork {
  readonly #options: TenantsOptions;
  readonly #history = new Map<string, string[]>();
  done = 0;
  refused = 0;

  constructor(options: TenantsOptions) {
    this.#options = options;
  }

  historyOf(name: string): readonly string[] {
    return this.#history.get(name) ?? [];
  }

  async createAll(): Promise<void> {
    const { names, tenant, cluster, dice } = this.#options;
    for (const name of names) {
      // The other VMs are discovered by their label, and get rows then.
      if (dice.chance(0.5)) await tenant.request(cluster.name, name);
      await this.#create(name, patientMs);
    }
  }

  async work(signal: AbortSignal): Promise<void> {
    const { names, dice, pauseMs } = this.#options;
    while (!signal.aborted) {
      await this.#try(dice.pick(names));
      await pause(pauseMs * (0.5 + dice.next()));
    }
  }

  /** Removes all faults, so that every existing VM reaches a stable state. */
  async settle(): Promise<void> {
    for (const name of this.#options.names) {
      const healthy = { metadata: { annotations: { [FAULT_ANNOTATION]: null } } };
      await this.#patch(name, healthy, patientMs).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }

  async #try(name: string): Promise<void> {
    const [what, act] = this.#next(name);
    try {
      await act();
      this.done++;
      this.#note(name, what);
    } catch (error) {
      // The server is down, the VM does not exist, or its state does not allow the action: users meet all of these,
      // too.
      if (!(error instanceof KubeError)) throw error;
      this.refused++;
      this.#note(name, `${what}: ${error.code ?? error.kind}`);
    }
  }

  #next(name: string): readonly [string, () => Promise<unknown>] {
    const { dice } = this.#options;
    const turn = dice.next();
    if (turn < 0.35) {
      const runStrategy = dice.pick(strategies);
      return [`runStrategy ${runStrategy}`, () => this.#patch(name, { spec: { runStrategy } })];
    }
    if (turn < 0.65) {
      const call = dice.pick(calls);
      return [call, () => this.#call(name, call)];
    }
    if (turn < 0.75) {
      const fault = dice.chance(0.5) ? dice.pick(faults) : null;
      return [`fault ${fault}`, () => this.#patch(name, { metadata: { annotations: { [FAULT_ANNOTATION]: fault } } })];
    }
    if (turn < 0.82) {
      const edit = String(dice.below(1000));
      return [`edit ${edit}`, () => this.#patch(name, { spec: { template: { metadata: { labels: { edit } } } } })];
    }
    if (turn < 0.86) return ['delete', () => this.#delete(name)];
    if (turn < 0.92) return ['replace', () => this.#replace(name)];
    return ['create', () => this.#create(name)];
  }

  async #create(name: string, timeoutMs = requestMs): Promise<void> {
    const { cluster, tenant, dice } = this.#options;
    const wish = {
      strategy: dice.pick(strategies),
      disk: dice.chance(0.2) ? ('standard' as const) : ('none' as const),
      instancetype: false,
    };
    const { spec } = machine(namespace, name, wish);
    const metadata = { namespace, name, labels: tenant.labels(cluster.name) };
    await cluster.client.create(virtualMachines, { metadata, spec }, { timeoutMs });
    this.#note(name, `created ${wish.strategy}`);
  }

  /** Creates another VM under the same name as soon as the name is free. */
  async #replace(name: string): Promise<void> {
    await this.#delete(name);
    const deadline = Date.now() + requestMs;
    for (;;) {
      try {
        return await this.#create(name);
      } catch (error) {
        if (!isKind(error, 'AlreadyExists') || Date.now() > deadline) throw error;
      }
      await pause(20);
    }
  }

  async #delete(name: string): Promise<void> {
    const { cluster } = this.#options;
    await cluster.client.delete(virtualMachines, { namespace, name }, { timeoutMs: requestMs });
  }

  async #patch(name: string, body: object, timeoutMs = requestMs): Promise<void> {
    const { cluster } = this.#options;
    await cluster.client.patch(virtualMachines, { namespace, name }, { type: 'merge', body }, { timeoutMs });
  }

  async #call(name: string, verb: (typeof calls)[number]): Promise<void> {
    const { client } = this.#options.cluster;
    // A pause is a call on the VMI, which has the same name.
    const plural = verb === 'pause' || verb === 'unpause' ? 'virtualmachineinstances' : 'virtualmachines';
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/${plural}/${name}/${verb}`;
    await client.request({ method: 'PUT', path, body: {}, timeoutMs: requestMs });
  }

  #note(name: string, what: string): void {
    const notes = this.#history.get(name) ?? [];
    notes.push(`${new Date().toISOString()} ${what}`);
    this.#history.set(name, notes);
  }
}
