/** Actions of users on their Machines in the supervisor. */
import {
  annotations,
  type MachineDiskSpec,
  type MachineSpec,
} from '../../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { claims } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { machines } from '../../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import type { JsonPatchOperation } from '../../../packages/kube/src/client/client.ts';
import type { Dice } from '../../conformance/dice.ts';
import { look } from '../harness.ts';
import { anyCloudInit, anyLabels, anyNetworks, anyResources, larger, type Declared } from './declared.ts';
import { clusterNames, type ChaosHarness } from './harness.ts';

export async function create(
  { supervisor }: ChaosHarness,
  declared: Declared,
  dice: Dice,
  cluster: string = dice.pick(clusterNames),
): Promise<void> {
  declared.begin(dice, cluster);
  const { namespace, name, labels, spec } = declared;
  const byField = dice.chance(0.5);
  const said = byField ? {} : { annotations: { [annotations.kubevirtConfig]: cluster } };
  declared.note(`created on ${cluster} by ${byField ? 'field' : 'annotation'}: ${JSON.stringify(spec)}`);
  await supervisor.client.create(machines, {
    metadata: { namespace, name, labels, ...said },
    spec: byField ? { ...spec, kubevirtConfigRef: cluster } : spec,
  });
}

/** Resolves when it is accepted: its children are deleted asynchronously. */
export async function remove({ supervisor }: ChaosHarness, declared: Declared): Promise<void> {
  const { namespace, name } = declared;
  declared.note('deleted');
  declared.state = 'going';
  await supervisor.client.delete(machines, { namespace, name });
}

export async function isGone({ supervisor }: ChaosHarness, declared: Declared): Promise<boolean> {
  const { namespace, name } = declared;
  if ((await look(supervisor.client, machines, { namespace, name })) !== undefined) return false;
  declared.state = 'absent';
  declared.note('is gone');
  return true;
}

const edits = ['power', 'resources', 'networks', 'cloud-init', 'labels', 'more disk', 'less disk', 'grow'] as const;

export async function edit(harness: ChaosHarness, declared: Declared, dice: Dice): Promise<void> {
  const which = dice.pick(edits);
  const { spec } = declared;
  switch (which) {
    case 'power':
      return change(harness, declared, { running: spec.running === false });
    case 'resources':
      return change(harness, declared, { resources: anyResources(dice) });
    case 'networks':
      return change(harness, declared, { networks: anyNetworks(dice) });
    case 'cloud-init':
      return change(harness, declared, { cloudInit: anyCloudInit(dice) });
    case 'labels':
      return relabel(harness, declared, anyLabels(dice));
    case 'more disk':
      return addDisk(harness, declared, dice);
    case 'less disk':
      return takeOutDisk(harness, declared, dice);
    case 'grow':
      return grow(harness, declared, dice);
  }
}

/** A field that is undefined is removed. */
async function change({ supervisor }: ChaosHarness, declared: Declared, parts: Partial<Optional>): Promise<void> {
  const { namespace, name } = declared;
  const before: Record<string, unknown> = { ...declared.spec };
  // A merge would keep those fields of an object that are no longer specified.
  const operations = Object.entries(parts).flatMap(([field, value]): readonly JsonPatchOperation[] => {
    const path = `/spec/${field}`;
    if (value !== undefined) return [{ op: 'add', path, value }];
    return before[field] === undefined ? [] : [{ op: 'remove', path }];
  });
  const after = Object.entries({ ...before, ...parts }).filter(([, value]) => value !== undefined);
  declared.note(`changed: ${JSON.stringify(operations)}`);
  declared.spec = Object.fromEntries(after);
  if (operations.length > 0) await supervisor.client.patch(machines, { namespace, name }, { type: 'json', operations });
}

type Optional = { readonly [K in keyof MachineSpec]: MachineSpec[K] | undefined };

async function relabel(
  { supervisor }: ChaosHarness,
  declared: Declared,
  labels: Record<string, string>,
): Promise<void> {
  const { namespace, name } = declared;
  const gone = Object.fromEntries(Object.keys(declared.labels).map((key) => [key, null]));
  declared.note(`labelled: ${JSON.stringify(labels)}`);
  declared.labels = labels;
  const body = { metadata: { labels: { ...gone, ...labels } } };
  await supervisor.client.patch(machines, { namespace, name }, { type: 'merge', body });
}

async function addDisk(harness: ChaosHarness, declared: Declared, dice: Dice): Promise<void> {
  const there = declared.spec.disks ?? [];
  const name = dice.pick(['data', 'logs', 'scratch']);
  if (there.some((disk) => disk.name === name)) return;
  // A disk that it had before is unchanged.
  const disk: MachineDiskSpec = declared.disks.get(name) ?? { name, size: '1Gi' };
  declared.kept.delete(`${declared.name}-${name}`);
  declared.disks.set(name, disk);
  await change(harness, declared, { disks: [...there, disk] });
}

async function takeOutDisk(harness: ChaosHarness, declared: Declared, dice: Dice): Promise<void> {
  const there = (declared.spec.disks ?? []).filter((disk) => disk.name !== 'root');
  if (there.length === 0) return;
  const { name } = dice.pick(there);
  const claim = `${declared.name}-${name}`;
  const { client } = harness.member(declared.cluster);
  const found = await look(client, claims, { namespace: declared.namespace, name: claim });
  // A disk that was not created yet need not come; one that is being deleted goes.
  if (found !== undefined && found.metadata.deletionTimestamp === undefined) declared.kept.add(claim);
  await change(harness, declared, { disks: (declared.spec.disks ?? []).filter((disk) => disk.name !== name) });
}

async function grow(harness: ChaosHarness, declared: Declared, dice: Dice): Promise<void> {
  const there = (declared.spec.disks ?? []).filter((disk) => disk.size !== undefined);
  if (there.length === 0) return;
  const chosen = dice.pick(there);
  const size = larger(chosen.size ?? '');
  const disks = (declared.spec.disks ?? []).map((disk) => (disk === chosen ? { ...disk, size } : disk));
  for (const disk of disks) declared.disks.set(disk.name, disk);
  await change(harness, declared, { disks });
}
