/**
 * The desired state of a VM in its row (`vms.spec`), beside name, CPUs and memory. The API server writes it after
 * checking all of it; the worker that creates the VM in its cluster reads it.
 */

/** What it boots from. */
export type BootSource =
  /** A container disk: data written to it is lost with the instance. */
  | { readonly kind: 'image'; readonly image: string }
  /** A boot image that the cluster offers: cloned into a disk of the VM's own. */
  | { readonly kind: 'dataSource'; readonly namespace: string; readonly name: string }
  /** An image over HTTP: imported into a disk of the VM's own. */
  | { readonly kind: 'url'; readonly url: string }
  /** An empty disk. */
  | { readonly kind: 'blank' };

/** How the VM is created. */
export type MachineSource =
  | { readonly kind: 'direct'; readonly boot: BootSource }
  /** By the TemplateInstance of its vApp (`VappSpec`). */
  | { readonly kind: 'template' }
  /** By a VirtualMachineTemplate, which the cluster fills in. `parameters` is removed when that is done. */
  | {
      readonly kind: 'machineTemplate';
      readonly namespace: string;
      readonly name: string;
      readonly parameters?: Readonly<Record<string, string>>;
    };

/** `Matcher` is an instance type or a preference; cluster-wide unless `kind` says otherwise. */
export interface Matcher {
  readonly name: string;
  readonly kind?: string;
}

export interface DiskSpec {
  /** Unique in the VM; a DNS label. */
  readonly name: string;
  readonly sizeMb: number;
  /** The default is the cluster's default class. */
  readonly storageClass?: string;
  /** Added after the VM was created, so it can be removed while the VM runs. */
  readonly added?: true;
}

export type VmNetworkSpec =
  | { readonly name: string; readonly kind: 'pod' }
  /** A NetworkAttachmentDefinition of the VM's own namespace. */
  | { readonly name: string; readonly kind: 'multus'; readonly networkName: string };

export interface VmSpec {
  readonly source: MachineSource;
  /** Replaces CPUs and memory; the columns of the row have the resulting sizes. */
  readonly instancetype?: Matcher;
  readonly preference?: Matcher;
  /** The disk that it boots from; absent for a container disk. */
  readonly rootDisk?: Omit<DiskSpec, 'name'>;
  /** The other disks; they can also be added and removed later. */
  readonly disks: readonly DiskSpec[];
  readonly networks: readonly VmNetworkSpec[];
  /**
   * The size of all its disks together, as it counts against the limit of the VDC. Absent if only the cluster knows it:
   * then the observed size counts.
   */
  readonly storageMb?: number;
  /** The number of network cards that a template gives it. Otherwise `networks` says it. */
  readonly nics?: number;
  /** Removed when the cluster has them. */
  readonly cloudInit?: { readonly userData?: string; readonly networkData?: string };
  readonly sshKeys?: readonly string[];
}

/** How a template creates the VMs of a vApp (`vapps.spec`). */
export interface VappSpec {
  readonly template: { readonly namespace: string; readonly name: string };
  /** The name of the TemplateInstance (`instanceName`): chosen once, since the vApp may be renamed. */
  readonly instance?: string;
  /** Removed when the cluster has them. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The VMs' rows, in the sequence of the template's objects of kind VirtualMachine. */
  readonly machines: readonly { readonly vmId: string; readonly vmName: string }[];
  /** Whether to start the VMs after creation. */
  readonly powerOn: boolean;
}
