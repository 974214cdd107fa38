/** What is kept of a cluster's storage classes. */
import { fields, known, text } from '../facts/reading.ts';

export interface StorageClassFacts {
  readonly name: string;
  readonly isDefault?: true;
  /** CDI's own annotation: the default for disks of VMs. It takes precedence over the general default. */
  readonly isDefaultForMachines?: true;
  /** Its claims can be expanded. */
  readonly expandable?: true;
  /** A claim is bound only when a pod first uses it. */
  readonly waitsForConsumer?: true;
  readonly createdAt?: string;
}

const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class';
const machineDefaultAnnotation = 'storageclass.kubevirt.io/is-default-virt-class';

export function storageClassFacts(object: unknown): StorageClassFacts {
  const { metadata, allowVolumeExpansion, volumeBindingMode } = fields(object);
  const { name, annotations, creationTimestamp } = fields(metadata);
  const isMarked = (annotation: string): true | undefined => isTrue(fields(annotations)[annotation] === 'true');
  return known<StorageClassFacts>({
    name: text(name) ?? '',
    isDefault: isMarked(defaultAnnotation),
    isDefaultForMachines: isMarked(machineDefaultAnnotation),
    expandable: isTrue(allowVolumeExpansion === true),
    waitsForConsumer: isTrue(volumeBindingMode === 'WaitForFirstConsumer'),
    createdAt: text(creationTimestamp, 40),
  });
}

/** Of several defaults, Kubernetes takes the newest, and among equally old ones the first by name. */
export function defaultClass(classes: readonly StorageClassFacts[]): StorageClassFacts | undefined {
  const marked = classes.filter(({ isDefaultForMachines }) => isDefaultForMachines === true);
  const all = marked.length > 0 ? marked : classes.filter(({ isDefault }) => isDefault === true);
  return all.toSorted((a, b) => compare(b.createdAt ?? '', a.createdAt ?? '') || compare(a.name, b.name))[0];
}

function isTrue(value: boolean): true | undefined {
  return value ? true : undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
