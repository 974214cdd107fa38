/** A LabelSelector as objects carry it: matchLabels and matchExpressions. */
import { isObject, type JsonObject } from '../json.ts';

/** No selector matches nothing, an empty one everything. */
export function matchesLabelSelector(
  selector: JsonObject | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (selector === undefined) return false;
  const exact = isObject(selector['matchLabels']) ? Object.entries(selector['matchLabels']) : [];
  const expressions = Array.isArray(selector['matchExpressions']) ? selector['matchExpressions'].filter(isObject) : [];
  return (
    exact.every(([key, value]) => labels[key] === value) &&
    expressions.every((expression) => matches(expression, labels))
  );
}

function matches(expression: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[String(expression['key'])];
  const values = Array.isArray(expression['values']) ? expression['values'].map(String) : [];
  switch (expression['operator']) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
