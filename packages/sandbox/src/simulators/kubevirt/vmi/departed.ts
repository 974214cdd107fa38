/**
 * Remembers pods that others deleted without grace. In KubeVirt, such a pod causes two events, so virt-controller sees
 * it in deletion and then gone; a queue of keys shows only the end. The last state of the pod is therefore kept until
 * the VMI's status shows it.
 */
import type { Change } from '@ssvirt/kube/controller/change';
import { controllerOf } from '@ssvirt/kube/reconcile/owners';
import type { Pod } from '../objects.ts';
import { isTerminating } from './pods.ts';

export class Departed {
  /** Keyed by the uid of the VMI. */
  readonly #pods = new Map<string, Pod[]>();

  /** Must be called with every change of a pod. */
  note(change: Change<Pod>, isKnown: (vmiUid: string) => boolean): void {
    if (change.type !== 'deleted') return;
    // A pod that this controller deletes leaves the cache with the call itself, and never shows a deletion timestamp.
    if (!isTerminating(change.object)) return;
    const owner = controllerOf(change.object);
    if (owner?.kind !== 'VirtualMachineInstance' || !isKnown(owner.uid)) return;
    this.#pods.set(owner.uid, [...(this.#pods.get(owner.uid) ?? []), change.object]);
  }

  of(vmiUid: string): readonly Pod[] {
    return this.#pods.get(vmiUid) ?? [];
  }

  /** Called when the VMI's status shows the deletion, or the VMI itself is gone. */
  forget(vmiUid: string): void {
    this.#pods.delete(vmiUid);
  }

  get size(): number {
    return this.#pods.size;
  }
}
