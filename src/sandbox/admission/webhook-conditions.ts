/** matchConditions: CEL expressions that must all hold before a webhook is called. */
import type { JsonObject } from '../json.ts';

export interface Conditions {
  /** False: the webhook is skipped. A text: an error of evaluation, which the policy does not let pass. */
  match(object: JsonObject | undefined, oldObject: JsonObject | undefined, request: JsonObject): boolean | string;
}

export function compileConditions(_conditions: readonly JsonObject[], _ignoreFailure: boolean): Conditions {
  return { match: () => true };
}
