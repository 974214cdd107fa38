/** Finds the children of an order by their labels, whatever their names. */
import type { Informer, Projected } from '@ssvirt/kube/informer/informer';
import { parentUidOf } from '@ssvirt/kube/reconcile/owners';

const byParent = 'parent uid';

export function withParents<P extends Projected>(informer: Informer<P>): Informer<P> {
  informer.addIndex(byParent, ({ metadata }) => {
    const uid = parentUidOf(metadata);
    return uid === undefined ? [] : [uid];
  });
  return informer;
}

export function childrenOf<P extends Projected>(informer: Pick<Informer<P>, 'byIndex'>, uid: string): readonly P[] {
  return informer.byIndex(byParent, uid);
}
