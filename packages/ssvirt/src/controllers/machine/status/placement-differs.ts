/** `setPlacementDiffers` sets or removes the condition without the rest of the status, while the cluster is silent. */
import { defined } from '@ssvirt/base/values/defined';
import type { Conditions } from '@ssvirt/kube/reconcile/conditions';
import { annotations, conditions as types } from '../../../kubevirt/machine/resource.ts';
import { placementDiffers } from '../../../kubevirt/machine/status.ts';
import type { Machine } from '../machine-types.ts';

export function setPlacementDiffers(conditions: Conditions, { metadata, status }: Machine): void {
  const annotated = metadata.annotations?.[annotations.kubevirtConfig];
  const [found] = placementDiffers(defined({ annotated, kubevirtConfigRef: status?.kubevirtConfigRef }));
  if (found !== undefined) conditions.set(found.type, found.status, found.reason, found.message);
  else if (conditions.get(types.placementDiffers) !== undefined) conditions.drop(types.placementDiffers);
}
