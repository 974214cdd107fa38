/**
 * Foreign changes in a cluster to the children of a Machine: all must be reverted. (A deleted instance is a VM that was
 * switched off, which stays so.)
 */
import { claims, networkAttachments, secrets, virtualMachines } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { KubeError } from '../../../packages/kube/src/errors.ts';
import type { KubeObject } from '../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import type { Dice } from '../../conformance/dice.ts';
import type { Declared } from './declared.ts';
import type { ChaosHarness } from './harness.ts';

type Deed = (at: Site) => Promise<unknown>;

interface Site {
  readonly declared: Declared;
  readonly dice: Dice;
  readonly patch: (type: ResourceType<KubeObject>, name: string, body: object) => Promise<unknown>;
  readonly delete: (type: ResourceType<KubeObject>, name: string) => Promise<unknown>;
}

const labels = [
  'vitistack.io/managed-by',
  'vitistack.io/machine',
  'vitistack.io/supervisor',
  'ssvirt.io/parent-uid',
  'ssvirt.io/parent-kind',
];

const deeds: Readonly<Record<string, Deed>> = {
  'another size': ({ declared, patch }) =>
    patch(virtualMachines, `vm-${declared.name}`, {
      spec: { template: { spec: { domain: { cpu: { cores: 7 }, memory: { guest: '7Gi' } } } } },
    }),
  'another strategy': ({ declared, patch, dice }) =>
    patch(virtualMachines, `vm-${declared.name}`, {
      spec: { runStrategy: dice.pick(['Always', 'Halted', 'RerunOnFailure']) },
    }),
  'no disks': ({ declared, patch }) =>
    patch(virtualMachines, `vm-${declared.name}`, {
      spec: { template: { spec: { volumes: [], domain: { devices: { disks: [] } } } } },
    }),
  'no label': ({ declared, patch, dice }) =>
    patch(virtualMachines, `vm-${declared.name}`, { metadata: { labels: { [dice.pick(labels)]: null } } }),
  'no labels': ({ declared, patch }) =>
    patch(virtualMachines, `vm-${declared.name}`, {
      metadata: { labels: Object.fromEntries(labels.map((label) => [label, null])) },
    }),
  'no virtual machine': (site) => site.delete(virtualMachines, `vm-${site.declared.name}`),
  'no secret': (site) => site.delete(secrets, `vm-${site.declared.name}-cloudinit`),
  'another secret': ({ declared, patch }) =>
    patch(secrets, `vm-${declared.name}-cloudinit`, { data: { userdata: 'bm9uc2Vuc2U=' } }),
  'no network': (site) => site.delete(networkAttachments, 'prod-network'),
  'another network': ({ patch }) =>
    patch(networkAttachments, 'storage-network', { spec: { config: '{"type":"bridge","bridge":"nowhere"}' } }),
  'no claim': (site) => {
    const { name, kept } = site.declared;
    const disk = site.dice.pick(['data', 'logs', 'scratch']);
    // A disk that is removed from the Machine meanwhile does not come back.
    if (kept.has(`${name}-${disk}`)) return Promise.resolve();
    return site.delete(claims, `${name}-${disk}`);
  },
};

export async function vandalize(harness: ChaosHarness, declared: Declared, dice: Dice): Promise<void> {
  const { client } = harness.member(declared.cluster);
  const { namespace } = declared;
  const [what, deed] = dice.pick(Object.entries(deeds));
  declared.note(`found by a vandal: ${what}`);
  try {
    await deed({
      declared,
      dice,
      patch: (type, name, body) => client.patch(type, { namespace, name }, { type: 'merge', body }),
      delete: (type, name) => client.delete(type, { namespace, name }),
    });
  } catch (error) {
    // It does not exist, or the cluster refuses.
    if (!(error instanceof KubeError)) throw error;
    declared.note(`the vandal was refused: ${error.message}`);
  }
}
