/**
 * `setDeleting` reports a deletion that is not finished. The conditions of the parts are removed: they describe a
 * Machine that is kept as declared, and nothing updates them any more.
 */
import type { Conditions } from '@ssvirt/kube/reconcile/conditions';
import { conditions as types } from '../../../kubevirt/machine/resource.ts';

export function setDeleting(conditions: Conditions, why: { readonly reason: string; readonly message: string }): void {
  for (const type of Object.values(types)) if (conditions.get(type) !== undefined) conditions.drop(type);
  conditions.set(types.ready, 'False', why.reason, why.message);
  conditions.set(types.deleting, 'True', why.reason, why.message);
}
