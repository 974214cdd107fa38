/** Mistakes in a Machine that only the operator can detect: what it reports, and what fixes them. */
import { machines, networkConfigurations } from '../../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { namespaces, secrets, storageClasses } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { storageClass } from '../../../packages/sandbox/src/simulators/storage/classes.ts';
import type {
  MachinePhase,
  MachineSpec,
  MachineProblemReason,
} from '../../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { team } from '../harness.ts';
import { bare, full, quotas, type Key, type World } from './world.ts';

export interface BadSpec {
  readonly name: string;
  readonly namespace?: string;
  readonly spec: MachineSpec;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Creates what must exist before the Machine. */
  readonly first?: (world: World) => Promise<unknown>;
  /** For a good Machine that runs: makes the bad change. */
  readonly change?: (world: World, key: Key) => Promise<unknown>;
  readonly reason: MachineProblemReason | 'NamespaceTerminating' | 'Unschedulable';
  /** Absent if the Machine becomes Failed after a while. */
  readonly phase?: MachinePhase;
  readonly says: string | RegExp;
  /** Other relevant conditions, such as `StorageReady=False:PVCPending`. */
  readonly parts?: readonly string[];
  readonly mend: (world: World, key: Key) => Promise<unknown>;
  /** The cluster itself keeps retrying. */
  readonly restless?: true;
}

const chosen = 'vitistack.io/kubevirt-config';
const small = { template: 'small', kubevirtConfigRef: full } as const;
const lean = { template: 'small', kubevirtConfigRef: bare } as const;

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
const spec =
  (more: object): BadSpec['mend'] =>
  (world, key) =>
    world.change(key, { spec: more });
const annotate =
  (annotations: Readonly<Record<string, string | null>>): BadSpec['mend'] =>
  (world, key) =>
    world.change(key, { metadata: { annotations } });
const labelled =
  (name: string, labels: Readonly<Record<string, string>>): BadSpec['mend'] =>
  ({ east }) =>
    east.patch(namespaces, { name }, { type: 'merge', body: { metadata: { labels } } });
const secret =
  (name: string, data: Readonly<Record<string, string>>): ((world: World) => Promise<unknown>) =>
  ({ supervisor }) =>
    supervisor.create(secrets, { metadata: { namespace: team, name }, data });
const filled =
  (name: string, data: Readonly<Record<string, string>>): BadSpec['mend'] =>
  ({ supervisor }) =>
    supervisor.patch(secrets, { namespace: team, name }, { type: 'merge', body: { data } });
const network =
  (name: string): BadSpec['mend'] =>
  ({ supervisor }) =>
    supervisor.create(networkConfigurations, { metadata: { namespace: team, name }, spec: { vlan: 100 } });
const deletion =
  (name: string): BadSpec['mend'] =>
  ({ supervisor }) =>
    supervisor.delete(machines, { namespace: team, name });
const declared =
  (name: string, more: MachineSpec): ((world: World) => Promise<unknown>) =>
  async (world) => {
    await world.supervisor.create(machines, { metadata: { namespace: team, name }, spec: { ...small, ...more } });
    await world.runs({ namespace: team, name });
  };

/**
 * KubeVirt applies another size only when the VM restarts, even if the VM never ran: its VMI exists and waits for a
 * node.
 */
const restarted =
  (change: object): BadSpec['mend'] =>
  async (world, key) => {
    await world.change(key, { spec: change });
    await world.reaches(key, 'is changed', (one) => one.status?.observedGeneration === one.metadata.generation);
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${key.namespace}/virtualmachines/vm-${key.name}/restart`;
    await world.east.request({ method: 'PUT', path, body: {} });
  };

const smaller = (resources: NonNullable<MachineSpec['resources']>): BadSpec['mend'] => restarted({ resources });

/** No watch reports quotas: a user who does not want to wait for a minute touches the Machine. */
const unlimited =
  (namespace: string): BadSpec['mend'] =>
  async (world, key) => {
    await world.east.delete(quotas, { namespace, name: 'little' });
    await world.change(key, { metadata: { annotations: { 'example.com/again': 'please' } } });
  };

const url = 'https://images.example.com/debian.qcow2';

export const badSpecs: readonly BadSpec[] = [
  {
    name: 'unknown-template',
    spec: { ...small, template: 'gigantic' },
    reason: 'TemplateNotFound',
    phase: 'Failed',
    says: 'spec.template "gigantic" does not exist. Use a valid template name: small, medium, or large.',
    parts: ['VirtualMachineReady=False:VMFailed', 'StorageReady=Unknown:PVCPending'],
    mend: spec({ template: 'small' }),
  },
  {
    name: 'unknown-instance-type',
    spec: { instanceType: 'm5.large', kubevirtConfigRef: full },
    reason: 'TemplateNotFound',
    phase: 'Failed',
    says: 'spec.instanceType "m5.large" does not exist. Use a valid template name: small, medium, or large.',
    mend: spec({ instanceType: 'small' }),
  },
  {
    name: 'absent-class',
    spec: { ...small, disks: [{ name: 'data', size: '1Gi', storageClass: 'fast' }] },
    reason: 'StorageClassNotFound',
    phase: 'Pending',
    says: 'spec.disks["data"].storageClass: the cluster has no StorageClass "fast" (it has "local", "rigid", "standard"). Name another, or create it.',
    parts: ['StorageReady=False:PVCPending', 'VirtualMachineReady=False:VMPending'],
    mend: ({ east }) => east.create(storageClasses, storageClass('fast', false)),
  },
  {
    name: 'mistyped-class',
    spec: { ...small, disks: [{ name: 'data', size: '1Gi', storageClass: 'standart' }] },
    reason: 'StorageClassNotFound',
    phase: 'Pending',
    says: 'spec.disks["data"].storageClass: the cluster has no StorageClass "standart" (it has "local", "rigid", "standard"). Name another, or create it.',
    mend: spec({ disks: [{ name: 'data', size: '1Gi', storageClass: 'standard' }] }),
  },
  {
    name: 'no-default-class',
    spec: lean,
    reason: 'StorageClassNotFound',
    phase: 'Pending',
    says: 'spec.disks["root"].storageClass: the cluster has no default StorageClass. Name one (it has "local", "standard"), or ask an administrator to mark one as default.',
    mend: (world) => world.defaultClass(bare, true),
  },
  {
    name: 'absent-network',
    spec: { ...small, networks: [{ name: 'lan', networkName: 'prod' }] },
    reason: 'NetworkConfigurationNotFound',
    phase: 'Pending',
    says: `the NetworkConfiguration "prod" does not exist in the namespace "${team}": create it, or name another in spec.networks.`,
    parts: ['NetworkReady=False:NetworkFailed'],
    mend: network('prod'),
  },
  {
    name: 'mistyped-network',
    spec: { ...small, networks: [{ name: 'lan', networkName: 'prd' }] },
    reason: 'NetworkConfigurationNotFound',
    phase: 'Pending',
    says: `the NetworkConfiguration "prd" does not exist in the namespace "${team}": create it, or name another in spec.networks.`,
    mend: spec({ networks: [{ name: 'lan' }] }),
  },
  {
    name: 'foreign-network',
    spec: { ...small, networks: [{ name: 'lan', networkName: 'taken' }] },
    first: (world) => network('taken')(world, { namespace: team, name: '' }),
    reason: 'NameConflict',
    phase: 'Failed',
    says: `NetworkAttachmentDefinition "${team}/taken" exists in cluster "east" and was not created by this supervisor: delete or rename it, or use another name for the NetworkConfiguration`,
    parts: ['NetworkReady=False:NetworkFailed'],
    mend: spec({ networks: [{ name: 'lan' }] }),
  },
  {
    name: 'no-multus',
    spec: {
      ...lean,
      disks: [{ name: 'root', storageClass: 'standard' }],
      networks: [{ name: 'lan', networkName: 'taken' }],
    },
    reason: 'NetworkAttachmentsMissing',
    phase: 'Pending',
    says: 'cluster "bare" serves no NetworkAttachmentDefinitions: install Multus there, or leave out networkName',
    parts: ['NetworkReady=False:NetworkFailed'],
    mend: spec({ networks: null }),
  },
  {
    name: 'absent-secret',
    spec: { ...small, cloudInit: { secretRef: { name: 'words' } } },
    reason: 'CloudInitSecretNotFound',
    phase: 'Pending',
    says: `spec.cloudInit.secretRef: the Secret "words" with the key "userdata" does not exist in the namespace "${team}": create it, or name another.`,
    mend: secret('words', { userdata: base64('#cloud-config\n') }),
  },
  {
    name: 'absent-key',
    spec: { ...small, cloudInit: { secretRef: { name: 'keys', key: 'guest' } } },
    first: secret('keys', { other: base64('x') }),
    reason: 'CloudInitSecretNotFound',
    phase: 'Pending',
    says: `spec.cloudInit.secretRef: the Secret "keys" has no key "guest" (it has "other"): add it, or name another key.`,
    mend: filled('keys', { guest: base64('#cloud-config\n') }),
  },
  {
    name: 'large-secret',
    spec: { ...small, cloudInit: { secretRef: { name: 'tome' }, networkData: 'n'.repeat(100_000) } },
    first: secret('tome', { userdata: base64('u'.repeat(1_000_000)) }),
    reason: 'InvalidSpec',
    phase: 'Failed',
    says: 'spec.cloudInit has 1100000 bytes of user data and network data: a Secret holds at most 1048576. Let the guest fetch the rest itself, for example with "#include".',
    mend: filled('tome', { userdata: base64('#include https://example.com/rest\n') }),
  },
  {
    name: 'binary-secret',
    spec: { ...small, cloudInit: { secretRef: { name: 'noise' } } },
    first: secret('noise', { userdata: base64(Uint8Array.of(0x1f, 0x8b, 0x08, 0xff, 0xfe)) }),
    reason: 'CloudInitSecretInvalid',
    phase: 'Pending',
    says: `spec.cloudInit.secretRef: the key "userdata" of the Secret "noise" is not UTF-8 text: store the user data there unencoded and uncompressed.`,
    mend: filled('noise', { userdata: base64('#cloud-config\n') }),
  },
  {
    name: 'huge-user-data',
    spec: { ...small, cloudInit: { userData: 'ä'.repeat(524_288), networkData: 'n' } },
    reason: 'InvalidSpec',
    phase: 'Failed',
    says: 'spec.cloudInit has 1048577 bytes of user data and network data: a Secret holds at most 1048576. Let the guest fetch the rest itself, for example with "#include".',
    mend: spec({ cloudInit: { userData: '#cloud-config\n' } }),
  },
  {
    name: 'overheard',
    spec: { ...small, cloudInit: { userData: 'x'.repeat(3000) } },
    reason: 'NameConflict',
    phase: 'Failed',
    says: `Secret "${team}/vm-overheard-cloudinit" in cluster "east" exists and was not created for this Machine: use another name for the Machine, or delete it`,
    mend: spec({ cloudInit: { userData: '#cloud-config\n' } }),
  },
  {
    name: 'mac-clash',
    spec: { ...small, networks: [{ name: 'lan', macAddress: '52:54:00:AA:00:01' }] },
    first: declared('mac-owner', { networks: [{ name: 'lan', macAddress: '52:54:00:aa:00:01' }] }),
    reason: 'MacAddressConflict',
    phase: 'Failed',
    says: `spec.networks: the macAddress 52:54:00:aa:00:01 belongs to Machine "${team}/mac-owner" on the same cluster: use another, or leave it out`,
    parts: ['NetworkReady=False:NetworkFailed'],
    mend: deletion('mac-owner'),
  },
  {
    name: 'squatted',
    spec: small,
    reason: 'AdoptionRefused',
    phase: 'Failed',
    says: `VirtualMachine "${team}/vm-squatted" exists in cluster "east" and was not created for Machine "${team}/squatted". Set the annotation vitistack.io/adopt: "true" on the Machine to take it over, or delete or rename it`,
    parts: ['VirtualMachineReady=False:VMFailed'],
    mend: annotate({ 'vitistack.io/adopt': 'true' }),
  },
  {
    name: 'claim-of-b',
    spec: { ...small, disks: [{ name: 'c', size: '1Gi' }] },
    first: declared('claim-of', { disks: [{ name: 'b-c', size: '1Gi' }] }),
    reason: 'NameConflict',
    phase: 'Failed',
    says: /^PersistentVolumeClaim "team-a\/claim-of-b-c" in cluster "east" belongs to Machine "team-a\/claim-of": give the disk "c" another name$/,
    parts: ['StorageReady=False:PVCPending'],
    mend: deletion('claim-of'),
  },
  {
    name: 'blocked',
    spec: { ...small, disks: [{ name: 'data', size: '1Gi' }] },
    reason: 'NameConflict',
    phase: 'Failed',
    says: `PersistentVolumeClaim "${team}/blocked-data" in cluster "east" exists and was not created for this Machine: to use it as it is, set existingClaim: blocked-data instead of size for the disk "data"; otherwise give the disk "data" another name, or delete it`,
    parts: ['StorageReady=False:PVCPending'],
    mend: spec({ disks: [{ name: 'data-2', size: '1Gi' }] }),
  },
  {
    name: 'strange-namespace',
    namespace: 'foreign',
    spec: small,
    reason: 'NamespaceNotAllowed',
    phase: 'Pending',
    says: /^the namespace "foreign" exists in cluster "east" and was not created for this supervisor\. To allow Machines in it, label or annotate it there with vitistack\.io\/allow-machines="true", or ="[0-9a-f-]{36}" for this supervisor only$/,
    mend: labelled('foreign', { 'vitistack.io/allow-machines': 'true' }),
  },
  {
    name: 'others-namespace',
    namespace: 'of-another',
    spec: small,
    reason: 'NamespaceNotAllowed',
    phase: 'Pending',
    says: /^the namespace "of-another" exists in cluster "east" and was not created for this supervisor/,
    mend: (world, key) => labelled('of-another', { 'vitistack.io/allow-machines': world.identity })(world, key),
  },
  {
    name: 'ending-namespace',
    namespace: 'ending',
    spec: small,
    reason: 'NamespaceTerminating',
    phase: 'Creating',
    says: 'the namespace "ending" of cluster "east" is being deleted; waiting for it to be gone',
    mend: ({ east }) =>
      east.patch(namespaces, { name: 'ending' }, { type: 'merge', body: { metadata: { finalizers: null } } }),
  },
  {
    name: 'unknown-cluster',
    spec: { ...small, kubevirtConfigRef: 'south' },
    reason: 'KubevirtConfigNotFound',
    phase: 'Failed',
    says: 'Failed to get KubeVirt client for machine: KubevirtConfig "south" (spec.kubevirtConfigRef) is not found in namespace "kubevirt-configs"; available are bare, east. Create it, or name another',
    mend: spec({ kubevirtConfigRef: full }),
  },
  {
    name: 'unknown-cluster-noted',
    spec: { template: 'small' },
    annotations: { [chosen]: 'south' },
    reason: 'KubevirtConfigNotFound',
    phase: 'Failed',
    says: 'Failed to get KubeVirt client for machine: KubevirtConfig "south" (annotation vitistack.io/kubevirt-config) is not found in namespace "kubevirt-configs"; available are bare, east. Create it, or name another',
    mend: annotate({ [chosen]: full }),
  },
  {
    name: 'own-cluster',
    spec: { ...small, kubevirtConfigRef: 'local' },
    reason: 'KubevirtConfigNotFound',
    phase: 'Failed',
    says: 'Failed to get KubeVirt client for machine: the supervisor\'s own cluster "local" (spec.kubevirtConfigRef) serves no KubeVirt; available are bare, east. Install KubeVirt there, or name another',
    mend: spec({ kubevirtConfigRef: full }),
  },
  {
    name: 'torn',
    spec: small,
    annotations: { [chosen]: bare },
    reason: 'PlacementConflict',
    phase: 'Pending',
    says: 'spec.kubevirtConfigRef is "east" and the annotation vitistack.io/kubevirt-config is "bare": a Machine runs on one cluster. Make them the same, or remove one of them',
    mend: annotate({ [chosen]: null }),
  },
  {
    name: 'anywhere',
    spec: { template: 'small' },
    reason: 'PlacementAmbiguous',
    phase: 'Pending',
    says: `Machine has no KubevirtConfig reference and 2 configs are available - cannot determine placement: VirtualMachine "${team}/vm-anywhere" exists in none of bare, east. Add the annotation vitistack.io/kubevirt-config: <name> or spec.kubevirtConfigRef with one of them, or set DEFAULT_KUBEVIRT_CONFIG for all Machines`,
    mend: spec({ kubevirtConfigRef: full }),
  },
  {
    name: 'inherited',
    spec: { template: 'small' },
    reason: 'AdoptionRefused',
    phase: 'Pending',
    says: `Machine has no KubevirtConfig reference and VirtualMachine "${team}/vm-inherited" exists in east, which was not created for it. Set the annotation vitistack.io/adopt: "true" to take it over, or name the cluster in spec.kubevirtConfigRef or in the annotation vitistack.io/kubevirt-config to create a new one elsewhere`,
    mend: annotate({ 'vitistack.io/adopt': 'true' }),
  },
  {
    name: 'old-board',
    spec: { ...small, domain: { machine: { type: 'pc-i440fx' } } },
    reason: 'InvalidSpec',
    phase: 'Failed',
    says: 'spec.domain.machine.type is "pc-i440fx": KubeVirt refuses it unless an administrator of the cluster allows it. Use "pc-q35", or leave it out.',
    mend: spec({ domain: { machine: { type: 'pc-q35' } } }),
  },
  {
    name: 'unknown-board',
    spec: { ...small, domain: { machine: { type: 'isapc' } } },
    reason: 'InvalidSpec',
    phase: 'Failed',
    says: 'spec.domain.machine.type is "isapc", which KubeVirt does not know. Use "pc-q35", or a version of it such as "pc-q35-rhel9.4.0", or leave it out.',
    mend: spec({ domain: null }),
  },
  {
    name: 'board-of-another-processor',
    spec: { ...small, domain: { machine: { type: 'virt' } } },
    reason: 'InvalidSpec',
    phase: 'Failed',
    says: 'Failed to create VirtualMachine "team-a/vm-board-of-another-processor" in remote cluster "east": admission webhook "virtualmachine-validator.kubevirt.io" denied the request: spec.template.spec.domain.machine.type is not supported: virt (allowed values: [q35* pc-q35*]). Change the Machine, or the policy that rejects it',
    parts: ['VirtualMachineReady=False:VMFailed'],
    mend: spec({ domain: null }),
  },
  {
    name: 'board-of-a-mainframe',
    spec: { ...small, domain: { machine: { type: 's390-ccw-virtio' } } },
    reason: 'InvalidSpec',
    phase: 'Failed',
    says: /machine\.type is not supported: s390-ccw-virtio .*\. Change the Machine, or the policy that rejects it$/,
    mend: spec({ domain: { machine: { type: 'q35' } } }),
  },
  {
    name: 'board-that-no-node-has',
    spec: { ...small, domain: { machine: { type: 'pc-q35-rhel9.4.0' } } },
    reason: 'Unschedulable',
    phase: 'Creating',
    says: /^No node can run it: \d+ node\(s\) didn't match Pod's node affinity\/selector\. It needs a node that runs KubeVirt and has its machine type, CPU model, architecture, node selector and affinity: change these, or ask an administrator for such a node\.$/,
    mend: restarted({ domain: null }),
  },
  {
    name: 'boots-from-nothing',
    spec: { ...small, bootOrder: ['cdrom'] },
    reason: 'InvalidSpec',
    phase: 'Failed',
    says: 'spec.bootOrder [cdrom] names no device that this machine has: it has no disk of type cdrom. Name "network" or "disk", or add such a disk.',
    mend: spec({ bootOrder: ['cdrom', 'disk'] }),
  },
  {
    name: 'too-many-processors',
    spec: { ...small, resources: { cpu: { cores: 512 } } },
    reason: 'InsufficientResources',
    phase: 'Creating',
    says: /^No node has room for it: .*Make it smaller, or ask an administrator for more capacity\.$/,
    mend: smaller({ cpu: { cores: 1 } }),
  },
  {
    name: 'too-much-memory',
    spec: { ...small, resources: { memory: { size: '2Ti' } } },
    reason: 'InsufficientResources',
    phase: 'Creating',
    says: /^No node has room for it: .*memory\. Make it smaller, or ask an administrator for more capacity\.$/,
    mend: smaller({ memory: { size: '1Gi' } }),
  },
  {
    name: 'over-the-quota',
    namespace: 'crowded',
    spec: small,
    reason: 'InsufficientResources',
    phase: 'Pending',
    says: 'Failed to create PersistentVolumeClaim "crowded/over-the-quota-root" in remote cluster "east": The quota "little" of its namespace has no room for it (storage: needs 20 GiB, 0 MiB of 1 GiB in use): free some of it, or ask for more.',
    parts: ['StorageReady=False:PVCPending'],
    mend: unlimited('crowded'),
  },
  {
    name: 'one-machine-too-many',
    namespace: 'full-house',
    spec: small,
    reason: 'InsufficientResources',
    phase: 'Pending',
    says: 'Failed to create VirtualMachine "full-house/vm-one-machine-too-many" in remote cluster "east": The quota "little" of its namespace has no room for it (machines: needs 1, 0 of 0 in use): free some of it, or ask for more.',
    parts: ['VirtualMachineReady=False:VMFailed'],
    mend: unlimited('full-house'),
  },
  {
    name: 'no-pod-allowed',
    namespace: 'narrow',
    spec: small,
    reason: 'InsufficientResources',
    phase: 'Creating',
    says: 'The quota "little" of its namespace has no room for it (running machines: needs 1, 0 of 0 in use): free some of it, or ask for more.',
    restless: true,
    mend: ({ east }) => east.delete(quotas, { namespace: 'narrow', name: 'little' }),
  },
  {
    name: 'many-writers',
    namespace: 'crammed',
    spec: { ...small, disks: [{ name: 'root', accessMode: 'ReadWriteMany' }] },
    reason: 'PVCPending',
    phase: 'Creating',
    says: 'Its disks are not ready yet: the storage has not provided them so far. If it stays so, check storageClass, accessMode and source in spec.disks.',
    parts: ['StorageReady=False:PVCPending'],
    restless: true,
    mend: (world) => world.relieve('crammed'),
  },
  {
    name: 'no-such-file',
    spec: { ...small, disks: [{ name: 'root', source: { http: { url: 'https://images.example.com/absent' } } }] },
    reason: 'PVCPending',
    says: /^Its disk "root" (could not be filled|has failed to fill).* Correct spec\.disks\[\]\.source: a disk that was never filled is created again\.$/,
    parts: ['StorageReady=False:PVCPending'],
    restless: true,
    mend: async (world, key) => {
      await world.relieve('no-such-file-root');
      await world.change(key, { spec: { disks: [{ name: 'root', source: { http: { url } } }] } });
    },
  },
  {
    name: 'no-such-image',
    spec: {
      ...small,
      disks: [{ name: 'root', source: { containerDisk: { image: 'registry.example.com/absent:1' } } }],
    },
    reason: 'PVCPending',
    says: /^Its disk "root" (could not be filled|has failed to fill).* Correct spec\.disks\[\]\.source/,
    parts: ['StorageReady=False:PVCPending'],
    restless: true,
    mend: (world) => world.relieve('no-such-image-root'),
  },
  {
    name: 'no-such-source',
    spec: { ...small, disks: [{ name: 'root', source: { dataSource: { name: 'absent' } } }] },
    reason: 'PVCPending',
    phase: 'Creating',
    says: 'Its disk "root" is not ready yet: the storage has not provided it so far. If it stays so, check storageClass, accessMode and source in spec.disks.',
    mend: spec({ disks: [{ name: 'root', source: { http: { url } } }] }),
  },
  {
    name: 'others-disk',
    spec: { ...small, disks: [{ name: 'root', source: { pvc: { name: 'golden', namespace: 'library' } } }] },
    reason: 'NamespaceNotAllowed',
    phase: 'Pending',
    says: `spec.disks["root"].source is in the namespace "library", which does not let Machines of other namespaces copy from it: label or annotate it in cluster "east" with vitistack.io/allow-copies="true", or name a source of the Machine's own namespace`,
    mend: labelled('library', { 'vitistack.io/allow-copies': 'true' }),
  },
  {
    name: 'no-importer',
    spec: { ...lean, disks: [{ name: 'root', storageClass: 'standard', source: { http: { url } } }] },
    reason: 'DataImporterMissing',
    phase: 'Pending',
    says: 'spec.disks["root"].source: cluster "bare" serves no DataVolumes. Install CDI (the Containerized Data Importer) there, or leave out the source',
    mend: spec({ disks: [{ name: 'root', storageClass: 'standard' }] }),
  },
  {
    name: 'cannot-grow',
    spec: { ...small, disks: [{ name: 'root', size: '1Gi', storageClass: 'rigid' }] },
    change: spec({ disks: [{ name: 'root', size: '2Gi', storageClass: 'rigid' }] }),
    reason: 'ExpansionUnsupported',
    phase: 'Running',
    says: 'spec.disks["root"].size is 2Gi, but the disk has 1Gi, and its StorageClass "rigid" does not let it grow (allowVolumeExpansion): set the size back, or ask an administrator to allow it.',
    parts: ['StorageReady=False:PVCPending', 'VirtualMachineReady=True:VMCreated'],
    mend: spec({ disks: [{ name: 'root', size: '1Gi', storageClass: 'rigid' }] }),
  },
  {
    name: 'cannot-shrink',
    // The definition allows changes of a size until all disks exist.
    spec: { ...small, disks: [{ name: 'data', size: '2Gi' }] },
    change: async (world, key) => {
      const broken = { name: 'other', size: '1Gi', storageClass: 'slow' };
      await world.change(key, { spec: { disks: [{ name: 'data', size: '2Gi' }, broken] } });
      await world.reaches(key, 'lacks a class', ({ status }) =>
        (status?.conditions ?? []).some(({ reason }) => reason === 'StorageClassNotFound'),
      );
      await world.change(key, { spec: { disks: [{ name: 'data', size: '1Gi' }] } });
    },
    reason: 'DiskChangeRefused',
    phase: 'Running',
    says: 'spec.disks["data"].size is 1Gi, but the disk has 2Gi, and disks do not shrink: set it to 2Gi or more.',
    parts: ['StorageReady=False:PVCPending'],
    mend: spec({ disks: [{ name: 'data', size: '2Gi' }] }),
  },
  {
    name: 'refilled',
    spec: { ...small, disks: [{ name: 'data', size: '2Gi', source: { http: { url } } }] },
    change: async (world, key) => {
      const disk = { name: 'data', size: '2Gi', source: { http: { url } } };
      const broken = { name: 'other', size: '1Gi', storageClass: 'slow' };
      await world.change(key, { spec: { disks: [disk, broken] } });
      await world.reaches(key, 'lacks a class', ({ status }) =>
        (status?.conditions ?? []).some(({ reason }) => reason === 'StorageClassNotFound'),
      );
      const source = { http: { url: 'https://images.example.com/other.qcow2' } };
      await world.change(key, { spec: { disks: [{ ...disk, source }] } });
    },
    reason: 'DiskChangeRefused',
    phase: 'Running',
    says: `spec.disks["data"].source asks for http "https://images.example.com/other.qcow2", but the disk was made with http "${url}", and that cannot be changed: set it back, or add a disk with another name.`,
    parts: ['StorageReady=False:PVCPending'],
    mend: spec({ disks: [{ name: 'data', size: '2Gi', source: { http: { url } } }] }),
  },
];
