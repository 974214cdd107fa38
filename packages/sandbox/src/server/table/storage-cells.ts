/** The table rows of volumes, claims and storage classes. */
import type { Json, KubeObject } from '../../values/json.ts';
import type { CellWriters } from './cells.ts';
import { age, name, unset } from './cells.ts';
import { quantity } from './format.ts';
import { at, listAt, textAt } from './read.ts';

export const storageCells: CellWriters = {
  PersistentVolume: (volume, since) => [
    name(volume),
    quantity(at(volume, 'spec', 'capacity', 'storage')),
    accessModes(at(volume, 'spec', 'accessModes')),
    textAt(volume, 'spec', 'persistentVolumeReclaimPolicy'),
    phase(volume),
    claimOf(volume),
    storageClass(volume),
    at(volume, 'spec', 'volumeAttributesClassName') ?? unset,
    textAt(volume, 'status', 'reason'),
    age(volume, since),
    at(volume, 'spec', 'volumeMode') ?? unset,
  ],
  PersistentVolumeClaim: (claim, since) => [
    name(claim),
    phase(claim),
    textAt(claim, 'spec', 'volumeName'),
    isBound(claim) ? quantity(at(claim, 'status', 'capacity', 'storage')) : '',
    isBound(claim) ? accessModes(at(claim, 'status', 'accessModes')) : '',
    storageClass(claim),
    at(claim, 'spec', 'volumeAttributesClassName') ?? unset,
    age(claim, since),
    at(claim, 'spec', 'volumeMode') ?? unset,
  ],
  'storage.k8s.io/StorageClass': (object, since) => [
    isDefault(object) ? `${name(object)} (default)` : name(object),
    textAt(object, 'provisioner'),
    at(object, 'reclaimPolicy') ?? 'Delete',
    at(object, 'volumeBindingMode') ?? 'Immediate',
    at(object, 'allowVolumeExpansion') ?? false,
    age(object, since),
  ],
};

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function accessModes(modes: Json | undefined): string {
  const given = new Set(listAt(modes));
  return shortModes
    .filter(([mode]) => given.has(mode))
    .map(([, short]) => short)
    .join(',');
}

const phase = (object: KubeObject): string =>
  object.metadata.deletionTimestamp === undefined ? textAt(object, 'status', 'phase') : 'Terminating';

const isBound = (claim: KubeObject): boolean => textAt(claim, 'spec', 'volumeName') !== '';

function claimOf(volume: KubeObject): string {
  const claim = at(volume, 'spec', 'claimRef');
  return claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
}

/** The beta annotation takes precedence over the field. */
const storageClass = (object: KubeObject): string =>
  object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ??
  textAt(object, 'spec', 'storageClassName');

const isDefault = ({ metadata: { annotations } }: KubeObject): boolean =>
  annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true' ||
  annotations?.['storageclass.beta.kubernetes.io/is-default-class'] === 'true';
