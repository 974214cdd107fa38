/** Two clusters, one of them with only KubeVirt, and in them obstacles for Machines. */
import type { Client } from '../../../packages/kube/src/client/client.ts';
import type { KubeObject } from '../../../packages/kube/src/object.ts';
import { findCondition, type Condition } from '../../../packages/kube/src/reconcile/conditions.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import {
  claims,
  namespaces,
  networkAttachments,
  secrets,
  storageClasses,
  virtualMachines,
} from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { machines, type Machine } from '../../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { DIALS } from '../../../packages/sandbox/src/simulators/dial-keeper.ts';
import { showDials } from '../../../packages/sandbox/src/simulators/dial-values.ts';
import { defaultDials, type SimulatedFault } from '../../../packages/sandbox/src/simulators/dials.ts';
import { configMaps } from '../../../packages/sandbox/src/simulators/serving/front-proxy.ts';
import { storageClass } from '../../../packages/sandbox/src/simulators/storage/classes.ts';
import { definitions } from '../../fleet/definition.ts';
import { uidOf } from '../../fleet/harness.ts';
import { definitionOf } from '../definitions.ts';
import { look, OperatorHarness, team } from '../harness.ts';
import { until } from '../../runtime/until.ts';

/** For a busy host; the waits themselves do not load it. */
const slowly = { deadlineMs: 100_000, everyMs: 200 } as const;

export const full = 'east';
export const bare = 'bare';

/** Separate namespaces, for faults of an entire namespace. */
export const elsewhere = [
  'foreign',
  'of-another',
  'ending',
  'crowded',
  'narrow',
  'crammed',
  'full-house',
  'library',
] as const;

export const quotas: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};

/** What the simulated cluster cannot do until its dial changes. */
const troubles: readonly SimulatedFault[] = [
  { kind: 'volume-pending', namespace: 'crammed' },
  { kind: 'import-fails', namespace: team, name: 'no-such-file-root' },
  { kind: 'import-fails', namespace: team, name: 'no-such-image-root' },
];
const dials = { ...defaultDials, speed: 100, faults: troubles };

export class World {
  readonly harness: OperatorHarness;
  readonly identity: string;
  #faults = troubles;

  private constructor(harness: OperatorHarness, identity: string) {
    this.harness = harness;
    this.identity = identity;
  }

  static async start(): Promise<World> {
    const harness = await OperatorHarness.start({ clusters: [full, bare], dials });
    const world = new World(harness, await uidOf(harness.supervisor));
    await world.#furnish();
    return world;
  }

  get supervisor(): Client {
    return this.harness.supervisor.client;
  }

  cluster(name: string): Client {
    return this.harness.member(name).client;
  }

  get east(): Client {
    return this.cluster(full);
  }

  get bare(): Client {
    return this.cluster(bare);
  }

  async #furnish(): Promise<void> {
    const { supervisor, east, bare: lean } = this;
    for (const name of elsewhere) await supervisor.create(namespaces, { metadata: { name } });
    const allowed = { 'vitistack.io/allow-machines': 'true' };
    for (const name of [team, 'crowded', 'narrow', 'crammed', 'full-house'])
      await east.create(namespaces, { metadata: { name, labels: allowed } });
    for (const name of ['foreign', 'library']) await east.create(namespaces, { metadata: { name } });
    await east.create(namespaces, {
      metadata: { name: 'of-another', labels: { 'vitistack.io/supervisor': 'somebody-else' } },
    });
    await east.create(namespaces, { metadata: { name: 'ending', finalizers: ['example.com/hold'], labels: allowed } });
    await east.delete(namespaces, { name: 'ending' });
    await this.#limit('crowded', { 'requests.storage': '1Gi' });
    await this.#limit('narrow', { pods: '0' });
    await this.#limit('full-house', { 'count/virtualmachines.kubevirt.io': '0' });
    await east.create(storageClasses, { ...storageClass('rigid', false), allowVolumeExpansion: false });
    await this.#strangers();
    for (const name of ['datavolumes.cdi.kubevirt.io', 'network-attachment-definitions.k8s.cni.cncf.io'])
      await lean.delete(definitions, { name });
    await this.defaultClass(bare, false);
  }

  /** An object that has a name of a future child, and no owner. */
  async #strangers(): Promise<void> {
    const { east } = this;
    const template = { spec: { domain: { devices: {}, memory: { guest: '1Gi' } } } };
    for (const name of ['vm-squatted', 'vm-inherited'])
      await east.create(virtualMachines, {
        metadata: { namespace: team, name },
        spec: { runStrategy: 'Halted', template },
      });
    await east.create(claims, {
      metadata: { namespace: team, name: 'blocked-data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await east.create(claims, {
      metadata: { namespace: 'library', name: 'golden' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await east.create(networkAttachments, {
      metadata: { namespace: team, name: 'taken' },
      spec: { config: '{}' },
    });
    await east.create(secrets, { metadata: { namespace: team, name: 'vm-overheard-cloudinit' } });
  }

  async #limit(namespace: string, hard: Readonly<Record<string, string>>): Promise<void> {
    await this.east.create(quotas as ResourceType, { metadata: { namespace, name: 'little' }, spec: { hard } });
  }

  async defaultClass(cluster: string, isDefault: boolean): Promise<void> {
    const value = String(isDefault);
    const marks = {
      'storageclass.kubernetes.io/is-default-class': value,
      'storageclass.kubevirt.io/is-default-virt-class': value,
    };
    const body = { metadata: { annotations: marks } };
    await this.cluster(cluster).patch(storageClasses, { name: 'standard' }, { type: 'merge', body });
  }

  /** Repairs the storage, or the server with the image. */
  async relieve(where: string): Promise<void> {
    this.#faults = this.#faults.filter(({ name, namespace }) => (name ?? namespace) !== where);
    const { faults = '' } = showDials({ ...dials, faults: this.#faults });
    await this.east.patch(configMaps, DIALS, { type: 'merge', body: { data: { faults } } });
  }

  machine(key: Key): Promise<Machine> {
    return this.supervisor.get(machines, key);
  }

  change(key: Key, body: object): Promise<Machine> {
    return this.supervisor.patch(machines, key, { type: 'merge', body });
  }

  /** Resolves to the Machine that has it. */
  async reaches(key: Key, what: string, isThere: (machine: Machine) => boolean): Promise<Machine> {
    let found: Machine | undefined;
    await until(
      `Machine ${key.namespace}/${key.name} ${what}`,
      async () => {
        found = await this.machine(key);
        if (isThere(found)) return true;
        throw new Error(`it has ${JSON.stringify(found.status)}`);
      },
      slowly,
    );
    if (found === undefined) throw new Error('until has not waited');
    return found;
  }

  async gone(key: Key): Promise<void> {
    await until(
      `Machine ${key.namespace}/${key.name} is gone`,
      async () => {
        const found = await look(this.supervisor, machines, key);
        if (found === undefined) return true;
        throw new Error(`it has ${JSON.stringify(found)}`);
      },
      slowly,
    );
  }

  /** Machines may have any content then, like those that were written under another definition. */
  async loosen(): Promise<void> {
    const { spec } = definitionOf('machines') as unknown as { spec: { versions: readonly object[] } };
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const body = { spec: { versions: spec.versions.map((version) => ({ ...version, schema })) } };
    await this.supervisor.patch(definitions, { name: 'machines.vitistack.io' }, { type: 'merge', body });
    const trial = { metadata: { namespace: team, name: 'trial' }, spec: 'anything' };
    await until('anything is taken', async () => {
      await this.supervisor.create<KubeObject>(machines, trial, { dryRun: true });
      return true;
    });
  }

  async runs(key: Key): Promise<void> {
    await this.reaches(key, 'runs', (one) => {
      const ready = findCondition(one.status?.conditions, 'Ready');
      return ready?.status === 'True' && ready.reason === 'Running' && one.status?.phase === 'Running';
    });
  }
}

export interface Key {
  readonly namespace: string;
  readonly name: string;
}

export function conditionOf({ status }: Machine, type: string): Condition | undefined {
  return findCondition(status?.conditions, type);
}
