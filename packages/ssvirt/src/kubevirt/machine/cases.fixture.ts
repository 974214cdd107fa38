/** Machines of all kinds, for tests. */
import { buildVirtualMachine } from './build.ts';
import { cloudInit } from './cloud-init.ts';
import type { MachineIdentity } from './identity.ts';
import { resolveNetworks } from './networks.ts';
import { isAttached, resolveSpec, type ResolvedMachine } from './resolve.ts';
import type { MachineSpec, NetworkConfigurationSpec } from './resource.ts';
import { planDisk } from './storage.ts';
import type { StorageClassFacts } from './storage-class.ts';
import type { KubeLike } from '../tenant-vm/kube-like.ts';

export const identity: MachineIdentity = {
  name: 'custom-vm',
  namespace: 'default',
  uid: '5b0b9a4e-0000-4000-8000-00000000a001',
  labels: { 'cluster.vitistack.io/cluster-name': 'prod', 'vitistack.io/machine-template': 'web', team: 'shop' },
  supervisor: '5b0b9a4e-0000-4000-8000-00000000ffff',
  marks: {
    labels: { 'ssvirt.io/parent-uid': '5b0b9a4e-0000-4000-8000-00000000a001', 'ssvirt.io/parent-kind': 'Machine' },
    annotations: { 'ssvirt.io/parent': 'default/custom-vm' },
  },
};

export const classes: readonly StorageClassFacts[] = [
  { name: 'standard', isDefault: true, expandable: true },
  { name: 'fast-ssd' },
];

export const configurations: ReadonlyMap<string, NetworkConfigurationSpec> = new Map([
  ['prod-network', { vlan: 100, bridge: 'br1', mtu: 9000 }],
  ['storage-network', {}],
]);

/**
 * The objects of a Machine in the order in which they are sent. Throws if the Machine is refused, which none of these
 * cases is.
 */
export function objectsOf(
  who: MachineIdentity,
  spec: MachineSpec,
  secretText?: string,
  known = configurations,
): readonly KubeLike[] {
  const resolved = resolvedOf(spec);
  const networks = resolveNetworks(who, resolved, known);
  if ('problem' in networks) throw new Error(networks.problem.message);
  const guest = cloudInit(who, resolved, secretText);
  if ('problem' in guest) throw new Error(guest.problem.message);
  return [
    ...networks.attachments,
    ...resolved.disks.flatMap((disk) => (isAttached(disk) ? [] : [planned(planDisk(who, disk, { classes }))])),
    ...(guest.secret === undefined ? [] : [guest.secret]),
    buildVirtualMachine(who, resolved, { networks: networks.networks, cloudInit: guest }),
  ];
}

export function resolvedOf(spec: MachineSpec): ResolvedMachine {
  const resolution = resolveSpec(spec);
  if ('problem' in resolution) throw new Error(resolution.problem.message);
  return resolution.resolved;
}

function planned({ create, problem }: ReturnType<typeof planDisk>): KubeLike {
  if (create === undefined) throw new Error(problem?.message ?? 'nothing to make');
  return create;
}

const root = { name: 'root', size: '10Gi' } as const;
const own: MachineSpec = { resources: { cpu: { cores: 1 }, memory: { size: '1Gi' } }, disks: [root] };

export const machineCases: readonly (readonly [name: string, spec: MachineSpec, secretText?: string])[] = [
  ['a template alone', { template: 'medium' }],
  ['the other word for it', { instanceType: 'small' }],
  ['no template', own],
  ['not running', { template: 'small', running: false }],
  ['no disk and no network card of its own', { resources: { memory: { size: '64Mi' } }, bootOrder: ['network'] }],
  [
    'overrides of a template',
    {
      template: 'small',
      resources: { cpu: { cores: 4, sockets: 2 }, memory: { size: '1.5Gi' } },
      disks: [{ name: 'root', size: '2T', volumeMode: 'Block', accessMode: 'ReadWriteMany' }],
    },
  ],
  [
    'disks of all modes',
    {
      ...own,
      disks: [
        root,
        { name: 'shared', size: '1.5Gi', accessMode: 'ReadWriteMany', volumeMode: 'Block' },
        { name: 'readonly', size: '2G', accessMode: 'ReadOnlyMany', storageClass: 'fast-ssd' },
        { name: 'plain', size: '1073741824', accessMode: 'ReadWriteOnce', volumeMode: 'Filesystem' },
      ],
    },
  ],
  [
    'disks of all sources',
    {
      ...own,
      disks: [
        { ...root, source: { containerDisk: { image: 'images.example.com/fedora:42' } } },
        { name: 'http', size: '5Gi', source: { http: { url: 'https://images.example.com/debian.qcow2' } } },
        { name: 'claim', size: '5Gi', source: { pvc: { name: 'golden' } }, accessMode: 'ReadWriteMany' },
        { name: 'image', size: '5Gi', source: { dataSource: { name: 'fedora', namespace: 'images' } } },
      ],
    },
  ],
  [
    'networks of all models',
    {
      template: 'small',
      networks: [
        { name: 'eth0' },
        { name: 'eth1', networkName: 'prod-network', model: 'e1000', macAddress: '52:54:00:12:34:56' },
        { name: 'eth2', networkName: 'storage-network', model: 'rtl8139' },
        { name: 'eth3', networkName: 'prod-network', model: 'virtio' },
      ],
    },
  ],
  ['a boot order', { template: 'small', bootOrder: ['disk', 'network', 'cdrom'] }],
  [
    'an installation medium to boot from',
    {
      template: 'small',
      disks: [{ name: 'medium', type: 'cdrom', size: '1Gi', source: { http: { url: 'https://example.com/a.iso' } } }],
      bootOrder: ['cdrom', 'disk'],
    },
  ],
  ['the network first', { template: 'small', bootOrder: ['network', 'disk'] }],
  [
    'short cloud-init data',
    { template: 'small', cloudInit: { userData: '#cloud-config\n', networkData: 'version: 2\n' } },
  ],
  ['long cloud-init data', { template: 'small', cloudInit: { userData: `#cloud-config\n# ${'ä'.repeat(2000)}` } }],
  ['cloud-init data from a Secret', { template: 'small', cloudInit: { secretRef: { name: 's' } } }, '#cloud-config\n'],
  ['network data alone', { template: 'small', cloudInit: { networkData: 'version: 2\n' } }],
  [
    'features, EFI and secure boot',
    {
      template: 'large',
      domain: {
        machine: { type: 'pc-q35' },
        features: { acpi: true, apic: true, hyperv: true },
        firmware: { bootloader: { efi: true, secureBoot: true } },
      },
    },
  ],
  [
    'EFI without secure boot',
    {
      template: 'small',
      domain: { machine: { type: 'pc-q35-rhel9.4.0' }, firmware: { bootloader: { efi: true, secureBoot: false } } },
    },
  ],
  [
    'BIOS, and features that are off',
    {
      template: 'small',
      domain: { features: { acpi: false, apic: false, hyperv: false }, firmware: { bootloader: { efi: false } } },
    },
  ],
];
