/** Machine and NetworkConfiguration, as deploy/crds/ declares them, and what their parts are called everywhere. */

export interface MachineSpec {
  /** `small`, `medium` or `large`: what is not said below comes from it. */
  readonly template?: string;
  /** Another word for `template`. */
  readonly instanceType?: string;
  /** The cluster that it runs on; never changed once it is placed. */
  readonly kubevirtConfigRef?: string;
  /** True unless said. */
  readonly running?: boolean;
  readonly resources?: {
    readonly cpu?: CpuSpec;
    readonly memory?: { readonly size?: string };
  };
  readonly disks?: readonly DiskSpec[];
  /** The pod network unless said. */
  readonly networks?: readonly NetworkSpec[];
  readonly bootOrder?: readonly BootDevice[];
  readonly cloudInit?: CloudInitSpec;
  readonly domain?: DomainSpec;
  /** Not of the API: what was taken out since it had not the form that is described here (see form.ts). */
  readonly malformed?: string;
}

export interface CpuSpec {
  readonly cores?: number;
  readonly threads?: number;
  readonly sockets?: number;
}

export interface DiskSpec {
  readonly name: string;
  /** Needed unless the template has a disk of that name. */
  readonly size?: string;
  /** `default`, or nothing: the default class of the cluster. */
  readonly storageClass?: string;
  readonly accessMode?: 'ReadWriteOnce' | 'ReadWriteMany' | 'ReadOnlyMany';
  readonly volumeMode?: 'Filesystem' | 'Block';
  /** What it is filled from, once; empty unless said. */
  readonly source?: DiskSource;
  /** A claim of the machine's namespace in its cluster, used as it is: never made, changed or deleted. Nothing else is said beside it. */
  readonly existingClaim?: string;
}

/** Exactly one of them. */
export interface DiskSource {
  readonly containerDisk?: { readonly image: string };
  readonly http?: { readonly url: string };
  /** In the machine's namespace unless said. */
  readonly pvc?: { readonly name: string; readonly namespace?: string };
  readonly dataSource?: { readonly name: string; readonly namespace?: string };
}

export interface NetworkSpec {
  readonly name: string;
  /** A NetworkConfiguration of the machine's namespace; the pod network unless said. */
  readonly networkName?: string;
  readonly model?: 'virtio' | 'e1000' | 'rtl8139';
  /** Made from the machine's uid and the name unless said, so that it stays the same. */
  readonly macAddress?: string;
}

export type BootDevice = 'disk' | 'network' | 'cdrom';

export interface CloudInitSpec {
  readonly userData?: string;
  readonly networkData?: string;
  /** User data out of a Secret of the machine's namespace; `userData` wins. The key is `userdata` unless said. */
  readonly secretRef?: { readonly name: string; readonly key?: string };
}

export interface DomainSpec {
  readonly machine?: { readonly type?: string };
  readonly features?: { readonly acpi?: boolean; readonly apic?: boolean; readonly hyperv?: boolean };
  readonly firmware?: { readonly bootloader?: { readonly efi?: boolean; readonly secureBoot?: boolean } };
}

export type MachinePhase = 'Pending' | 'Creating' | 'Running' | 'Stopped' | 'Failed';

/** Beside conditions and observedGeneration. */
export interface MachineFacts {
  readonly phase?: MachinePhase;
  readonly vmName?: string;
  readonly vmiName?: string;
  readonly ipAddresses?: readonly string[];
  readonly nodeName?: string;
  readonly kubevirtConfigRef?: string;
  /** When the rest of the status changed last. */
  readonly lastUpdated?: string;
}

export interface NetworkConfigurationSpec {
  /** Untagged unless said, or 0. */
  readonly vlan?: number;
  /** The bridge of the nodes; `br0` unless said. */
  readonly bridge?: string;
  readonly mtu?: number;
  readonly description?: string;
}

export const group = 'vitistack.io';
export const version = 'v1alpha1';

export const finalizer = 'machine.vitistack.io/cleanup';

export const labels = {
  managedBy: 'vitistack.io/managed-by',
  /** The machine's name, shortened with a hash above 63 characters. */
  machine: 'vitistack.io/machine',
  /** The uid of the supervisor's namespace kube-system. */
  supervisor: 'vitistack.io/supervisor',
  /** Of the Machine, carried over. */
  clusterName: 'cluster.vitistack.io/cluster-name',
  machineTemplate: 'vitistack.io/machine-template',
} as const;

export const managedBy = 'kubevirt-operator';

export const annotations = {
  kubevirtConfig: 'vitistack.io/kubevirt-config',
  /** On a Machine: an existing VM of its name that no live Machine and no tenant owns is adopted, with what it uses. */
  adopt: 'vitistack.io/adopt',
  /** On a VirtualMachine: what it had when it was adopted (see adopted.ts). */
  adopted: 'vitistack.io/adopted',
  /** On a Machine that is being deleted: what is left in a cluster that does not answer is given up. */
  forceDelete: 'vitistack.io/force-delete',
  paused: 'vitistack.io/paused',
  /** On a namespace of a remote cluster (as label or annotation): machines of any supervisor, or of the one whose uid it names, may be made in it. */
  allowMachines: 'vitistack.io/allow-machines',
  /** The same of disks that are copied out of it into the disks of Machines elsewhere. */
  allowCopies: 'vitistack.io/allow-copies',
} as const;

export const conditions = {
  ready: 'Ready',
  virtualMachineReady: 'VirtualMachineReady',
  storageReady: 'StorageReady',
  networkReady: 'NetworkReady',
  /** There only while true. */
  restartRequired: 'RestartRequired',
} as const;

/** Why something is not as it was asked for. The message says which field, which value, which rule, and what to do. */
export interface Problem {
  readonly reason: ProblemReason;
  readonly message: string;
}

export type ProblemReason =
  // The five of the reference.
  | 'TemplateNotFound'
  | 'NetworkConfigurationNotFound'
  | 'StorageClassNotFound'
  | 'InsufficientResources'
  | 'KubeVirtApiError'
  // Placement.
  | 'PlacementConflict'
  | 'PlacementAmbiguous'
  | 'NoKubevirtConfigs'
  | 'KubevirtConfigNotFound'
  | 'ClusterUnavailable'
  | 'AdoptionRefused'
  // The rest.
  | 'InvalidSpec'
  | 'NamespaceNotAllowed'
  | 'SecretsForbidden'
  | 'NameConflict'
  | 'MacAddressConflict'
  | 'CloudInitSecretNotFound'
  | 'CloudInitSecretInvalid'
  | 'ClaimNotFound'
  | 'DataImporterMissing'
  | 'NetworkAttachmentsMissing'
  | 'DiskChangeRefused'
  | 'ExpansionUnsupported'
  | 'VMFailed'
  | 'PVCPending'
  | 'NetworkFailed';
