/**
 * What is asked of a machine, as it stands in its row (`vms.spec`) beside name, CPUs and memory. The API server writes it, after all of it has been checked;
 * who brings the machine to its cluster reads it.
 */

/** What it boots from. */
export type BootSource =
  /** A container disk: what is written to it is gone with the instance. */
  | { readonly kind: 'image'; readonly image: string }
  /** A boot image that the cluster offers: cloned into a disk of the machine's own. */
  | { readonly kind: 'dataSource'; readonly namespace: string; readonly name: string }
  /** An image over HTTP: imported into a disk of the machine's own. */
  | { readonly kind: 'url'; readonly url: string }
  /** An empty disk. */
  | { readonly kind: 'blank' };

/** How it comes to be. */
export type MachineSource =
  | { readonly kind: 'direct'; readonly boot: BootSource }
  /** By the TemplateInstance of its vApp (`VappSpec`). */
  | { readonly kind: 'template' }
  /** By a VirtualMachineTemplate, which the cluster fills in. `parameters` is taken out when that is done. */
  | {
      readonly kind: 'machineTemplate';
      readonly namespace: string;
      readonly name: string;
      readonly parameters?: Readonly<Record<string, string>>;
    };

/** An instance type or a preference; of the whole cluster unless `kind` says otherwise. */
export interface Matcher {
  readonly name: string;
  readonly kind?: string;
}

export interface DiskSpec {
  /** Unique in the machine; a DNS label. */
  readonly name: string;
  readonly sizeMb: number;
  /** The cluster's default unless said. */
  readonly storageClass?: string;
  /** Came after the machine was made, so it can be taken out while the machine runs. */
  readonly added?: true;
}

export type NetworkSpec =
  | { readonly name: string; readonly kind: 'pod' }
  /** A NetworkAttachmentDefinition of the machine's own namespace. */
  | { readonly name: string; readonly kind: 'multus'; readonly networkName: string };

export interface MachineSpec {
  readonly source: MachineSource;
  /** In place of CPUs and memory; the columns of the row say what it amounts to. */
  readonly instancetype?: Matcher;
  readonly preference?: Matcher;
  /** The disk that it boots from; none where that is a container disk. */
  readonly rootDisk?: Omit<DiskSpec, 'name'>;
  /** Beside that; added and removed later too. */
  readonly disks: readonly DiskSpec[];
  readonly networks: readonly NetworkSpec[];
  /** All its disks together, as it counts against the limit of the virtual data center. Absent where only the cluster knows: what it has counts then. */
  readonly storageMb?: number;
  /** Taken out when the cluster has them. */
  readonly cloudInit?: { readonly userData?: string; readonly networkData?: string };
  readonly sshKeys?: readonly string[];
}

/** How a template makes the machines of a vApp (`vapps.spec`). */
export interface VappSpec {
  readonly template: { readonly namespace: string; readonly name: string };
  /** Of the TemplateInstance (`instanceName`): chosen once, since the vApp may get another name. */
  readonly instance?: string;
  /** Taken out when the cluster has them. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** In the order of the template's objects of kind VirtualMachine: the rows that stand for them. */
  readonly machines: readonly { readonly vmId: string; readonly vmName: string }[];
  /** To be started when it is there. */
  readonly powerOn: boolean;
}
