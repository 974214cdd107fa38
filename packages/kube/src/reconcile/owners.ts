/**
 * Ownership between objects. Kubernetes' garbage collector supports owners of the same cluster and namespace only (and
 * deletes children of any other). Otherwise a child has its parent's uid as a label and its key as an annotation, and
 * the parent's finalizer deletes it.
 */
import { apiVersionOf, type ResourceType } from '../resource-type.ts';
import { keyOf, parseKey, type KubeObject, type ObjectKey, type ObjectMeta, type OwnerReference } from '../object.ts';

/** `OwnerError` reports an impossible ownership. It is a bug in the caller: a retry does not help. */
export class OwnerError extends Error {
  override readonly name = 'OwnerError';
}

/** `Placed` is an object and its cluster. */
export interface Placed {
  readonly cluster: string;
  readonly type: ResourceType<KubeObject>;
  readonly object: KubeObject;
}

export function controllerReference(type: ResourceType<KubeObject>, { metadata }: KubeObject): OwnerReference {
  const { name, uid } = metadata;
  if (name === undefined || uid === undefined)
    throw new OwnerError(`cannot own anything by a ${type.kind} without a uid: create it first`);
  return { apiVersion: apiVersionOf(type), kind: type.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 `withController` returns * The child with its owner reference. Refuses a second controller, and owners that the garbage collector would not
 * find.
 */
export function withController<T extends KubeObject>(child: T, childAt: Omit<Placed, 'object'>, owner: Placed): T {
  assertCanOwn(child, childAt, owner);
  const reference = controllerReference(owner.type, owner.object);
  const others = (child.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== reference.uid);
  const controller = others.find((other) => other.controller === true);
  if (controller !== undefined)
    throw new OwnerError(
      `cannot own ${childAt.type.kind} "${keyOf(child.metadata)}" by ${owner.type.kind} "${reference.name}": ` +
        `${controller.kind} "${controller.name}" controls it`,
    );
  return { ...child, metadata: { ...child.metadata, ownerReferences: [...others, reference] } };
}

function assertCanOwn(child: KubeObject, childAt: Omit<Placed, 'object'>, owner: Placed): void {
  const refuse = (why: string): never => {
    const ownerName = `${owner.type.kind} "${keyOf(owner.object.metadata)}"`;
    throw new OwnerError(`cannot own ${childAt.type.kind} "${keyOf(child.metadata)}" by ${ownerName}: ${why}`);
  };
  if (childAt.cluster !== owner.cluster)
    refuse(`they are in different clusters, ${childAt.cluster} and ${owner.cluster}`);
  if (!owner.type.namespaced) return;
  if (!childAt.type.namespaced) refuse('a namespaced object cannot own a cluster-scoped one');
  if (child.metadata.namespace !== owner.object.metadata.namespace) refuse('they are in different namespaces');
}

/** `controllerOf` returns the controlling owner of an object, if any. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find((reference) => reference.controller === true);
}

export function isControlledBy(child: KubeObject, owner: KubeObject): boolean {
  return owner.metadata.uid !== undefined && controllerOf(child)?.uid === owner.metadata.uid;
}

const parentUid = 'ssvirt.io/parent-uid';
const parentKind = 'ssvirt.io/parent-kind';
const parentKey = 'ssvirt.io/parent';

/**
 `parentMarks` returns * The marks by which a child is found and finds its parent. The key is an annotation, because labels are limited to 63
 * characters.
 */
export function parentMarks(
  type: ResourceType<KubeObject>,
  { metadata }: KubeObject,
): Required<Pick<ObjectMeta, 'labels' | 'annotations'>> {
  if (metadata.uid === undefined)
    throw new OwnerError(`a ${type.kind} without a uid cannot have children: create it first`);
  return {
    labels: { [parentUid]: metadata.uid, [parentKind]: type.kind },
    annotations: { [parentKey]: keyOf(metadata) },
  };
}

/** `isParentMark` returns whether a label or annotation is one of them: for caches that keep little. */
export function isParentMark(name: string): boolean {
  return name === parentUid || name === parentKind || name === parentKey;
}

/** `parentUidOf` returns the uid of the parent that a child names, of any kind. */
export function parentUidOf({ labels }: ObjectMeta): string | undefined {
  return labels?.[parentUid];
}

/** `parentKindOf` returns the kind of the parent that a child names. */
export function parentKindOf({ labels }: ObjectMeta): string | undefined {
  return labels?.[parentKind];
}

/** `parentKeyOf` returns the key of the parent that a child names, such as `team-a/web`. */
export function parentKeyOf({ annotations }: ObjectMeta): string | undefined {
  return annotations?.[parentKey];
}

export function isChildOf({ metadata }: KubeObject, parent: KubeObject): boolean {
  return parent.metadata.uid !== undefined && metadata.labels?.[parentUid] === parent.metadata.uid;
}

/** `childrenSelector` returns a label selector for everything that belongs to a parent. */
export function childrenSelector({ metadata }: KubeObject): string {
  if (metadata.uid === undefined) throw new OwnerError('an object without a uid cannot have children: create it first');
  return `${parentUid}=${metadata.uid}`;
}

/** `childrenOfKindSelector` returns a label selector for the children of all parents of a kind, for an informer of children. */
export function childrenOfKindSelector(type: ResourceType<KubeObject>): string {
  return `${parentKind}=${type.kind}`;
}

/**
 `parentOf` returns * The key of a child's parent, to reconcile it when the child changes; undefined when the object has no parent of that
 * kind.
 */
export function parentOf({ metadata }: KubeObject, type: ResourceType<KubeObject>): ObjectKey | undefined {
  const key = metadata.annotations?.[parentKey];
  return key === undefined || metadata.labels?.[parentKind] !== type.kind ? undefined : parseKey(key);
}
