/** VMs of all kinds, for tests. */
import type { VmIdentity } from './labels.ts';
import type { VmSpec } from './spec.ts';

export const identity: VmIdentity = {
  installationId: 'f3b1d7a2-0000-4000-8000-000000000001',
  organizationId: '0c0b2f14-9a0f-4b8e-8a0f-2f9d5a1c0b22',
  vdcId: '7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11',
  namespace: 'acme-production-7d6a3c6e',
  vappId: '1b9f0e52-5c1d-4f0e-8b2a-77d0c5f2a001',
  vappName: 'Web shop',
  vmId: '9a1c44de-1111-4222-8333-444455556666',
  vmName: 'web-01-9a1c44de',
  name: 'Web 01',
  description: 'Serves the shop: "fast"',
};

export const plain: VmSpec = {
  source: { kind: 'direct', boot: { kind: 'image', image: 'containerdisks/fedora:42' } },
  disks: [],
  networks: [],
  storageMb: 0,
};

const fedora = { kind: 'dataSource', namespace: 'kubevirt-os-images', name: 'fedora' } as const;

export const machineCases: readonly (readonly [name: string, spec: VmSpec])[] = [
  ['a container disk', plain],
  ['a clone of the size of its source', { ...plain, source: { kind: 'direct', boot: fedora } }],
  [
    'a larger clone in a class',
    { ...plain, source: { kind: 'direct', boot: fedora }, rootDisk: { sizeMb: 40_960, storageClass: 'fast' } },
  ],
  [
    'an import over HTTP',
    {
      ...plain,
      source: { kind: 'direct', boot: { kind: 'url', url: 'https://images.example.com/fedora.qcow2' } },
      rootDisk: { sizeMb: 10_240 },
    },
  ],
  ['an empty disk', { ...plain, source: { kind: 'direct', boot: { kind: 'blank' } }, rootDisk: { sizeMb: 1024 } }],
  [
    'more disks',
    {
      ...plain,
      disks: [
        { name: 'data', sizeMb: 2048 },
        { name: 'logs', sizeMb: 512, storageClass: 'slow' },
      ],
    },
  ],
  ['an instance type', { ...plain, instancetype: { name: 'u1.small' } }],
  [
    'an instance type and a preference of the namespace',
    {
      ...plain,
      instancetype: { name: 'tiny', kind: 'VirtualMachineInstancetype' },
      preference: { name: 'windows', kind: 'VirtualMachinePreference' },
    },
  ],
  ['a preference', { ...plain, preference: { name: 'fedora' } }],
  [
    'networks',
    {
      ...plain,
      networks: [
        { name: 'default', kind: 'pod' },
        { name: 'dmz', kind: 'multus', networkName: 'vlan-20' },
      ],
    },
  ],
  ['a network of its own alone', { ...plain, networks: [{ name: 'lan', kind: 'multus', networkName: 'vlan-7' }] }],
  ['user data', { ...plain, cloudInit: { userData: '#cloud-config\npassword: opensesame\n' } }],
  [
    'network data, and user data beyond what a machine may hold itself',
    {
      ...plain,
      cloudInit: {
        userData: `#cloud-config\n# ${'x'.repeat(5000)}\n`,
        networkData: 'version: 2\nethernets: {eth0: {dhcp4: true}}\n',
      },
    },
  ],
  ['network data alone', { ...plain, cloudInit: { networkData: 'version: 2\n' } }],
  ['public keys', { ...plain, sshKeys: ['ssh-ed25519 AAAAC3Nza ann@example.com', 'ssh-rsa AAAAB3Nza bob'] }],
  [
    'all of it',
    {
      source: { kind: 'direct', boot: fedora },
      instancetype: { name: 'u1.medium' },
      preference: { name: 'fedora' },
      rootDisk: { sizeMb: 30_720 },
      disks: [{ name: 'data', sizeMb: 1024 }],
      networks: [
        { name: 'default', kind: 'pod' },
        { name: 'dmz', kind: 'multus', networkName: 'vlan-20' },
      ],
      storageMb: 31_744,
      cloudInit: { userData: '#cloud-config\n', networkData: 'version: 2\n' },
      sshKeys: ['ssh-ed25519 AAAAC3Nza ann@example.com'],
    },
  ],
];
