/**
 * What stands there for orders, of one kind: under the label that we and older roles of AAP set, and what newer roles have made under theirs alone. A selector
 * knows no "or", so these are two watches; an object that is taken over moves from the second to the first.
 */
import type { Informer, Projected, Projection } from '../../kube/cache/informer.ts';
import type { Cluster } from '../../kube/cluster.ts';
import type { ChangeHandler } from '../../kube/controller/handlers.ts';
import type { Source } from '../../kube/controller/source.ts';
import type { KubeObject, ObjectKey } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { labels } from '../../virt/order/resource.ts';
import { ServedKind } from '../../kube/controller/served-kind.ts';
import { childrenOf, withParents } from './parents.ts';

export class LabelledKind<P extends Projected> {
  readonly #ours: ServedKind<P>;
  readonly #others: ServedKind<P>;

  constructor(cluster: Cluster, type: ResourceType<KubeObject>, projection: Projection<KubeObject, P>) {
    const open = (labelSelector: string) => (): Informer<P> =>
      // Who concludes that something is gone must not believe an old list.
      withParents(cluster.informers.informer(type, { labelSelector, projection, consistent: true }));
    this.#ours = new ServedKind(cluster, type, open(labels.order));
    this.#others = new ServedKind(cluster, type, open(`${labels.instance},!${labels.order}`));
  }

  /** False where the cluster does not know the kind. */
  get isServed(): boolean {
    return this.#ours.informer !== undefined;
  }

  get(key: ObjectKey): P | undefined {
    return this.#ours.informer?.get(key) ?? this.#others.informer?.get(key);
  }

  /** What bears the marks of an order. A kind that was taken out of the cluster has nothing, whatever was last known of it. */
  childrenOf(uid: string): readonly P[] {
    return [this.#ours, this.#others].flatMap(({ informer }) =>
      informer === undefined || informer.health().trouble === 'absent' ? [] : childrenOf(informer, uid),
    );
  }

  sources(handler: ChangeHandler<P>): readonly Source[] {
    return [this.#ours.source(handler), this.#others.source(handler)];
  }
}
