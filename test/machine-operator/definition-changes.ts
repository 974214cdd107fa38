/** Changes of a Machine that the API server allows or refuses, by the old spec and the status. */
import type { MachineFacts } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';

export interface Change {
  readonly name: string;
  readonly from: object;
  /** What the operator wrote in between. */
  readonly status?: MachineFacts & { readonly storageReady?: 'True' | 'False' };
  /** Merged into the spec. */
  readonly to: object;
  /** Absent if it is allowed. */
  readonly says?: readonly string[];
}

const small = { template: 'small' };
const east = { ...small, kubevirtConfigRef: 'east' };
const west = { kubevirtConfigRef: 'west' };

function disk(more: object): object {
  return { ...small, disks: [{ name: 'data', size: '10Gi', ...more }] };
}

const moved =
  'spec.kubevirtConfigRef: Forbidden: the machine is placed on east and never moves, so west is refused: set it to east, leave it out, or create a new Machine';
const shape =
  'spec.disks: Forbidden: storageClass, accessMode and volumeMode of an existing disk cannot be changed: set them back, or add a disk with another name';
const filled =
  'spec.disks: Forbidden: the source of an existing disk cannot be changed, because a disk is filled only once: set it back, or add a disk with another name';
const less = 'spec.disks: Forbidden: size of an existing disk cannot be reduced or removed: set it back or increase it';
const blank =
  'spec.disks: Forbidden: a disk that uses an existing claim cannot become a new one: set existingClaim back, or add a disk with another name';
const there = { storageReady: 'True' } as const;
const missing = { storageReady: 'False' } as const;
const http = (url: string): object => disk({ source: { http: { url } } });

export const changes: readonly Change[] = [
  { name: 'a cluster is named later', from: small, to: { kubevirtConfigRef: 'east' } },
  { name: 'a cluster is corrected before the machine is placed', from: east, to: west },
  {
    name: 'the cluster that it is placed on is named',
    from: small,
    status: { kubevirtConfigRef: 'east' },
    to: { kubevirtConfigRef: 'east' },
  },
  {
    name: 'another cluster than the one that it is placed on is named',
    from: small,
    status: { kubevirtConfigRef: 'east' },
    to: west,
    says: [moved],
  },
  { name: 'a placed machine is moved', from: east, status: { kubevirtConfigRef: 'east' }, to: west, says: [moved] },
  {
    name: 'the cluster of a placed machine is left out',
    from: east,
    status: { kubevirtConfigRef: 'east' },
    to: { kubevirtConfigRef: null },
  },
  { name: 'a disk grows', from: disk({}), status: there, to: disk({ size: '20Gi' }) },
  { name: 'a disk is written in another unit', from: disk({}), status: there, to: disk({ size: '10240Mi' }) },
  {
    name: 'a disk shrinks',
    from: disk({}),
    status: there,
    to: disk({ size: '9Gi' }),
    says: [less],
  },
  // The remedy of ExpansionUnsupported.
  {
    name: 'a size that the class does not allow is set back',
    from: disk({}),
    status: missing,
    to: disk({ size: '9Gi' }),
  },
  { name: 'a size is corrected before there is a disk', from: disk({}), to: disk({ size: '1Gi' }) },
  {
    name: 'a disk shrinks in another place of the list',
    from: disk({}),
    status: there,
    to: {
      disks: [
        { name: 'first', size: '1Gi' },
        { name: 'data', size: '1Gi' },
      ],
    },
    says: [less],
  },
  {
    name: 'a disk gets a size that is none',
    from: disk({}),
    status: there,
    to: disk({ size: 'less' }),
    says: [
      'spec.disks[0].size: Invalid value: "less": "less" is not a valid size: use a number with a unit, such as 20Gi',
    ],
  },
  {
    name: 'the size of a disk is taken away',
    from: { ...small, disks: [{ name: 'root', size: '50Gi' }] },
    status: there,
    to: { disks: [{ name: 'root' }] },
    says: [less],
  },
  { name: 'a size is given to a disk of the template', from: { ...small, disks: [{ name: 'root' }] }, to: disk({}) },
  { name: 'a disk is added', from: small, status: there, to: disk({}) },
  { name: 'a disk is taken out', from: disk({}), status: there, to: { disks: null } },
  // The remedy of StorageClassNotFound.
  {
    name: 'the class of a disk that could not be made is corrected',
    from: disk({ storageClass: 'fats-ssd' }),
    status: missing,
    to: disk({ storageClass: 'fast-ssd' }),
  },
  {
    name: 'the class of a disk is changed',
    from: disk({ storageClass: 'slow' }),
    status: there,
    to: disk({ storageClass: 'fast' }),
    says: [shape],
  },
  // The operator knows which class that was, and says so if it was another one.
  { name: 'the default class is named', from: disk({}), status: there, to: disk({ storageClass: 'fast' }) },
  {
    name: 'the default class is named in place of the word',
    from: disk({ storageClass: 'default' }),
    status: there,
    to: disk({ storageClass: 'fast' }),
  },
  {
    name: 'the access mode of a disk is changed',
    from: disk({ accessMode: 'ReadWriteOnce' }),
    status: there,
    to: disk({ accessMode: 'ReadWriteMany' }),
    says: [shape],
  },
  {
    name: 'the volume mode of a disk is changed',
    from: disk({ volumeMode: 'Filesystem' }),
    status: there,
    to: disk({ volumeMode: 'Block' }),
    says: [shape],
  },
  {
    name: 'the address of an image that could not be had is corrected',
    from: http('https://images.example.com/wrong'),
    status: missing,
    to: http('https://images.example.com/right'),
  },
  {
    name: 'the source of a disk is changed',
    from: http('https://images.example.com/a'),
    status: there,
    to: http('https://images.example.com/b'),
    says: [filled],
  },
  {
    name: 'the source of a disk is taken away',
    from: http('https://images.example.com/a'),
    status: there,
    to: disk({}),
    says: [filled],
  },
  {
    name: 'a source is given to a disk',
    from: disk({}),
    status: there,
    to: http('https://images.example.com/a'),
    says: [filled],
  },
  {
    name: 'a claim that is there takes the place of a disk',
    from: disk({}),
    status: there,
    to: { disks: [{ name: 'data', existingClaim: 'restored' }] },
  },
  {
    name: 'another claim that is there is taken',
    from: { ...small, disks: [{ name: 'data', existingClaim: 'old' }] },
    status: there,
    to: { disks: [{ name: 'data', existingClaim: 'restored' }] },
  },
  {
    name: 'a claim that is there becomes a blank disk',
    from: { ...small, disks: [{ name: 'data', existingClaim: 'old' }] },
    status: there,
    to: disk({}),
    says: [blank],
  },
  {
    name: 'a bad disk is not held against the good ones',
    from: disk({ storageClass: 'slow' }),
    status: there,
    to: {
      disks: [
        { name: 'data', size: '10Gi', storageClass: 'slow' },
        { name: 'more', size: '1Gi', storageClass: 'fast' },
      ],
    },
  },
  { name: 'another template is taken', from: small, status: there, to: { template: 'large' } },
  { name: 'it is stopped', from: small, status: there, to: { running: false } },
];
