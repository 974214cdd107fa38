/** One kind of thing that a machine can be made of, whatever it is in the cluster: an OpenShift Template, a VirtualMachineTemplate, a boot image. */

export type EntryKind = 'Template' | 'VirtualMachineTemplate' | 'DataSource';

export interface CatalogParameter {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** What is used where nothing is given. */
  readonly default?: string;
  readonly required: boolean;
  /** The expression that a value is made up by where none is given. */
  readonly generatedFrom?: string;
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
  /** Of a boot image: what its publisher suggests. */
  readonly instancetype?: string;
  readonly preference?: string;
  readonly parameters: readonly CatalogParameter[];
  /** Whether it can be used, as the object itself says: a DataSource that is not Ready cannot. */
  readonly ready: boolean;
  /** Why not; empty where it can. */
  readonly message: string;
}
