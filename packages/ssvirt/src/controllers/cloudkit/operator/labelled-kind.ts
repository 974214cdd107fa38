/**
 * `LabelledKind` caches the objects of one kind that belong to orders: those with the label that we and older AAP roles
 * set, and those that newer roles create with only their own label. A label selector has no "or", so these are two
 * watches. An object that is adopted moves from the second to the first.
 */
import type { Informer, Projected, Projection } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { ChangeHandler } from '@ssvirt/kube/controller/handlers';
import type { Source } from '@ssvirt/kube/controller/source';
import type { KubeObject, ObjectKey } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { labels } from '../../../kubevirt/order/resource.ts';
import { ServedKind } from '@ssvirt/kube/controller/served-kind';
import { childrenOf, withParents } from '../parents.ts';

export class LabelledKind<P extends Projected> {
  readonly #ours: ServedKind<P>;
  readonly #others: ServedKind<P>;

  constructor(cluster: Cluster, type: ResourceType<KubeObject>, projection: Projection<KubeObject, P>) {
    const open = (labelSelector: string) => (): Informer<P> =>
      // A consistent read: an outdated list would show objects as gone that are not.
      withParents(cluster.informers.informer(type, { labelSelector, projection, consistent: true }));
    this.#ours = new ServedKind(cluster, type, open(labels.order));
    this.#others = new ServedKind(cluster, type, open(`${labels.instance},!${labels.order}`));
  }

  /** False if the cluster does not serve the kind. */
  get isServed(): boolean {
    return this.#ours.informer !== undefined;
  }

  get(key: ObjectKey): P | undefined {
    return this.#ours.informer?.get(key) ?? this.#others.informer?.get(key);
  }

  /**
   * The objects that carry the labels of an order. Returns none once the kind was removed from the cluster, whatever
   * was known before.
   */
  childrenOf(uid: string): readonly P[] {
    return [this.#ours, this.#others].flatMap(({ informer }) =>
      informer === undefined || informer.health().trouble === 'absent' ? [] : childrenOf(informer, uid),
    );
  }

  sources(handler: ChangeHandler<P>): readonly Source[] {
    return [this.#ours.source(handler), this.#others.source(handler)];
  }
}
