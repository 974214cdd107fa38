/**
 * The disks of a Machine. An empty disk is a claim. A disk with a source is a DataVolume, which creates a claim of the
 * same name. An existing disk can only grow: class, modes and source stay as they were at creation.
 */
import { defined } from '@ssvirt/base/values/defined';
import { bytes } from '@ssvirt/base/values/quantity';
import { fields, list, text, type Fields } from '../facts/reading.ts';
import { cdiVersion, type KubeLike } from '../tenant-vm/kube-like.ts';
import { filledFrom, sourceWords } from './disk-source.ts';
import { childMetadata, isOwn, type MachineIdentity } from './identity.ts';
import { diskName } from './names.ts';
import { orProblem, refuse } from './problem.ts';
import type { OwnDisk } from './resolve.ts';
import type { MachineDiskSpec, MachineProblem } from './resource.ts';
import { sizeOfBytes } from './size.ts';
import { defaultClass, type StorageClassFacts } from './storage-class.ts';

/** The objects in the cluster with the disk's name. */
export interface ExistingDisk {
  readonly claim?: unknown;
  readonly dataVolume?: unknown;
}

export interface DiskPlan {
  /** A PersistentVolumeClaim or a DataVolume that does not exist yet. */
  readonly create?: KubeLike;
  /** A merge patch of its PersistentVolumeClaim: name, and the new size. */
  readonly grow?: KubeLike;
  /** Its DataVolume, which was never filled, must be deleted, so that one with another source can be created. */
  readonly replace?: true;
  /** The object that must be gone first. */
  readonly waitFor?: string;
  readonly problem?: MachineProblem;
}

export interface DiskContext {
  readonly classes: readonly StorageClassFacts[];
  readonly existing?: ExistingDisk;
}

/**
 * CDI adds this share to a claim with a file system, which uses some of it. The default is 5.5 % of the claim; an
 * administrator can change it.
 */
const FILE_SYSTEM_OVERHEAD = 0.055;

export function planDisk(identity: MachineIdentity, disk: OwnDisk, { classes, existing = {} }: DiskContext): DiskPlan {
  return orProblem(() => {
    const { claim, dataVolume } = existing;
    if (claim === undefined && dataVolume === undefined) return { create: newDisk(identity, disk, classes) };
    refuseForeign(identity, disk, existing);
    const leaving = leavingPart(identity, disk, existing);
    if (leaving !== undefined) return { waitFor: leaving };
    if (isFromElsewhere(identity, disk, dataVolume)) return { replace: true };
    if (claim === undefined) return {};
    refuseChanges(disk, existing);
    return growth(identity, disk, existing, classes);
  });
}

/**
 * The namespace from which the disk is copied, if it is not the Machine's. The caller must check whether the copy is
 * allowed: that depends on permissions in that namespace.
 */
export function foreignSource(
  { namespace }: Pick<MachineIdentity, 'namespace'>,
  { source }: Pick<MachineDiskSpec, 'source'>,
): string | undefined {
  const from = source?.pvc?.namespace ?? source?.dataSource?.namespace;
  return from === namespace ? undefined : from;
}

function newDisk(identity: MachineIdentity, disk: OwnDisk, classes: readonly StorageClassFacts[]): KubeLike {
  const { source, size, accessMode, volumeMode } = disk;
  const metadata = childMetadata(identity, diskName(identity.name, disk.name));
  const storage = {
    storageClassName: classOf(disk, classes).name,
    ...defined({ volumeMode }),
    resources: { requests: { storage: size } },
  };
  if (source === undefined)
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { accessModes: [accessMode ?? 'ReadWriteOnce'], ...storage },
    };
  // Without access modes, CDI takes the best ones for the class from its StorageProfile.
  const modes = accessMode === undefined ? {} : { accessModes: [accessMode] };
  return {
    apiVersion: cdiVersion,
    kind: 'DataVolume',
    metadata,
    spec: { ...filledFrom(identity, source), storage: { ...modes, ...storage } },
  };
}

function classOf({ name, storageClass }: OwnDisk, classes: readonly StorageClassFacts[]): StorageClassFacts {
  const field = `spec.disks["${name}"].storageClass`;
  const there = classes.length === 0 ? 'it has none' : `it has ${classes.map((one) => `"${one.name}"`).join(', ')}`;
  const asked = isDefault(storageClass) ? undefined : storageClass;
  const found = asked === undefined ? defaultClass(classes) : classes.find((one) => one.name === asked);
  if (found !== undefined) return found;
  return asked === undefined
    ? refuse(
        `${field}: the cluster has no default StorageClass. Name one (${there}), or ask an administrator to mark one as default.`,
        'StorageClassNotFound',
      )
    : refuse(
        `${field}: the cluster has no StorageClass "${asked}" (${there}). Name another, or create it.`,
        'StorageClassNotFound',
      );
}

function isDefault(storageClass: string | undefined): boolean {
  return storageClass === undefined || storageClass === '' || storageClass === 'default';
}

/** CDI's claim has the labels of its DataVolume; older versions of CDI set only the owner. */
function refuseForeign(identity: MachineIdentity, disk: OwnDisk, { claim, dataVolume }: ExistingDisk): void {
  const owned = (object: unknown): boolean => isOwn(identity, fields(metadataOf(object)['labels']));
  const ownVolume = dataVolume !== undefined && owned(dataVolume);
  const claimIsOurs =
    claim === undefined || owned(claim) || (ownVolume && isOwnedBy(claim, metadataOf(dataVolume)['uid']));
  if (claimIsOurs && (dataVolume === undefined || ownVolume)) return;
  const kind = claimIsOurs ? 'DataVolume' : 'PersistentVolumeClaim';
  refuse(
    `a ${kind} "${diskName(identity.name, disk.name)}" that does not belong to this Machine already exists in place of its disk "${disk.name}": rename the disk, or delete the existing object.`,
    'NameConflict',
  );
}

/** The deletion of a DataVolume also deletes its claim. */
function leavingPart(
  identity: MachineIdentity,
  disk: OwnDisk,
  { claim, dataVolume }: ExistingDisk,
): string | undefined {
  const isLeaving = (object: unknown): boolean => metadataOf(object)['deletionTimestamp'] !== undefined;
  const name = `"${identity.namespace}/${diskName(identity.name, disk.name)}"`;
  if (isLeaving(dataVolume)) return `DataVolume ${name}`;
  return dataVolume === undefined && disk.source !== undefined && isLeaving(claim)
    ? `PersistentVolumeClaim ${name}`
    : undefined;
}

/** Whether its source has changed before it was filled. A filled disk is refused another source. */
function isFromElsewhere(identity: MachineIdentity, disk: OwnDisk, dataVolume: unknown): boolean {
  const has = sourceWords(specOf(dataVolume));
  const asked = disk.source === undefined ? undefined : sourceWords(filledFrom(identity, disk.source));
  if (has === undefined || has === asked) return false;
  if (fields(fields(dataVolume)['status'])['phase'] === 'Succeeded')
    change(disk, 'source', asked ?? 'an empty disk', has);
  return true;
}

function change({ name }: OwnDisk, field: string, asked: string, has: string): never {
  return refuse(
    `spec.disks["${name}"].${field} asks for ${asked}, but the disk was made with ${has}, and that cannot be changed: set it back, or add a disk with another name.`,
    'DiskChangeRefused',
  );
}

function refuseChanges(disk: OwnDisk, { claim, dataVolume }: ExistingDisk): void {
  const { storageClassName, accessModes, volumeMode = 'Filesystem' } = specOf(claim);
  const className = text(storageClassName);
  if (!isDefault(disk.storageClass) && className !== undefined && disk.storageClass !== className)
    change(disk, 'storageClass', `"${disk.storageClass}"`, `"${className}"`);
  const modes = list(accessModes);
  if (disk.accessMode !== undefined && modes.length > 0 && !modes.includes(disk.accessMode))
    change(disk, 'accessMode', disk.accessMode, modes.join(', '));
  if (disk.volumeMode !== undefined && disk.volumeMode !== volumeMode)
    change(disk, 'volumeMode', disk.volumeMode, String(volumeMode));
  // A DataVolume may be garbage-collected after it succeeded; its claim keeps CDI's annotations.
  if (disk.source !== undefined && dataVolume === undefined && !isFilled(claim))
    change(disk, 'source', 'a source', 'none: it is empty');
}

function growth(
  identity: MachineIdentity,
  disk: OwnDisk,
  { claim, dataVolume }: ExistingDisk,
  classes: readonly StorageClassFacts[],
): DiskPlan {
  const { storageClassName, volumeMode } = specOf(claim);
  const has = requested(specOf(claim));
  const asked = requested(fields(specOf(dataVolume)['storage'] ?? specOf(dataVolume)['pvc'])) ?? has;
  if (has === undefined || asked === undefined || disk.bytes === asked || disk.bytes === has) return {};
  if (disk.keepsSize === true) return {};
  if (disk.bytes < asked)
    refuse(
      `spec.disks["${disk.name}"].size is ${disk.size}, but the disk has ${sizeOfBytes(asked)}, and disks do not shrink: set it to ${sizeOfBytes(has)} or more.`,
      'DiskChangeRefused',
    );
  const needed = dataVolume === undefined || volumeMode === 'Block' ? disk.bytes : withOverhead(disk.bytes);
  if (needed <= has || !isBound(claim)) return {};
  const name = text(storageClassName) ?? '';
  if (classes.find((one) => one.name === name)?.expandable !== true)
    refuse(
      `spec.disks["${disk.name}"].size is ${disk.size}, but the disk has ${sizeOfBytes(has)}, and its StorageClass "${name}" does not let it grow (allowVolumeExpansion): set the size back, or ask an administrator to allow it.`,
      'ExpansionUnsupported',
    );
  return { grow: grown(childMetadata(identity, diskName(identity.name, disk.name)), needed) };
}

function grown({ name, namespace, labels }: KubeLike['metadata'], size: number): KubeLike {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, labels },
    spec: { resources: { requests: { storage: sizeOfBytes(size) } } },
  };
}

/** In whole MiB, for readability. */
function withOverhead(size: number): number {
  const MIB = 2 ** 20;
  return Math.ceil(size / (1 - FILE_SYSTEM_OVERHEAD) / MIB) * MIB;
}

const metadataOf = (object: unknown): Fields => fields(fields(object)['metadata']);
const specOf = (object: unknown): Fields => fields(fields(object)['spec']);

function requested(spec: Fields): number | undefined {
  return bytes(fields(fields(spec['resources'])['requests'])['storage']);
}

/** Kubernetes refuses to expand an unbound claim. */
function isBound(claim: unknown): boolean {
  return fields(fields(claim)['status'])['phase'] === 'Bound';
}

function isOwnedBy(claim: unknown, uid: unknown): boolean {
  return list(metadataOf(claim)['ownerReferences']).some((owner) => uid !== undefined && fields(owner)['uid'] === uid);
}

function isFilled(claim: unknown): boolean {
  return Object.keys(fields(metadataOf(claim)['annotations'])).some((key) => key.startsWith('cdi.kubevirt.io/'));
}
