/**
 * Labels, annotations and owner of every object that is created for an order, and which existing objects it may take
 * over.
 */
import { fields } from '../facts/reading.ts';
import type { KubeLike, OwnerLike } from '../tenant-vm/kube-like.ts';
import { labels, type Mode } from './resource.ts';
import { tenantOf, type PlacedOrder } from './tenant.ts';

type Texts = Readonly<Record<string, string>>;

export interface OrderIdentity {
  readonly name: string;
  /** The order's own. */
  readonly namespace: string;
  /** The namespace of its objects. */
  readonly tenantNamespace: string;
  readonly uid: string;
  /** They identify the parent of a child (`parentMarks`). */
  readonly marks: { readonly labels: Texts; readonly annotations: Texts };
  /** Used only if order and child are in the same namespace: otherwise the garbage collector would delete the child. */
  readonly owner?: OwnerLike;
}

/** The marks and the owner refer to the order itself; the caller's Kubernetes layer builds them. */
export function orderIdentity(order: PlacedOrder, marks: OrderIdentity['marks'], owner: OwnerLike): OrderIdentity {
  const { name = '', namespace = '', uid = '' } = order.metadata;
  const tenantNamespace = tenantOf(order);
  // The garbage collector treats an owner in another namespace as deleted.
  return { name, namespace, tenantNamespace, uid, marks, ...(tenantNamespace === namespace ? { owner } : {}) };
}

type Metadata = KubeLike['metadata'] & { readonly annotations: Texts };

export function childMetadata(identity: OrderIdentity, name: string): Metadata {
  const { namespace, tenantNamespace, marks, owner } = identity;
  return {
    name,
    namespace: tenantNamespace,
    labels: childLabels(identity),
    annotations: marks.annotations,
    ...(owner === undefined || namespace !== tenantNamespace ? {} : { ownerReferences: [owner] }),
  };
}

/** `childLabels` returns the labels of the role's objects, and the marks. */
export function childLabels({ name, marks }: OrderIdentity): Texts {
  return { [labels.order]: name, ...marks.labels };
}

/** `isOwn` returns whether an object was created for this very order, and not for another one of its name. */
export function isOwn(identity: OrderIdentity, object: unknown): boolean {
  return parentUidOf(identity, object) === identity.uid;
}

/**
 * Whether an existing object with the name of a child may be applied over. `provisionedBy` is the recorded or inferred
 * mode of the order.
 */
export function mayTake(identity: OrderIdentity, provisionedBy: Mode | undefined, object: unknown): boolean {
  if (isOwn(identity, object)) return true;
  if (provisionedBy !== 'aap' || parentUidOf(identity, object) !== undefined) return false;
  return bearsName(identity, object);
}

/** `bearsName` returns whether an object has the order's name in a label, as every object that AAP's roles create. */
export function bearsName(identity: Pick<OrderIdentity, 'name'>, object: unknown): boolean {
  const found = labelsOf(object);
  return found[labels.order] === identity.name || found[labels.instance] === identity.name;
}

/** The uid that an object names as its parent's: the value of the label in which our children have the order's uid. */
function parentUidOf({ uid, marks }: OrderIdentity, object: unknown): unknown {
  const [mark = ''] = Object.entries(marks.labels).find(([, value]) => value === uid) ?? [];
  return labelsOf(object)[mark];
}

function labelsOf(object: unknown): Readonly<Record<string, unknown>> {
  return fields(fields(fields(object)['metadata'])['labels']);
}
