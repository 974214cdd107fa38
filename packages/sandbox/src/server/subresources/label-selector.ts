/** Applies a LabelSelector of a stored object, which is already validated. */
import { selectsLabels } from '@ssvirt/kube/label-selector';
import type { JsonObject } from '../../values/json.ts';

/** A missing selector matches nothing, an empty one everything. */
export function matchesLabelSelector(
  selector: JsonObject | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  return selector !== undefined && selectsLabels(selector, labels);
}
