/** Compares the declared with the actual objects, one by one. It reports only differences. */
import { isDeepStrictEqual } from 'node:util';
import type { Machine } from '../../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { isConditionTrue } from '../../../packages/kube/src/reconcile/conditions.ts';
import type { Unstructured } from '../../../packages/kube/src/object.ts';
import { bytes } from '@ssvirt/base/values/quantity';
import { fields, list } from '../../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import type { Declared } from './declared.ts';
import {
  expectedCloudInit,
  expectedDisks,
  expectedNetwork,
  expectedVm,
  shownNetwork,
  shownVm,
  type ExpectedDisk,
} from './expected.ts';
import type { ClusterWorld, World } from './world.ts';

const parentUid = 'ssvirt.io/parent-uid';

export interface Disagreement {
  /** `namespace/name` of the Machine; absent if there is none for it. */
  readonly machine?: string;
  readonly what: string;
}

export function disagreements(world: World, all: readonly Declared[]): readonly Disagreement[] {
  const found: Disagreement[] = [];
  for (const declared of all) {
    const machine = `${declared.namespace}/${declared.name}`;
    const say = (what: string): void => void found.push({ machine, what });
    if (declared.state === 'there') compareMachine(world, declared, say);
    else if (world.machines.has(machine)) say(`is still there: ${JSON.stringify(world.machines.get(machine))}`);
  }
  for (const what of orphans(world, all)) found.push({ what });
  return found;
}

type Say = (what: string) => void;

function compareMachine(world: World, declared: Declared, say: Say): void {
  const machine = world.machines.get(`${declared.namespace}/${declared.name}`);
  if (machine === undefined) return say('is not there');
  compareStatus(machine, declared, say);
  for (const cluster of world.clusters) {
    const vm = cluster.vms.get(`${declared.namespace}/vm-${declared.name}`);
    if (cluster.name !== declared.cluster) {
      if (vm !== undefined) say(`has a virtual machine in ${cluster.name}, too`);
      continue;
    }
    if (vm === undefined) say(`has no virtual machine in ${cluster.name}`);
    else compareVm(machine, vm, declared, say);
    compareInstance(cluster, declared, say);
    for (const disk of expectedDisks(declared)) compareDisk(cluster, declared, disk, say);
    for (const claim of declared.kept)
      if (!cluster.claims.has(`${declared.namespace}/${claim}`)) say(`the claim ${claim} was not kept`);
    compareSecret(cluster, declared, say);
    compareNetworks(cluster, declared, say);
  }
}

function compareStatus({ metadata, status }: Machine, { spec, cluster, name }: Declared, say: Say): void {
  const isOn = spec.running !== false;
  const wanted = {
    phase: isOn ? 'Running' : 'Stopped',
    kubevirtConfigRef: cluster,
    observedGeneration: metadata.generation,
    vmName: `vm-${name}`,
    vmiName: isOn ? `vm-${name}` : undefined,
  };
  const shown = {
    phase: status?.phase,
    kubevirtConfigRef: status?.kubevirtConfigRef,
    observedGeneration: status?.observedGeneration,
    vmName: status?.vmName,
    vmiName: status?.vmiName,
  };
  differ('status', shown, wanted, say);
  for (const type of ['Ready', 'VirtualMachineReady', 'StorageReady', 'NetworkReady'])
    if (!isConditionTrue(status?.conditions, type))
      say(`is not ${type}: ${JSON.stringify(status?.conditions?.find((one) => one.type === type))}`);
}

function compareVm(machine: Machine, vm: Unstructured, declared: Declared, say: Say): void {
  if (vm.metadata.labels?.[parentUid] !== machine.metadata.uid) say('its virtual machine is that of another');
  if (vm.metadata.deletionTimestamp !== undefined) say('its virtual machine is being deleted');
  differ('virtual machine', shownVm(vm, declared), expectedVm(declared), say);
}

function compareInstance({ instances }: ClusterWorld, { namespace, name, spec }: Declared, say: Say): void {
  const phase = fields(fields(instances.get(`${namespace}/vm-${name}`))['status'])['phase'];
  const wanted = spec.running === false ? undefined : 'Running';
  if (phase !== wanted) say(`its instance is ${String(phase)}, not ${String(wanted)}`);
}

function compareDisk(cluster: ClusterWorld, declared: Declared, disk: ExpectedDisk, say: Say): void {
  const key = `${declared.namespace}/${disk.claim}`;
  const claim = cluster.claims.get(key);
  if (claim === undefined) return say(`has no claim ${disk.claim}`);
  if (claim.metadata.deletionTimestamp !== undefined && !isInUse(cluster, declared, disk))
    say(`its claim ${disk.claim} is being deleted`);
  if (cluster.dataVolumes.has(key) !== disk.hasSource)
    say(`its disk ${disk.name} has ${disk.hasSource ? 'no' : 'a'} DataVolume`);
  const { resources, storageClassName } = fields(claim['spec']);
  const size = bytes(fields(fields(resources)['requests'])['storage']) ?? 0;
  const wanted = bytes(disk.size) ?? 0;
  // CDI requests more than the disk needs: a file system takes its share.
  if (disk.hasSource ? size < wanted : size !== wanted) say(`its claim ${disk.claim} has ${size}, not ${wanted} bytes`);
  if (storageClassName !== 'standard') say(`its claim ${disk.claim} is of class ${String(storageClassName)}`);
  if (fields(claim['status'])['phase'] !== 'Bound') say(`its claim ${disk.claim} is not bound`);
}

/**
 * A deleted claim stays as long as a VM uses it, and that cannot be undone: it is created again when the VM has
 * stopped, which the operator does not force.
 */
function isInUse({ instances }: ClusterWorld, { namespace, name }: Declared, { claim }: ExpectedDisk): boolean {
  const { volumes } = fields(fields(instances.get(`${namespace}/vm-${name}`))['spec']);
  return list(volumes).some((volume) => {
    const { persistentVolumeClaim, dataVolume } = fields(volume);
    return fields(persistentVolumeClaim)['claimName'] === claim || fields(dataVolume)['name'] === claim;
  });
}

function compareSecret({ secrets, instances }: ClusterWorld, declared: Declared, say: Say): void {
  const told = expectedCloudInit(declared);
  const secret = secrets.get(`${declared.namespace}/vm-${declared.name}-cloudinit`);
  if (told?.inSecret !== true) {
    // An instance may be older than the change.
    const hasInstance = instances.has(`${declared.namespace}/vm-${declared.name}`);
    if (secret !== undefined && !hasInstance) say('has a Secret without a use');
    return;
  }
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const wanted = {
    userdata: encoded(told.userData),
    ...(told.networkData === undefined ? {} : { networkdata: encoded(told.networkData) }),
  };
  if (!isDeepStrictEqual(fields(secret)['data'], wanted))
    say(`its Secret is ${secret === undefined ? 'absent' : 'another'}`);
}

function compareNetworks({ attachments }: ClusterWorld, { namespace, spec }: Declared, say: Say): void {
  for (const { networkName } of spec.networks ?? [])
    if (networkName !== undefined)
      differ(
        `network ${networkName}`,
        shownNetwork(attachments.get(`${namespace}/${networkName}`)),
        expectedNetwork(networkName),
        say,
      );
}

function differ(what: string, shown: object, wanted: object, say: Say): void {
  if (isDeepStrictEqual(shown, wanted)) return;
  const parts = Object.entries(wanted).filter(
    ([key, value]) => !isDeepStrictEqual((shown as Record<string, unknown>)[key], value),
  );
  for (const [key, value] of parts)
    say(`${what}.${key} is ${JSON.stringify((shown as Record<string, unknown>)[key])}, not ${JSON.stringify(value)}`);
}

/**
 * Objects that no Machine requested: nothing else creates such objects in these namespaces. Networks are shared, and
 * stay as long as their namespace has a Machine.
 */
function* orphans({ clusters, machines }: World, all: readonly Declared[]): Iterable<string> {
  for (const cluster of clusters) {
    const here = all.filter((one) => one.state === 'there' && one.cluster === cluster.name);
    const uids = new Set(here.map(({ namespace, name }) => machines.get(`${namespace}/${name}`)?.metadata.uid));
    const kinds = ['vms', 'instances', 'claims', 'dataVolumes', 'secrets'] as const;
    for (const kind of kinds)
      for (const [key, { metadata }] of cluster[kind])
        if (!uids.has(metadata.labels?.[parentUid])) yield `${cluster.name} has ${kind} ${key} without a Machine`;
    const busy = new Set(here.map(({ namespace }) => namespace));
    for (const [key, { metadata }] of cluster.attachments)
      if (!busy.has(metadata.namespace ?? '')) yield `${cluster.name} has a network ${key} without a Machine`;
  }
}
