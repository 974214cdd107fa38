/**
 * Machine and NetworkConfiguration as deploy/crds/ declares them, and the names of their labels, annotations,
 * conditions and reasons.
 */

export interface MachineSpec {
  /** `small`, `medium` or `large`: the source of everything that is not stated below. */
  readonly template?: string;
  /** A synonym of `template`. */
  readonly instanceType?: string;
  /** The cluster that it runs on; never changed once the Machine is placed. */
  readonly kubevirtConfigRef?: string;
  /** The default is true. */
  readonly running?: boolean;
  readonly resources?: {
    readonly cpu?: CpuSpec;
    readonly memory?: { readonly size?: string };
  };
  readonly disks?: readonly MachineDiskSpec[];
  /** The default is the pod network. */
  readonly networks?: readonly NetworkSpec[];
  readonly bootOrder?: readonly BootDevice[];
  readonly cloudInit?: CloudInitSpec;
  readonly domain?: DomainSpec;
  /**
   * Not part of the API: describes fields that were removed because they had not the types declared here (see form.ts).
   */
  readonly malformed?: string;
}

export interface CpuSpec {
  readonly cores?: number;
  readonly threads?: number;
  readonly sockets?: number;
}

export interface MachineDiskSpec {
  readonly name: string;
  /** Required unless the template has a disk of that name. */
  readonly size?: string;
  /** How the guest sees it; the default is `disk`. */
  readonly type?: 'disk' | 'cdrom';
  /** `default` or absent: the default class of the cluster. */
  readonly storageClass?: string;
  readonly accessMode?: 'ReadWriteOnce' | 'ReadWriteMany' | 'ReadOnlyMany';
  readonly volumeMode?: 'Filesystem' | 'Block';
  /** Filled from it once; the default is an empty disk. */
  readonly source?: DiskSource;
  /**
   * A claim in the Machine's namespace of its cluster, used as it is: never created, changed or deleted. It excludes
   * all other fields but the name.
   */
  readonly existingClaim?: string;
}

/** Exactly one of them. */
export interface DiskSource {
  readonly containerDisk?: { readonly image: string };
  readonly http?: { readonly url: string };
  /** The default is the Machine's namespace. */
  readonly pvc?: { readonly name: string; readonly namespace?: string };
  readonly dataSource?: { readonly name: string; readonly namespace?: string };
}

export interface NetworkSpec {
  readonly name: string;
  /** A NetworkConfiguration of the Machine's namespace; the default is the pod network. */
  readonly networkName?: string;
  readonly model?: 'virtio' | 'e1000' | 'rtl8139';
  /** The default is derived from the Machine's uid and the name, so that it stays the same. */
  readonly macAddress?: string;
}

export type BootDevice = 'disk' | 'network' | 'cdrom';

export interface CloudInitSpec {
  readonly userData?: string;
  readonly networkData?: string;
  /** User data from a Secret of the Machine's namespace; `userData` takes precedence. The default key is `userdata`. */
  readonly secretRef?: { readonly name: string; readonly key?: string };
}

export interface DomainSpec {
  readonly machine?: { readonly type?: string };
  readonly features?: { readonly acpi?: boolean; readonly apic?: boolean; readonly hyperv?: boolean };
  readonly firmware?: { readonly bootloader?: { readonly efi?: boolean; readonly secureBoot?: boolean } };
}

export type MachinePhase = 'Pending' | 'Creating' | 'Running' | 'Stopped' | 'Failed';

/** `MachineFacts` is the status without conditions and observedGeneration. */
export interface MachineFacts {
  readonly phase?: MachinePhase;
  readonly vmName?: string;
  readonly vmiName?: string;
  readonly ipAddresses?: readonly string[];
  /** `ipAddresses` as a text: a column of kubectl shows a list as JSON. */
  readonly addresses?: string;
  readonly nodeName?: string;
  readonly kubevirtConfigRef?: string;
  /** When the rest of the status last changed. */
  readonly lastUpdated?: string;
}

export interface NetworkConfigurationSpec {
  /** 0 or absent means untagged. */
  readonly vlan?: number;
  /** The bridge on the nodes; the default is `br0`. */
  readonly bridge?: string;
  readonly mtu?: number;
  readonly description?: string;
}

export const group = 'vitistack.io';
export const version = 'v1alpha1';

export const finalizer = 'machine.vitistack.io/cleanup';

export const labels = {
  managedBy: 'vitistack.io/managed-by',
  /** The Machine's name, shortened with a hash above 63 characters. */
  machine: 'vitistack.io/machine',
  /** The uid of the supervisor's namespace kube-system. */
  supervisor: 'vitistack.io/supervisor',
  /** Copied from the Machine. */
  clusterName: 'cluster.vitistack.io/cluster-name',
  machineTemplate: 'vitistack.io/machine-template',
} as const;

export const managedBy = 'kubevirt-operator';

export const annotations = {
  kubevirtConfig: 'vitistack.io/kubevirt-config',
  /**
   * On a Machine: an existing VM of its name that no live Machine and no tenant owns is adopted, with the objects that
   * it uses.
   */
  adopt: 'vitistack.io/adopt',
  /** On a VirtualMachine: the settings that it had when it was adopted (see adopted.ts). */
  adopted: 'vitistack.io/adopted',
  /** On a Machine that is being deleted: its objects in an unreachable cluster are given up. */
  forceDelete: 'vitistack.io/force-delete',
  paused: 'vitistack.io/paused',
  /**
   * On a Machine: each new value, such as the time, restarts its VM once. Also on the template of the VM and on its
   * instance, which shows the request that it was created after.
   */
  restart: 'vitistack.io/restart-requested-at',
  /**
   * On a VirtualMachineInstance: the settings of its networks when it was created (see network-settings.ts). KubeVirt
   * does not see that a NetworkAttachmentDefinition has changed.
   */
  networks: 'vitistack.io/networks',
  /**
   * On a namespace of a remote cluster (as label or annotation): VMs for Machines of any supervisor, or of the one
   * whose uid it names, may be created in it.
   */
  allowMachines: 'vitistack.io/allow-machines',
  /** The same for disks that are copied from it into disks of Machines in other namespaces. */
  allowCopies: 'vitistack.io/allow-copies',
} as const;

export const conditions = {
  ready: 'Ready',
  virtualMachineReady: 'VirtualMachineReady',
  storageReady: 'StorageReady',
  networkReady: 'NetworkReady',
  /** The following ones are present only while true. */
  restartRequired: 'RestartRequired',
  /** The annotation names another cluster than the placement. */
  placementDiffers: 'PlacementDiffers',
  deleting: 'Deleting',
} as const;

/** The reason of RestartRequired while a restart that was asked for is not over. */
export const restartRequested = 'RestartRequested';

/** Why something is not as declared. The message names the field, the value, the rule, and what to do. */
export interface MachineProblem {
  readonly reason: MachineProblemReason;
  readonly message: string;
}

export type MachineProblemReason =
  // The five reasons of the reference.
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
  // All others.
  | 'InvalidSpec'
  | 'NamespaceNotAllowed'
  | 'SecretsForbidden'
  | 'NameConflict'
  | 'MacAddressConflict'
  | 'CloudInitSecretNotFound'
  | 'CloudInitSecretInvalid'
  | 'ClaimNotFound'
  | 'ClaimDeleted'
  | 'DataImporterMissing'
  | 'NetworkAttachmentsMissing'
  | 'DiskChangeRefused'
  | 'ExpansionUnsupported'
  | 'VMFailed'
  | 'PVCPending'
  | 'NetworkFailed';
