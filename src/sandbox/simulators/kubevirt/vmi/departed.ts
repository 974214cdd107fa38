/**
 * Pods that others deleted at once. virt-controller sees a pod that is being deleted first, and the pod gone then, since both are events of their
 * own; a queue of keys shows the end alone. So the last sight of such a pod is kept until its VMI has been told.
 */
import type { Change } from '../../../../kube/controller/change.ts';
import { controllerOf } from '../../../../kube/reconcile/owners.ts';
import type { Pod } from '../objects.ts';
import { isTerminating } from './pods.ts';

export class Departed {
  /** By the uid of the VMI. */
  readonly #pods = new Map<string, Pod[]>();

  /** To be called with every change of a pod. */
  note(change: Change<Pod>, isKnown: (vmiUid: string) => boolean): void {
    if (change.type !== 'deleted') return;
    // What we delete ourselves leaves the cache with our own call, and was never seen on its way.
    if (!isTerminating(change.object)) return;
    const owner = controllerOf(change.object);
    if (owner?.kind !== 'VirtualMachineInstance' || !isKnown(owner.uid)) return;
    this.#pods.set(owner.uid, [...(this.#pods.get(owner.uid) ?? []), change.object]);
  }

  of(vmiUid: string): readonly Pod[] {
    return this.#pods.get(vmiUid) ?? [];
  }

  /** Its VMI has been told, or is gone itself. */
  forget(vmiUid: string): void {
    this.#pods.delete(vmiUid);
  }

  get size(): number {
    return this.#pods.size;
  }
}
