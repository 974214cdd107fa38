/** What is known of the storage classes of a cluster. */
import { fields, known, text } from '../facts/reading.ts';

export interface StorageClassFacts {
  readonly name: string;
  readonly isDefault?: true;
  /** CDI's own mark: the default for disks of machines, before the other. */
  readonly isDefaultForMachines?: true;
  /** Claims of it can grow. */
  readonly expandable?: true;
  /** A claim is bound when something first uses it. */
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

/** Of several, Kubernetes takes the youngest, and of those the first by name. */
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
