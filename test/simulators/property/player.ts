/**
 * Plays a history in a namespace of its own, remembers the granted requests, and then checks that everything ends as
 * the specs require.
 */
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { KubeError, isNotFound } from '../../../packages/kube/src/errors.ts';
import type { Unstructured } from '../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import { FAULT_ANNOTATION } from '../../../packages/sandbox/src/simulators/dials.ts';
import {
  dataVolumes,
  pods,
  virtualMachineInstances,
  virtualMachines,
} from '../../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { until } from '../../runtime/until.ts';
import { names, quotas, show, type Action, type History, type Name, type Subresource } from './actions.ts';
import type { Harness } from './harness.ts';
import { diskOf, machine, type Strategy } from './machine.ts';
import { complaint, created, type Expectation } from './model.ts';
import { printed } from './printed.ts';
import { isDeleting, isLiveLauncher, textOf } from './seen.ts';

const QUIET_MS = 150;
const SETTLE_MS = 800;
const ENDS_WITHIN_MS = 60_000;
const GUEST_ANNOTATION = 'sandbox.ssvirt.io/guest';

const resourceQuotas: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};
const events: ResourceType = { ...resourceQuotas, kind: 'Event', plural: 'events' };

/** Faults after which a guest may have ended by itself: earlier requests no longer determine the state. */
const endsGuests = ['crash-loop', 'guest-crash', 'node-lost'];
/** Faults that end in Failed, after which RerunOnFailure runs the VM again. */
const crashes = ['crash-loop', 'guest-crash'];

/**
 * KubeVirt's own refusals with code 500 (kubevirt.md, 3), and conflicts with an object that changed or disappeared
 * between its read and its patch.
 */
const knownRefusals = /already underway|admission webhook|jsonpatch test|not found|rejected our request|virt-handler/;

/** Whether a guest may have ended, and whether it certainly ended in Failed. */
type Uncertainty = 'none' | 'crash' | 'end';

export class Player {
  readonly #harness: Harness;
  readonly #namespace: string;
  readonly #expected = new Map<Name, Expectation>();
  /** By the text of the fault: whether it makes the power state of a VM uncertain. */
  readonly #faults = new Map<string, (name: Name) => Uncertainty>();
  #requests = 0;
  /**
   * The VMs whose guest has crashed since everything was last quiet. If anything interrupts the time between the end of
   * a failed VMI and the request to start the next, the request is lost, as in KubeVirt.
   */
  readonly #shaken = new Set<Name>();
  refused = 0;

  constructor(harness: Harness, namespace: string) {
    this.#harness = harness;
    this.#namespace = namespace;
  }

  async play({ actions, last }: History): Promise<void> {
    for (const action of actions) {
      this.#harness.witness.note(`> ${show(action)}`);
      await this.#act(action);
      this.#assertNothingSeen();
    }
    this.#harness.witness.note('> faults are lifted');
    await this.#heal();
    await this.#ends('all is as the specs ask for', () => this.#complaints());
    await this.#lastRequests(last);
    await this.#ends('the last requests are fulfilled', () => this.#complaints());
    await this.#assertEventsAreFew(actions.length);
    await this.#deleteAll();
    await this.#ends('nothing is left', () => this.#leftovers());
  }

  #assertNothingSeen(): void {
    const { violations } = this.#harness.witness;
    if (violations.length > 0) throw new Error(`${violations.join('\n')}\n${this.#story()}`);
  }

  /** Everything that happened in this history. */
  #story(): string {
    const { story } = this.#harness.witness;
    return story.slice(-120).join('\n');
  }

  async #ends(what: string, complaints: () => readonly string[]): Promise<void> {
    const { witness } = this.#harness;
    try {
      await until(what, () => witness.quietMs > QUIET_MS && complaints().length === 0, { deadlineMs: ENDS_WITHIN_MS });
    } catch (error) {
      throw new Error(`not ${what}:\n${complaints().join('\n')}\n${this.#story()}`, { cause: error });
    }
    this.#assertNothingSeen();
  }

  async #act(action: Action): Promise<void> {
    const { client } = this.#harness;
    switch (action.do) {
      case 'create':
        return this.#granted(
          () => client.create(virtualMachines, machine(this.#namespace, action.vm, action.wish)),
          () => this.#expected.set(action.vm, this.#careful(action.vm, created(action.wish.strategy))),
        );
      case 'call':
        return this.#call(action.vm, action.verb, action.body);
      case 'switch':
        return this.#granted(
          () => this.#patch(action.vm, { spec: { runStrategy: action.strategy } }),
          () => this.#switched(action.vm, action.strategy),
        );
      case 'edit':
        return this.#granted(() =>
          this.#patch(action.vm, { spec: { template: editOf(action.what, ++this.#requests) } }),
        );
      case 'delete':
        return this.#delete(action);
      case 'delete-pod':
        return this.#deletePod(action.vm, action.force);
      case 'guest':
        return this.#granted(
          () =>
            client.patch(virtualMachineInstances, this.#key(action.vm), {
              type: 'merge',
              body: { metadata: { annotations: { [GUEST_ANNOTATION]: action.what } } },
            }),
          () => this.#open(action.vm, action.what === 'crash' ? 'crash' : 'end'),
        );
      case 'fault':
        return this.#fault(action);
      case 'lift':
        return this.#lift();
      case 'quota':
        return this.#quota(quotas[action.what], action.what === 'storage' ? '2Gi' : '2');
      case 'no-quota':
        return this.#granted(() => client.deleteCollection(resourceQuotas, { namespace: this.#namespace }));
      case 'restart-simulators':
        this.#interrupted();
        return this.#harness.restartSimulators();
      case 'virt-api':
        this.#interrupted();
        return action.down ? this.#harness.stopVirtApi() : this.#harness.startVirtApi();
      case 'settle':
        return this.#settle();
    }
  }

  /** Waits until nothing changes any more, or until a limit. */
  async #settle(): Promise<void> {
    const { witness } = this.#harness;
    const end = performance.now() + SETTLE_MS;
    await until('a moment passed', () => witness.quietMs > QUIET_MS || performance.now() > end);
    if (witness.quietMs > QUIET_MS) this.#shaken.clear();
  }

  #key(name: string): { namespace: string; name: string } {
    return { namespace: this.#namespace, name };
  }

  #patch(name: Name, body: object): ReturnType<Client['patch']> {
    return this.#harness.client.patch(virtualMachines, this.#key(name), { type: 'merge', body });
  }

  /**
   * A refused request has no consequence. Answers of 500 and above are expected only without virt-api, and for
   * KubeVirt's own refusals with 500.
   */
  async #granted(ask: () => Promise<unknown>, then: () => void = () => {}): Promise<void> {
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      this.refused += 1;
      this.#harness.witness.note(`  refused: ${error.message}`);
      if ((error.code ?? 500) >= 500 && !this.#harness.isVirtApiDown && !knownRefusals.test(error.message))
        throw new Error(`a strange refusal: ${error.message}`, { cause: error });
      return;
    }
    then();
  }

  #interrupted(): void {
    for (const name of names) if (this.#shaken.has(name) || this.#uncertainty(name) !== 'none') this.#open(name, 'end');
  }

  /** From here on the VM may be up or down. */
  #open(name: Name, why: Uncertainty = 'end'): void {
    const expected = this.#expected.get(name);
    if (why === 'crash') this.#shaken.add(name);
    if (expected !== undefined) this.#expected.set(name, this.#after(expected, why));
  }

  #after(expected: Expectation, why: Uncertainty): Expectation {
    const isRerun = expected.strategies.every((strategy) => strategy === 'RerunOnFailure') && expected.power === 'up';
    if (why === 'none' || (why === 'crash' && isRerun && !this.#harness.isVirtApiDown)) return expected;
    return { ...expected, power: undefined };
  }

  #careful(name: Name, expected: Expectation): Expectation {
    return this.#after(expected, this.#uncertainty(name));
  }

  #uncertainty(name: Name): Uncertainty {
    const all = [...this.#faults.values()].map((uncertaintyOf) => uncertaintyOf(name));
    return all.find((one) => one === 'end') ?? all.find((one) => one === 'crash') ?? 'none';
  }

  #switched(name: Name, strategy: Strategy): void {
    const expected = this.#expected.get(name);
    if (expected === undefined) return;
    // A pending start un-halts the VM (the VM controller sets Always).
    const mayUnHalt =
      strategy === 'Halted' && expected.strategies.some((one) => one === 'Manual' || one === 'RerunOnFailure');
    const strategies: readonly Strategy[] = mayUnHalt ? ['Halted', 'Always'] : [strategy];
    this.#expected.set(name, { ...expected, strategies, power: undefined });
  }

  #call(name: Name, verb: Subresource, body: Readonly<Record<string, unknown>>): Promise<void> {
    const kind = ['pause', 'unpause', 'softreboot'].includes(verb) ? 'virtualmachineinstances' : 'virtualmachines';
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${this.#namespace}/${kind}/${name}/${verb}`;
    return this.#granted(
      () => this.#harness.client.request({ method: 'PUT', path, body, timeoutMs: 60_000 }),
      () => this.#called(name, verb, body),
    );
  }

  #called(name: Name, verb: Subresource, body: Readonly<Record<string, unknown>>): void {
    const expected = this.#expected.get(name);
    if (expected === undefined) return;
    const { strategies } = expected;
    const turn = (from: readonly Strategy[], to: Strategy): readonly Strategy[] =>
      strategies.map((one) => (from.includes(one) ? to : one));
    if (verb === 'pause' || body['paused'] === true) expected.mayBePaused = true;
    if (verb === 'start')
      this.#expected.set(
        name,
        this.#careful(name, { ...expected, strategies: turn(['Halted'], 'Always'), power: 'up' }),
      );
    if (verb === 'stop')
      this.#expected.set(
        name,
        this.#careful(name, { ...expected, strategies: turn(['Always', 'Once'], 'Halted'), power: 'down' }),
      );
    if (verb === 'restart') this.#expected.set(name, this.#careful(name, { ...expected, power: 'up' }));
  }

  #delete({ vm, what, foreground }: Extract<Action, { do: 'delete' }>): Promise<void> {
    const { client } = this.#harness;
    const propagationPolicy = foreground ? 'Foreground' : 'Background';
    if (what === 'vm')
      return this.#granted(
        () => client.delete(virtualMachines, this.#key(vm), { propagationPolicy }),
        () => this.#expected.delete(vm),
      );
    const deleted =
      what === 'vmi'
        ? () => client.delete(virtualMachineInstances, this.#key(vm), { propagationPolicy })
        : () => client.delete(dataVolumes, this.#key(diskOf(vm)), { propagationPolicy });
    return this.#granted(deleted, () => this.#open(vm));
  }

  #deletePod(name: Name, force: boolean): Promise<void> {
    const pod = this.#launchers(name)[0];
    if (pod === undefined) return Promise.resolve();
    return this.#granted(
      () =>
        this.#harness.client.delete(pods, this.#key(pod.metadata.name ?? ''), force ? { gracePeriodSeconds: 0 } : {}),
      () => this.#open(name),
    );
  }

  #launchers(name: Name): readonly Unstructured[] {
    const vmi = this.#harness.witness.get('VirtualMachineInstance', this.#namespace, name);
    const { uid } = vmi?.metadata ?? {};
    return this.#harness.witness
      .all('Pod', this.#namespace)
      .filter((pod) => uid !== undefined && pod.metadata.labels?.['kubevirt.io/created-by'] === uid);
  }

  async #fault({ kind, vm, how }: Extract<Action, { do: 'fault' }>): Promise<void> {
    const hits = (name: Name): boolean => kind === 'node-lost' || how === 'namespace' || name === vm;
    if (how === 'annotation' && kind !== 'node-lost') {
      await this.#granted(
        () => this.#patch(vm, { metadata: { annotations: { [FAULT_ANNOTATION]: kind } } }),
        () => this.#begun(`annotation ${kind} ${vm}`, kind, hits),
      );
      return;
    }
    const where = kind === 'node-lost' ? `node0${names.indexOf(vm) + 1}` : this.#namespace;
    const text = `${kind},${where}${how === 'dial' && kind !== 'node-lost' ? `/${vm}` : ''}`;
    this.#begun(text, kind, hits);
    await this.#harness.turnFaults(this.#dialled());
  }

  #begun(text: string, kind: string, hits: (name: Name) => boolean): void {
    const why: Uncertainty = crashes.includes(kind) ? 'crash' : endsGuests.includes(kind) ? 'end' : 'none';
    this.#faults.set(text, (name) => (hits(name) ? why : 'none'));
    for (const name of names) if (hits(name)) this.#open(name, why);
  }

  #dialled(): readonly string[] {
    return [...this.#faults.keys()].filter((text) => !text.startsWith('annotation '));
  }

  async #lift(): Promise<void> {
    const annotated = [...this.#faults.keys()].filter((text) => text.startsWith('annotation '));
    for (const name of names)
      if (annotated.some((text) => text.endsWith(` ${name}`)))
        await this.#granted(() => this.#patch(name, { metadata: { annotations: { [FAULT_ANNOTATION]: null } } }));
    if (this.#harness.isVirtApiDown && annotated.length > 0) return;
    this.#faults.clear();
    await this.#harness.turnFaults([]);
  }

  async #quota(resource: string, amount: string): Promise<void> {
    const metadata = { namespace: this.#namespace, name: `quota-${++this.#requests}` };
    await this.#granted(() =>
      this.#harness.client.create(resourceQuotas, { metadata, spec: { hard: { [resource]: amount } } }),
    );
  }

  async #heal(): Promise<void> {
    await this.#harness.startVirtApi();
    for (const name of names)
      if (this.#expected.has(name))
        await this.#granted(() => this.#patch(name, { metadata: { annotations: { [FAULT_ANNOTATION]: null } } }));
    this.#faults.clear();
    await this.#harness.turnFaults([]);
    await this.#harness.client.deleteCollection(resourceQuotas, { namespace: this.#namespace });
  }

  #complaints(): readonly string[] {
    const { witness } = this.#harness;
    const claims = witness.all('PersistentVolumeClaim', this.#namespace);
    const disks = witness.all('DataVolume', this.#namespace);
    const gone = witness
      .all('VirtualMachine', this.#namespace)
      .filter(({ metadata }) => !this.#expected.has(metadata.name as Name))
      .map(({ metadata }) => `${metadata.name}: was deleted and is there`);
    const others = [...this.#expected].flatMap(([name, expected]) => {
      const vm = witness.get('VirtualMachine', this.#namespace, name);
      if (vm === undefined) return [`${name}: is not there`];
      const vmi = witness.get('VirtualMachineInstance', this.#namespace, name);
      const launchers = this.#launchers(name).filter(isLiveLauncher);
      const isHeldByDisk = claims.some((claim) => claim.metadata.name === diskOf(name) && isDeleting(claim));
      const found = complaint(expected, { vm, vmi, launchers, isHeldByDisk });
      const right = printed({ vm, vmi, dataVolumes: disks, claims });
      const shown = textOf(vm, 'status', 'printableStatus');
      return [
        ...(found === undefined ? [] : [`${name}: ${found}; ${described(vm, vmi)}`]),
        ...(shown === right ? [] : [`${name}: shows ${shown} instead of ${right}`]),
      ];
    });
    return [...gone, ...others];
  }

  /** Strict, since nothing changes any more: the final requests determine the state. */
  async #lastRequests(last: History['last']): Promise<void> {
    for (const [index, name] of names.entries()) {
      const verb = last[index];
      const expected = this.#expected.get(name);
      if (verb === undefined || expected === undefined) continue;
      const vm = this.#harness.witness.get('VirtualMachine', this.#namespace, name);
      const vmi = this.#harness.witness.get('VirtualMachineInstance', this.#namespace, name);
      const strategy = textOf(vm, 'spec', 'runStrategy');
      const up = vmi !== undefined && !['Succeeded', 'Failed'].includes(textOf(vmi, 'status', 'phase'));
      expected.strategies = [strategy as Strategy];
      const before = this.refused;
      this.#harness.witness.note(`> finally ${verb} ${name}`);
      await this.#call(name, verb, {});
      const wasGranted = this.refused === before;
      if (wasGranted !== isGranted(verb, strategy, vmi === undefined ? 'absent' : up ? 'up' : 'ended'))
        throw new Error(
          `${verb} of ${name} (${strategy}, ${up ? 'up' : 'down'}) was ${wasGranted ? '' : 'not '}granted\n${this.#story()}`,
        );
    }
  }

  /** Checks that the number of Events and their repetition is bounded. */
  async #assertEventsAreFew(actions: number): Promise<void> {
    const { items } = await this.#harness.client.list(events, { namespace: this.#namespace });
    const most = 60 * names.length + 30 * actions;
    if (items.length > most) throw new Error(`${items.length} events, more than ${most}`);
    const loud = items.find((event) => Number(event['count'] ?? 1) > 500);
    if (loud !== undefined) throw new Error(`said ${String(loud['count'])} times: ${String(loud['message'])}`);
  }

  async #deleteAll(): Promise<void> {
    for (const [index, name] of [...this.#expected.keys()].entries()) {
      const propagationPolicy = index % 2 === 0 ? 'Background' : 'Foreground';
      await this.#harness.client
        .delete(virtualMachines, this.#key(name), { propagationPolicy })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    }
    this.#expected.clear();
  }

  #leftovers(): readonly string[] {
    const { witness } = this.#harness;
    const kinds = [
      'VirtualMachine',
      'VirtualMachineInstance',
      'Pod',
      'DataVolume',
      'PersistentVolumeClaim',
      'ControllerRevision',
    ];
    const objects = kinds.flatMap((kind) =>
      witness.all(kind, this.#namespace).map(({ metadata }) => `${kind} ${metadata.name ?? ''} is left`),
    );
    const volumes = witness
      .all('PersistentVolume')
      .filter((volume) => textOf(volume, 'spec', 'claimRef', 'namespace') === this.#namespace)
      .map(({ metadata }) => `PersistentVolume ${metadata.name ?? ''} is left`);
    return [...objects, ...volumes];
  }
}

/**
 * kubevirt.md, 1.1, the last three columns, for a VM at rest; a VMI that has ended can be restarted (the matrix, state
 * manual-succeeded).
 */
function isGranted(verb: 'start' | 'stop' | 'restart', strategy: string, vmi: 'up' | 'ended' | 'absent'): boolean {
  switch (verb) {
    case 'start':
      return strategy === 'Halted' || ((strategy === 'Manual' || strategy === 'RerunOnFailure') && vmi !== 'up');
    case 'stop':
      return strategy === 'Always' || strategy === 'Once' || (strategy !== 'Halted' && vmi === 'up');
    case 'restart':
      return strategy !== 'Halted' && strategy !== 'Once' && vmi !== 'absent';
  }
}

function editOf(what: 'label' | 'memory' | 'hostname', count: number): object {
  if (what === 'label') return { metadata: { labels: { edit: String(count) } } };
  if (what === 'memory') return { spec: { domain: { memory: { guest: `${256 + count}Mi` } } } };
  return { spec: { hostname: `host-${count}` } };
}

function described(vm: Unstructured, vmi: Unstructured | undefined): string {
  const conditions = (object: Unstructured | undefined): string =>
    JSON.stringify((object?.['status'] as { conditions?: unknown } | undefined)?.conditions ?? []);
  return `${textOf(vm, 'status', 'printableStatus')}, VMI ${textOf(vmi, 'status', 'phase') || 'none'}, ${conditions(vm)}`;
}
