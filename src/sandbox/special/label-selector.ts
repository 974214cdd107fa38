/** A LabelSelector as the objects of the API carry it. They were checked on their way in. */
import { selectsLabels } from '../../kube/label-selector.ts';
import type { JsonObject } from '../json.ts';

/** No selector matches nothing, an empty one everything. */
export function matchesLabelSelector(
  selector: JsonObject | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  return selector !== undefined && selectsLabels(selector, labels);
}
