/** The expected objects of every sample in deploy/samples/ on its cluster. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';

export const samplesFolder = join(import.meta.dirname, '../../deploy/samples');

export interface ExpectedDisk {
  readonly name: string;
  readonly size: string;
  readonly class?: string;
  readonly volumeMode?: string;
  readonly accessModes?: readonly string[];
  /** Filled by a DataVolume from this kind of source. */
  readonly from?: 'registry' | 'http' | 'pvc' | 'sourceRef';
}

export interface ExpectedInterface {
  readonly name: string;
  readonly model: string;
  /** The NetworkAttachmentDefinition; absent for the pod network. */
  readonly network?: string;
  readonly mac?: string;
}

export interface Sample {
  readonly file: string;
  readonly machine: string;
  readonly phase?: 'Running' | 'Stopped';
  /** Cores, threads, sockets. */
  readonly cpu: readonly [number, number, number];
  readonly memory: string;
  readonly disks: readonly ExpectedDisk[];
  readonly interfaces?: readonly ExpectedInterface[];
  /** A part of the user data, and its location. */
  readonly userData?: { readonly in: 'machine' | 'secret'; readonly says: string; readonly networkData?: string };
  readonly labels?: Readonly<Record<string, string>>;
  /** The domain contains this. */
  readonly domain?: object;
  /** The cluster that it names. */
  readonly cluster?: 'cluster-east' | 'cluster-west';
}

const podNetwork: ExpectedInterface = { name: 'default', model: 'virtio' };

const small = { cpu: [1, 1, 1], memory: '2Gi', disks: [{ name: 'root', size: '20Gi' }] } as const;
const medium = { cpu: [2, 1, 1], memory: '4Gi', disks: [{ name: 'root', size: '40Gi' }] } as const;
const large = { cpu: [4, 1, 1], memory: '8Gi', disks: [{ name: 'root', size: '80Gi' }] } as const;

export const samples: readonly Sample[] = [
  { file: 'machine-basic.yaml', machine: 'basic-vm', ...medium },
  {
    file: 'machine-overrides.yaml',
    machine: 'custom-vm',
    cpu: [4, 1, 1],
    memory: '8Gi',
    disks: [
      { name: 'root', size: '20Gi' },
      { name: 'data', size: '100Gi', class: 'fast-ssd' },
    ],
  },
  {
    file: 'machine-networking.yaml',
    machine: 'networked-vm',
    ...medium,
    interfaces: [
      { name: 'eth0', model: 'virtio', network: 'prod-network' },
      { name: 'eth1', model: 'virtio', network: 'storage-network' },
    ],
  },
  {
    file: 'machine-cloud-init.yaml',
    machine: 'cloud-init-vm',
    ...large,
    userData: { in: 'machine', says: 'systemctl start docker' },
  },
  {
    file: 'machine-cloud-init-secret.yaml',
    machine: 'secret-cloud-init-vm',
    ...small,
    userData: { in: 'secret', says: 'ssh-rsa AAAAB3...', networkData: 'dhcp4: true' },
  },
  {
    file: 'machine-cloud-init-both.yaml',
    machine: 'both-cloud-init-vm',
    ...small,
    userData: { in: 'machine', says: 'ssh-rsa AAAAB3...' },
  },
  {
    file: 'machine-disks.yaml',
    machine: 'disks-vm',
    cpu: [2, 1, 1],
    memory: '4Gi',
    disks: [
      { name: 'root', size: '20Gi', class: 'fast-ssd', accessModes: ['ReadWriteOnce'] },
      { name: 'database', size: '50Gi', class: 'fast-ssd', volumeMode: 'Block' },
      { name: 'shared', size: '10Gi', accessModes: ['ReadWriteMany'] },
    ],
  },
  {
    file: 'machine-network-mac.yaml',
    machine: 'addressed-vm',
    ...medium,
    interfaces: [
      { name: 'eth0', model: 'virtio', network: 'office-network', mac: '52:54:00:12:34:56' },
      { name: 'old', model: 'e1000', network: 'office-network' },
      { name: 'pods', model: 'virtio' },
    ],
  },
  { file: 'machine-single-cluster.yaml', machine: 'my-machine', ...medium },
  { file: 'machine-stopped.yaml', machine: 'stopped-vm', phase: 'Stopped', ...small },
  {
    file: 'machine-template-override.yaml',
    machine: 'resized-vm',
    ...medium,
    cpu: [4, 1, 1],
    memory: '8Gi',
    labels: { 'cluster.vitistack.io/cluster-name': 'team-a', 'vitistack.io/machine-template': 'medium' },
  },
  {
    file: 'machine-boot-images.yaml',
    machine: 'container-disk-vm',
    ...medium,
    disks: [{ name: 'root', size: '40Gi', from: 'registry' }],
    userData: { in: 'machine', says: 'hostname: container-disk-vm' },
  },
  {
    file: 'machine-boot-images.yaml',
    machine: 'http-vm',
    ...small,
    disks: [{ name: 'root', size: '30Gi', from: 'http' }],
  },
  {
    file: 'machine-boot-images.yaml',
    machine: 'data-source-vm',
    ...large,
    disks: [
      { name: 'root', size: '80Gi', from: 'sourceRef' },
      { name: 'seed', size: '10Gi', from: 'pvc' },
    ],
  },
  {
    file: 'machine-windows.yaml',
    machine: 'windows-vm',
    cpu: [4, 2, 1],
    memory: '8Gi',
    disks: [{ name: 'system', size: '80Gi', volumeMode: 'Block', from: 'sourceRef' }],
    interfaces: [{ name: 'lan', model: 'e1000' }],
    domain: { machine: { type: 'q35' }, firmware: { bootloader: { efi: { secureBoot: true } } } },
  },
  { file: 'machine-placed-by-field.yaml', machine: 'my-machine-by-field', ...medium, cluster: 'cluster-east' },
  { file: 'machine-placed-by-annotation.yaml', machine: 'my-machine-east', ...medium, cluster: 'cluster-east' },
  { file: 'machine-placed-by-annotation.yaml', machine: 'my-machine-west', ...medium, cluster: 'cluster-west' },
];

export function interfacesOf({ interfaces = [podNetwork] }: Sample): readonly ExpectedInterface[] {
  return interfaces;
}

/** Each file once, in an order in which they can be applied. */
export function filesOf(which: (sample: Sample) => boolean): readonly string[] {
  return [...new Set(samples.filter(which).map(({ file }) => file))];
}

export function documentsOf(file: string): readonly Unstructured[] {
  const text = readFileSync(join(samplesFolder, file), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as Unstructured);
}

const claim = (namespace: string, name: string, storage: string, volumeMode: string): Unstructured => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace, name },
  spec: { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage } } },
});

const dataSource = (name: string): Unstructured => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataSource',
  metadata: { namespace: 'boot-images', name },
  spec: { source: { pvc: { namespace: 'boot-images', name } } },
});

/** What the samples require of a cluster: a fast class, boot images, and a claim to copy. */
export const prerequisites: readonly (KubeObject & Unstructured)[] = [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast-ssd' },
    provisioner: 'csi.sandbox.ssvirt.io',
    allowVolumeExpansion: true,
    volumeBindingMode: 'Immediate',
  },
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'boot-images', labels: { 'vitistack.io/allow-copies': 'true' } },
  },
  claim('boot-images', 'debian-12', '10Gi', 'Filesystem'),
  claim('boot-images', 'windows-server', '40Gi', 'Block'),
  dataSource('debian-12'),
  dataSource('windows-server'),
  claim('default', 'golden-data', '5Gi', 'Filesystem'),
];
