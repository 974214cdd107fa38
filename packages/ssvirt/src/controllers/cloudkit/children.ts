/**
 * Functions that all children share. They read what exists at a child's place before anything is written, then bring
 * each child to its desired state.
 */
import { defined } from '@ssvirt/base/values/defined';
import { isKind } from '@ssvirt/kube/errors';
import { keyOf, type KubeObject, type ObjectKey } from '@ssvirt/kube/object';
import { NotOurs, type Applied, type Child } from '@ssvirt/kube/reconcile/apply-child';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import { lockOn } from '@ssvirt/kube/reconcile/merge-patch';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { childLabels, isOwn, mayTake } from '../../kubevirt/order/identity.ts';
import type { KubeLike } from '../../kubevirt/tenant-vm/kube-like.ts';
import { lookAgainMs } from '../operator/cluster-refusal.ts';
import { asked, refused, waiting } from './operator/step-halted.ts';
import { hasOlderNamesake } from './namesake.ts';
import { aapMarks } from '../../kubevirt/order/aap/aap-marks.ts';
import type { OrderWork } from './work.ts';

export interface ChildPlace {
  readonly type: ResourceType<KubeObject>;
  readonly name: string;
  /** The cached object. */
  readonly cached: KubeObject | undefined;
}

/** What exists at a place. `whole` is false if the object is the cached projection. */
export interface FoundChild {
  readonly object: KubeObject | undefined;
  readonly whole: boolean;
}

export const nothing: FoundChild = { object: undefined, whole: true };

/**
 * Reads what exists at all places. Objects without our labels are in no cache, so a place that is empty in the cache is
 * read from the server. Throws before the reconcile's first write if an object may not be taken over.
 */
export async function readChildren(work: OrderWork, places: readonly ChildPlace[]): Promise<readonly FoundChild[]> {
  const found = await Promise.all(places.map((place) => lookAt(work, place)));
  const foreign = places.filter((_, at) => {
    const { object } = found[at] ?? nothing;
    return object !== undefined && !isTakeable(work, object);
  });
  if (foreign.length > 0) throw nameConflict(work, foreign);
  return found;
}

async function lookAt(
  { cluster, identity, signal }: OrderWork,
  { type, name, cached }: ChildPlace,
): Promise<FoundChild> {
  if (cached !== undefined) return { object: cached, whole: false };
  const key = { namespace: identity.tenantNamespace, name };
  return { object: await find(cluster.client, type, key, { signal, beforeMaking: true }), whole: true };
}

/**
 * Whether the object belongs to this order or was created by AAP for it. A user who can write orders can also forge the
 * AAP marks, so an object that may belong to an older order of the same name is excluded.
 */
export function isTakeable(work: Pick<OrderWork, 'caches' | 'identity' | 'order'>, object: KubeObject): boolean {
  const { identity, order } = work;
  if (isOwn(identity, object)) return true;
  return mayTake(identity, aapMarks(order) ? 'aap' : order.status?.provisionedBy, object) && !hasOlderNamesake(work);
}

export function isOurs({ identity }: Pick<OrderWork, 'identity'>, object: KubeObject | undefined): boolean {
  return object !== undefined && isOwn(identity, object);
}

export interface WantedChild extends Pick<Child<KubeObject>, 'atomicLists'> {
  readonly type: ResourceType<KubeObject>;
  readonly desired: KubeLike;
  readonly found: FoundChild;
  /** Throws if the live object is not what `desired` was built from. */
  readonly check?: (live: KubeObject) => void;
}

/** `applyChild` resolves to whether something was written. */
export async function applyChild(work: OrderWork, wanted: WantedChild): Promise<boolean> {
  return (await appliedChild(work, wanted)).outcome === 'applied';
}

/** The returned object is complete if something was written; otherwise it is `found`. */
export async function appliedChild(
  work: OrderWork,
  { type, desired, found, check, atomicLists }: WantedChild,
): Promise<Applied<KubeObject>> {
  const { operator, cluster, signal } = work;
  const named = nameOf(type, desired.metadata);
  const child: Child<KubeObject> = {
    type,
    desired,
    live: found.object,
    projected: !found.whole,
    ...defined({ atomicLists }),
    mayTake(live) {
      if (!isTakeable(work, live)) return false;
      check?.(live);
      return true;
    },
  };
  try {
    const applied = await writing(work, `write ${named}`, () =>
      operator.applier.apply(cluster.client, child, { signal }),
    );
    if (applied.outcome === 'deleting')
      throw waiting('Replacing', `${named} is being deleted; waiting for it to be gone.`);
    return applied;
  } catch (error) {
    if (error instanceof NotOurs) throw nameConflict(work, [{ type, name: desired.metadata.name }]);
    throw error;
  }
}

/**
 * For children that are created once and then never changed. An object that appears meanwhile is handled by the next
 * reconcile.
 */
export async function createChild(work: OrderWork, type: ResourceType<KubeObject>, desired: KubeLike): Promise<void> {
  const { cluster, signal } = work;
  const named = nameOf(type, desired.metadata);
  await writing(work, `create ${named}`, async () => {
    try {
      await cluster.client.create(type, desired, { signal });
    } catch (error) {
      if (isKind(error, 'AlreadyExists')) throw nameConflict(work, [{ type, name: desired.metadata.name }]);
      throw error;
    }
  });
}

/**
 * Adds our labels and annotations to an object that AAP created, and changes nothing else. From then on it is in the
 * caches and is deleted with the order.
 */
export async function markChild(work: OrderWork, type: ResourceType<KubeObject>, object: KubeObject): Promise<void> {
  const { identity, cluster, signal } = work;
  const key = { namespace: identity.tenantNamespace, name: object.metadata.name ?? '' };
  const { annotations } = identity.marks;
  const body = { metadata: { ...lockOn(object), labels: childLabels(identity), annotations } };
  await writing(work, `label ${nameOf(type, key)}`, () =>
    cluster.client.patch(type, key, { type: 'merge', body }, { signal }),
  );
}

export function writing<T>({ operator }: OrderWork, what: string, request: () => Promise<T>): Promise<T> {
  return asked(what, operator.config.retries.slow, request);
}

export function nameOf(
  { kind }: ResourceType<KubeObject>,
  key: Pick<ObjectKey, 'namespace'> & { name: string },
): string {
  return `${kind} "${keyOf(key)}"`;
}

function nameConflict({ identity }: OrderWork, places: readonly Omit<ChildPlace, 'cached'>[]): Error {
  const names = places.map(({ type, name }) => nameOf(type, { namespace: identity.tenantNamespace, name }));
  const are = names.length === 1 ? 'exists and is' : 'exist and are';
  const message = `${names.join(', ')} ${are} not part of this order: delete or rename it, or give the order another name. It was left unchanged.`;
  return refused({ reason: 'NameConflict', message }, lookAgainMs);
}
