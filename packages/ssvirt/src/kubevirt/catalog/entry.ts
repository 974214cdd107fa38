/**
 * One form for everything that a VM can be created from: an OpenShift Template, a VirtualMachineTemplate or a boot
 * image.
 */

export type EntryKind = 'Template' | 'VirtualMachineTemplate' | 'DataSource';

export interface CatalogParameter {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Used when no value is given. A secret is not kept: see `hasDefault`. */
  readonly default?: string;
  /** There is a default, although it may not be shown. */
  readonly hasDefault: boolean;
  readonly required: boolean;
  /** The expression from which a value is generated when none is given. */
  readonly generatedFrom?: string;
}

/** Sizes are absent where they are unknown. */
export interface MachineSizes {
  readonly cpuCount?: number;
  readonly memoryBytes?: number;
  readonly storageBytes?: number;
  readonly instancetype?: string;
  readonly instancetypeKind?: string;
}

/** One VM of a template. Its sizes are computed with the default parameters. */
export interface MachineShape extends MachineSizes {
  /** As in the template, with `${…}`. Empty if the cluster generates the name. */
  readonly name: string;
  /** If its sizes depend on parameters: the fields from which the sizes are read once the parameters are known. */
  readonly open?: object;
  /**
   * The storage classes of its disks as in the template, with `${…}`; `null` is the default class. Absent if it creates
   * no disks.
   */
  readonly storageClasses?: readonly (string | null)[];
  /** The number of its network cards; absent if it is the one of most VMs. */
  readonly nics?: number;
}

export interface CatalogEntry {
  readonly kind: EntryKind;
  readonly namespace: string;
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly createdAt?: string;
  /**
   * Sizes are present as far as the object states them. The size of a VM from a boot image is chosen with the instance
   * type.
   */
  readonly vmCount: number;
  readonly cpuCount?: number;
  readonly memoryBytes?: number;
  readonly storageBytes?: number;
  readonly guestOs?: string;
  /** For a boot image, what its publisher suggests; for a template, what its VM names. */
  readonly instancetype?: string;
  readonly preference?: string;
  /** Set only for namespaced kinds; the default is the cluster-wide kind. */
  readonly instancetypeKind?: string;
  readonly preferenceKind?: string;
  readonly parameters: readonly CatalogParameter[];
  /**
   * The objects of a template, and the labels that it gives to all of them, as JSON. An instantiation is checked
   * against them before a VM is created. Absent if they are too large; then the template cannot be used.
   */
  readonly body?: string;
  /** In the template's sequence. Empty for a boot image, whose VM is described by the request. */
  readonly machines: readonly MachineShape[];
  /**
   * The tag `hidden` carries no meaning here: all templates that OpenShift ships have it, since they are not for
   * OpenShift's own catalog.
   */
  readonly tags: readonly string[];
  /** Its publisher advises against it. */
  readonly deprecated: boolean;
  /** Whether the object itself reports that it can be used: a DataSource that is not Ready cannot. */
  readonly ready: boolean;
  /** Why it cannot be used; empty if it can. */
  readonly message: string;
}

export interface Offer {
  readonly cluster: string;
  readonly available: boolean;
  /** Why it cannot be used; empty if it can. */
  readonly message: string;
}

/** `OfferedEntry` is an entry with the clusters that offer it. */
export interface OfferedEntry {
  readonly entry: CatalogEntry;
  /** By the cluster's name. */
  readonly offers: readonly Offer[];
}
