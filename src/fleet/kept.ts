/** What the caches of the operators keep of an object: there may be thousands in a cluster, so only what is read, and what an apply is skipped by. */
import type { Projected, Projection } from '../kube/cache/informer.ts';
import type { KubeObject, ObjectMeta } from '../kube/object.ts';
import { appliedHashAnnotation } from '../kube/reconcile/apply-child.ts';
import { ownEntriesAnnotation } from '../kube/reconcile/atomic-lists.ts';
import { ownManagedFields } from '../kube/reconcile/managed-fields.ts';
import { isParentMark } from '../kube/reconcile/owners.ts';
import { fields, known } from '../virt/facts/reading.ts';

export interface Kept<F> extends KubeObject {
  readonly facts: F;
}

/** A projection may see its own result. */
export function factsOnce<F>(object: KubeObject, read: (object: unknown) => F): F {
  return 'facts' in object ? (object as Kept<F>).facts : read(object);
}

export interface ChildOptions {
  /** Whose children they are, for people: `a machine`. */
  readonly of: string;
  readonly fieldManager: string;
  /** Those that are read, beside the marks of the parent. */
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
  /** Whether it is read who owns them. */
  readonly owners?: boolean;
}

export type ChildProjection = <P extends KubeObject>(
  name: string,
  rest: (object: KubeObject) => Omit<P, keyof KubeObject>,
) => Projection<KubeObject, P>;

/** Projections of the children of one kind of parent. */
export function childrenOf(options: ChildOptions): ChildProjection {
  const metadataOf = childMetadata(options);
  return <P extends KubeObject>(name: string, rest: (object: KubeObject) => Omit<P, keyof KubeObject>) => ({
    name: `${name} of ${options.of}`,
    project: (object: KubeObject) => {
      const { apiVersion, kind } = object;
      const envelope = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
      // What `rest` leaves out is the envelope, which stands here.
      return { ...envelope, metadata: metadataOf(object), ...rest(object) } as P;
    },
  });
}

/** What says whose they are, and what shows that nothing of ours was touched. */
function childMetadata({ fieldManager, owners = false, ...kept }: ChildOptions): (object: KubeObject) => ObjectMeta {
  const labels = new Set(kept.labels);
  const annotations = new Set([appliedHashAnnotation, ownEntriesAnnotation, ...kept.annotations]);
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

/** Of a claim, or of what a DataVolume asks for one: as much as disks are judged by. */
export function storageOf(spec: unknown): Readonly<Record<string, unknown>> {
  const { storageClassName, accessModes, volumeMode, resources } = fields(spec);
  const { requests } = fields(resources);
  return known({ storageClassName, accessModes, volumeMode, resources: { requests } });
}

/** Of a kind that belongs to nobody, such as storage classes: what was read out of it. */
export function keptFacts<F>(name: string, read: (object: unknown) => F): Projection<KubeObject, Kept<F>> {
  return { name, project: (object) => ({ metadata: named(object.metadata), facts: factsOnce(object, read) }) };
}

/** What may be made in a namespace is told by some of its labels and annotations. */
export function keptNamespaceBy(
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
          ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
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

/** kubectl's copy of what was applied is the object once more. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** All of it but what nobody reads. */
export function withoutBallast<T extends KubeObject>(object: T): T {
  const { managedFields: _fields, annotations: all, ...metadata } = object.metadata;
  if (all === undefined) return { ...object, metadata };
  const { [lastApplied]: _copy, ...kept } = all;
  return { ...object, metadata: { ...metadata, annotations: kept } };
}
