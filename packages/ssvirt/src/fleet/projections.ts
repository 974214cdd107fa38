/**
 * Projections for the caches of the operators. A cluster may have thousands of objects, so the caches keep only what is
 * read, and what decides whether an apply can be skipped.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Projected, Projection } from '@ssvirt/kube/informer/informer';
import type { KubeObject, ObjectMeta } from '@ssvirt/kube/object';
import { appliedHashAnnotation } from '@ssvirt/kube/reconcile/apply-child';
import { ownEntriesAnnotation } from '@ssvirt/kube/reconcile/atomic-lists';
import { ownManagedFields } from '@ssvirt/kube/reconcile/managed-fields';
import { isParentMark } from '@ssvirt/kube/reconcile/owners';
import { fields, known } from '../kubevirt/facts/reading.ts';

export interface WithFacts<F> extends KubeObject {
  readonly facts: F;
}

/** A projection may be applied to its own result. */
export function factsOnce<F>(object: KubeObject, read: (object: unknown) => F): F {
  return 'facts' in object ? (object as WithFacts<F>).facts : read(object);
}

export interface ChildOptions {
  /** The kind of parent, for people: `a machine`. */
  readonly of: string;
  readonly fieldManager: string;
  /** The labels that are read, in addition to those that mark the parent. */
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
  /** Whether the owner references are read. */
  readonly owners?: boolean;
}

export type ChildProjection = <P extends KubeObject>(
  name: string,
  rest: (object: KubeObject) => Omit<P, keyof KubeObject>,
) => Projection<KubeObject, P>;

/** `childrenOf` returns projections for the children of one kind of parent. */
export function childrenOf(options: ChildOptions): ChildProjection {
  const metadataOf = childMetadata(options);
  return <P extends KubeObject>(name: string, rest: (object: KubeObject) => Omit<P, keyof KubeObject>) => ({
    name: `${name} of ${options.of}`,
    project: (object: KubeObject) => {
      const { apiVersion, kind } = object;
      const envelope = defined({ apiVersion, kind });
      // `rest` omits only the envelope, which is added here.
      return { ...envelope, metadata: metadataOf(object), ...rest(object) } as P;
    },
  });
}

/** Keeps what identifies the parent, and what shows whether our fields are unchanged. */
function childMetadata({ fieldManager, owners = false, ...names }: ChildOptions): (object: KubeObject) => ObjectMeta {
  const labels = new Set(names.labels);
  const annotations = new Set([appliedHashAnnotation, ownEntriesAnnotation, ...names.annotations]);
  return (object) => {
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
      ownerReferences: owners ? ownersOf(metadata) : undefined,
      finalizers: undefined,
      labels: entriesOf(metadata.labels, (name) => isParentMark(name) || labels.has(name)),
      annotations: entriesOf(metadata.annotations, (name) => isParentMark(name) || annotations.has(name)),
      managedFields: ownManagedFields(object, fieldManager),
    });
  };
}

function ownersOf({ ownerReferences }: ObjectMeta): ObjectMeta['ownerReferences'] {
  return ownerReferences?.map(({ apiVersion, kind, name, uid }) => ({ apiVersion, kind, name, uid }));
}

type Texts = Readonly<Record<string, string>>;

function entriesOf(all: Texts | undefined, isKept: (name: string) => boolean): Texts {
  return Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => isKept(name)));
}

/** `storageOf` keeps the storage fields of a claim, or of the claim in a DataVolume: only those by which disks are checked. */
export function storageOf(spec: unknown): Readonly<Record<string, unknown>> {
  const { storageClassName, accessModes, volumeMode, resources } = fields(spec);
  const { requests } = fields(resources);
  return known({ storageClassName, accessModes, volumeMode, resources: { requests } });
}

/** `factsProjection` keeps the facts that `read` extracts, for a kind that has no parent, such as storage classes. */
export function factsProjection<F>(name: string, read: (object: unknown) => F): Projection<KubeObject, WithFacts<F>> {
  return { name, project: (object) => ({ metadata: named(object.metadata), facts: factsOnce(object, read) }) };
}

/** `namespaceProjectionBy` keeps the labels and annotations of a namespace that say what may be created in it. */
export function namespaceProjectionBy(
  name: string,
  asked: { readonly labels: readonly string[]; readonly annotations: readonly string[] },
): Projection<KubeObject, Projected> {
  const labels = new Set(asked.labels);
  const annotations = new Set(asked.annotations);
  return {
    name,
    project: ({ metadata }) => {
      const { deletionTimestamp } = metadata;
      return {
        metadata: {
          ...named(metadata),
          ...defined({ deletionTimestamp }),
          labels: entriesOf(metadata.labels, (one) => labels.has(one)),
          annotations: entriesOf(metadata.annotations, (one) => annotations.has(one)),
        },
      };
    },
  };
}

function named({ name, uid, resourceVersion, creationTimestamp }: ObjectMeta): ObjectMeta {
  return known<Pick<ObjectMeta, 'name' | 'uid' | 'resourceVersion' | 'creationTimestamp'>>({
    name,
    uid,
    resourceVersion,
    creationTimestamp,
  });
}

/** kubectl stores a second copy of the applied object in this annotation. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** `withoutBallast` removes the parts that no code reads. */
export function withoutBallast<T extends KubeObject>(object: T): T {
  const { managedFields: _fields, annotations: all, ...metadata } = object.metadata;
  if (all === undefined) return { ...object, metadata };
  const { [lastApplied]: _copy, ...own } = all;
  return { ...object, metadata: { ...metadata, annotations: own } };
}
