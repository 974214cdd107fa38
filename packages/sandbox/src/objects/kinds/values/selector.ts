/** Label selectors: their validation, and whether they match a set of labels. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { isQualifiedName, isValidLabelValue } from '../../schema/names.ts';
import { labelErrors } from '../../schema/object-meta.ts';
import { listAt, textAt, textMapAt, textsAt, valueAt } from './fields.ts';

type Labels = { readonly [key: string]: string };

export function selectorErrors(selector: JsonObject | undefined, path: string): FieldError[] {
  if (selector === undefined) return [];
  const errors: FieldError[] = [];
  labelErrors(errors, textMapAt(selector, 'matchLabels'), `${path}.matchLabels`);
  listAt(selector, 'matchExpressions').forEach((requirement, i) => {
    errors.push(...requirementErrors(requirement, `${path}.matchExpressions[${i}]`));
  });
  return errors;
}

function requirementErrors(requirement: JsonObject, path: string): FieldError[] {
  const operator = textAt(requirement, 'operator');
  const values = textsAt(requirement, 'values');
  const key = textAt(requirement, 'key');
  const errors: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be specified when `operator` is 'In' or 'NotIn'";
    if (values.length === 0) errors.push(fieldError.required(`${path}.values`, why));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values.length > 0) errors.push(fieldError.forbidden(`${path}.values`, why));
  } else errors.push(fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  errors.push(...isQualifiedName(key).map((why) => fieldError.invalid(`${path}.key`, key, why)));
  values.forEach((value, i) => {
    errors.push(...isValidLabelValue(value).map((why) => fieldError.invalid(`${path}.values[${i}]`, value, why)));
  });
  return errors;
}

export const isEmptySelector = (selector: JsonObject | undefined): boolean =>
  Object.keys(textMapAt(selector, 'matchLabels')).length + listAt(selector, 'matchExpressions').length === 0;

/** An empty selector matches everything. */
export function selectorMatches(selector: JsonObject | undefined, labels: Labels): boolean {
  const equal = Object.entries(textMapAt(selector, 'matchLabels')).every(
    ([key, value]) => valueAt(labels, key) === value,
  );
  return equal && listAt(selector, 'matchExpressions').every((requirement) => requirementMatches(requirement, labels));
}

function requirementMatches(requirement: JsonObject, labels: Labels): boolean {
  const value = valueAt(labels, textAt(requirement, 'key'));
  const values = textsAt(requirement, 'values');
  switch (textAt(requirement, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
