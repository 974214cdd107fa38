/** Whose objects they are: what every object that is made for an order says of itself, and which objects that are there already may be taken. */
import { fields } from '../facts/reading.ts';
import type { KubeLike, OwnerLike } from '../machine/kube-like.ts';
import { labels, type Mode } from './resource.ts';
import { tenantOf, type PlacedOrder } from './tenant.ts';

type Texts = Readonly<Record<string, string>>;

export interface OrderIdentity {
  readonly name: string;
  /** The order's own. */
  readonly namespace: string;
  /** Where its objects are. */
  readonly tenantNamespace: string;
  readonly uid: string;
  /** By which a child finds its parent (`parentMarks`). */
  readonly marks: { readonly labels: Texts; readonly annotations: Texts };
  /** Used only where order and child stand in the same namespace: the garbage collector deletes the child of any other owner. */
  readonly owner?: OwnerLike;
}

/** The marks and the owner are those of the order itself, as the caller's Kubernetes machinery makes them. */
export function orderIdentity(order: PlacedOrder, marks: OrderIdentity['marks'], owner: OwnerLike): OrderIdentity {
  const { name = '', namespace = '', uid = '' } = order.metadata;
  const tenantNamespace = tenantOf(order);
  // The garbage collector takes the owner for gone that stands in another namespace.
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

/** What the role's objects bear, and the marks. */
export function childLabels({ name, marks }: OrderIdentity): Texts {
  return { [labels.order]: name, ...marks.labels };
}

/** Whether an object was made for this very order, and not for another one of its name. */
export function isOwn(identity: OrderIdentity, object: unknown): boolean {
  return parentUidOf(identity, object) === identity.uid;
}

/** Whether an object that stands where a child should may be applied over. `provisionedBy` is what is recorded, or inferred, of the order. */
export function mayTake(identity: OrderIdentity, provisionedBy: Mode | undefined, object: unknown): boolean {
  if (isOwn(identity, object)) return true;
  if (provisionedBy !== 'aap' || parentUidOf(identity, object) !== undefined) return false;
  return bearsName(identity, object);
}

/** Whether an object bears the order's name in a label, as all that AAP's roles make does. */
export function bearsName(identity: Pick<OrderIdentity, 'name'>, object: unknown): boolean {
  const found = labelsOf(object);
  return found[labels.order] === identity.name || found[labels.instance] === identity.name;
}

/** The uid that an object names as its parent's: whatever stands under the mark that bears ours. */
function parentUidOf({ uid, marks }: OrderIdentity, object: unknown): unknown {
  const [mark = ''] = Object.entries(marks.labels).find(([, value]) => value === uid) ?? [];
  return labelsOf(object)[mark];
}

function labelsOf(object: unknown): Readonly<Record<string, unknown>> {
  return fields(fields(fields(object)['metadata'])['labels']);
}
