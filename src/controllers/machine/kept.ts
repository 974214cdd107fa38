/** What the caches keep of what a Machine is made of: a member may hold thousands, so only what is read, and what an apply is skipped by. */
import type { Projected, Projection } from '../../kube/cache/informer.ts';
import type { KubeObject, ObjectMeta } from '../../kube/object.ts';
import { appliedHashAnnotation } from '../../kube/reconcile/apply-child.ts';
import { ownEntriesAnnotation } from '../../kube/reconcile/atomic-lists.ts';
import { ownManagedFields } from '../../kube/reconcile/managed-fields.ts';
import { isParentMark } from '../../kube/reconcile/owners.ts';
import { dataVolumeFacts, type DataVolumeFacts } from '../../virt/facts/data-volume.ts';
import { fields, known, text } from '../../virt/facts/reading.ts';
import { vmFacts, type VmFacts } from '../../virt/facts/vm.ts';
import { vmiFacts, type VmiFacts } from '../../virt/facts/vmi.ts';
import { annotations, labels } from '../../virt/declared-machine/resource.ts';
import { storageClassFacts, type StorageClassFacts } from '../../virt/declared-machine/storage-class.ts';
import { fieldManager } from './kinds.ts';

export interface Kept<F> extends KubeObject {
  readonly facts: F;
}

/** Of a claim, in the shape that it has: as much as disks are planned by. */
export interface KeptClaim extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: { readonly phase?: string };
}

export interface KeptDataVolume extends Kept<DataVolumeFacts> {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: { readonly phase?: string };
}

const keptAnnotations = new Set([
  appliedHashAnnotation,
  ownEntriesAnnotation,
  // CDI's: such a claim was not made empty.
  'cdi.kubevirt.io/storage.contentType',
  'cdi.kubevirt.io/createdForDataVolume',
]);
const keptLabels: ReadonlySet<string> = new Set([labels.managedBy, labels.supervisor]);

function entriesOf(
  all: Readonly<Record<string, string>> | undefined,
  isKept: (name: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => isKept(name)));
}

/** Of our children: what says whose they are, and what shows that nothing of ours was touched. */
function childMetadata(object: KubeObject): ObjectMeta {
  const { metadata } = object;
  return known<ObjectMeta>({
    name: metadata.name,
    namespace: metadata.namespace,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    generation: metadata.generation,
    creationTimestamp: metadata.creationTimestamp,
    deletionTimestamp: metadata.deletionTimestamp,
    generateName: undefined,
    // CDI's claims name their DataVolume.
    ownerReferences: metadata.ownerReferences?.map(({ apiVersion, kind, name, uid }) => ({
      apiVersion,
      kind,
      name,
      uid,
    })),
    finalizers: undefined,
    labels: entriesOf(metadata.labels, (name) => isParentMark(name) || keptLabels.has(name)),
    annotations: entriesOf(metadata.annotations, (name) => isParentMark(name) || keptAnnotations.has(name)),
    managedFields: ownManagedFields(object, fieldManager),
  });
}

function child<P extends KubeObject>(
  name: string,
  rest: (object: KubeObject) => Omit<P, keyof KubeObject>,
): Projection<KubeObject, P> {
  return {
    name: `${name} of a machine`,
    project: (object) => {
      const { apiVersion, kind } = object;
      const envelope = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
      // What `rest` leaves out is the envelope, which stands here.
      return { ...envelope, metadata: childMetadata(object), ...rest(object) } as P;
    },
  };
}

/** A projection may see its own result. */
function factsOnce<F>(object: KubeObject, read: (object: unknown) => F): F {
  return 'facts' in object ? (object as Kept<F>).facts : read(object);
}

export const keptVm: Projection<KubeObject, Kept<VmFacts>> = child('virtual machine', (object) => ({
  facts: factsOnce(object, vmFacts),
}));

export const keptInstance: Projection<KubeObject, Kept<VmiFacts>> = child('instance', (object) => ({
  facts: factsOnce(object, vmiFacts),
}));

/** Secrets and attachments, of which nothing is read. */
export const keptChild: Projection<KubeObject, KubeObject> = child('child', () => ({}));

export const keptClaim: Projection<KubeObject, KeptClaim> = child('claim', (object) => {
  const { spec, status } = fields(object);
  return { spec: storageOf(spec), status: known<KeptClaim['status']>({ phase: text(fields(status)['phase'], 64) }) };
});

export const keptDataVolume: Projection<KubeObject, KeptDataVolume> = child('data volume', (object) => {
  const { spec, status } = fields(object);
  const { storage, pvc, source, sourceRef } = fields(spec);
  return {
    facts: factsOnce(object, dataVolumeFacts),
    spec: known({ storage: storageOf(storage ?? pvc), source, sourceRef }),
    status: known<KeptDataVolume['status']>({ phase: text(fields(status)['phase'], 64) }),
  };
});

function storageOf(spec: unknown): Readonly<Record<string, unknown>> {
  const { storageClassName, accessModes, volumeMode, resources } = fields(spec);
  const { requests } = fields(resources);
  return known({ storageClassName, accessModes, volumeMode, resources: { requests } });
}

export const keptClass: Projection<KubeObject, Kept<StorageClassFacts>> = {
  name: 'storage class for machines',
  project: (object) => ({ metadata: named(object.metadata), facts: factsOnce(object, storageClassFacts) }),
};

/** Whether machines may be made in it is all that is asked of a namespace. */
export const keptNamespace: Projection<KubeObject, Projected> = {
  name: 'namespace for machines',
  project: ({ metadata }) => {
    const asked: ReadonlySet<string> = new Set([labels.supervisor, annotations.allowMachines, annotations.allowCopies]);
    const { deletionTimestamp } = metadata;
    return {
      metadata: {
        ...named(metadata),
        ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
        labels: entriesOf(metadata.labels, (name) => asked.has(name)),
        annotations: entriesOf(metadata.annotations, (name) => asked.has(name)),
      },
    };
  },
};

function named({ name, uid, resourceVersion, creationTimestamp }: ObjectMeta): ObjectMeta {
  return {
    ...(name === undefined ? {} : { name }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
  };
}
