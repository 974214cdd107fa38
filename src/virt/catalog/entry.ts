/** One kind of thing that a machine can be made of, whatever it is in the cluster: an OpenShift Template, a VirtualMachineTemplate, a boot image. */

export type EntryKind = 'Template' | 'VirtualMachineTemplate' | 'DataSource';

export interface CatalogParameter {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** What is used where nothing is given. A secret is not kept: see `hasDefault`. */
  readonly default?: string;
  /** There is a default, though it may not be shown. */
  readonly hasDefault: boolean;
  readonly required: boolean;
  /** The expression that a value is made up by where none is given. */
  readonly generatedFrom?: string;
}

/** As far as it is known. */
export interface MachineSizes {
  readonly cpuCount?: number;
  readonly memoryBytes?: number;
  readonly storageBytes?: number;
  readonly instancetype?: string;
  readonly instancetypeKind?: string;
}

/** One machine of a template; its sizes are those with the defaults. */
export interface MachineShape extends MachineSizes {
  /** As the template has it, with `${…}`; empty where the cluster makes a name up. */
  readonly name: string;
  /** Where its sizes depend on parameters: what they are read from, once these are given. */
  readonly open?: object;
  /** Of its disks, as the template has them, with `${…}`; `null` stands for the default class. Absent where it makes no disks. */
  readonly storageClasses?: readonly (string | null)[];
}

export interface CatalogEntry {
  readonly kind: EntryKind;
  readonly namespace: string;
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly createdAt?: string;
  /** As far as the object says; an image's size is chosen with the instance type. */
  readonly vmCount: number;
  readonly cpuCount?: number;
  readonly memoryBytes?: number;
  readonly storageBytes?: number;
  readonly guestOs?: string;
  /** Of a boot image what its publisher suggests, of a template what its machine names. */
  readonly instancetype?: string;
  readonly preference?: string;
  /** Where they are not those of the whole cluster. */
  readonly instancetypeKind?: string;
  readonly preferenceKind?: string;
  readonly parameters: readonly CatalogParameter[];
  /**
   * The objects of a template, and the labels that it gives to all of them, as JSON: what will come of them is checked before a machine is made. Absent
   * where they are too large; then the template cannot be used.
   */
  readonly body?: string;
  /** In the order in which the template has them; none of a boot image, whose machine is described by who asks for it. */
  readonly machines: readonly MachineShape[];
  /** `hidden` among them says nothing to us: all templates that OpenShift ships have it, since they are not for its own catalog. */
  readonly tags: readonly string[];
  /** Its publisher advises against it. */
  readonly deprecated: boolean;
  /** Whether it can be used, as the object itself says: a DataSource that is not Ready cannot. */
  readonly ready: boolean;
  /** Why not; empty where it can. */
  readonly message: string;
}

export interface Offer {
  readonly cluster: string;
  readonly available: boolean;
  /** Why it cannot be used; empty where it can. */
  readonly message: string;
}

/** An entry, and where it is offered. */
export interface OfferedEntry {
  readonly entry: CatalogEntry;
  /** By the cluster's name. */
  readonly offers: readonly Offer[];
}
