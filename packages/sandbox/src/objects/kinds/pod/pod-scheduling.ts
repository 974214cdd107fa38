/** Validation of pod placement: affinity, tolerations, topology spread. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue } from '../../schema/names.ts';
import { oneOf } from '../errors.ts';
import { isSet, listAt, numberAt, objectAt, textAt, textsAt } from '../values/fields.ts';
import { selectorErrors } from '../values/selector.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const labelName = (name: string, field: string): FieldError[] =>
  isQualifiedName(name).map((why) => fieldError.invalid(field, name, why));

/** @param anyValue Whether values of required node labels may be any text, as they may be in preferences. */
export function affinityErrors(affinity: JsonObject | undefined, path: string, anyValue = false): FieldError[] {
  const nodes = objectAt(affinity, 'nodeAffinity');
  const required = objectAt(nodes, REQUIRED);
  return [
    ...(required === undefined ? [] : nodeSelectorErrors(required, `${path}.nodeAffinity.${REQUIRED}`, anyValue)),
    ...listAt(nodes, PREFERRED).flatMap((term, i) => {
      const at = `${path}.nodeAffinity.${PREFERRED}[${i}]`;
      return [
        ...weightErrors(term, at),
        ...nodeTermErrors(objectAt(term, 'preference') ?? {}, true, `${at}.preference`),
      ];
    }),
    ...podAffinityErrors(objectAt(affinity, 'podAffinity'), `${path}.podAffinity`),
    ...podAffinityErrors(objectAt(affinity, 'podAntiAffinity'), `${path}.podAntiAffinity`),
  ];
}

function weightErrors(term: JsonObject, path: string): FieldError[] {
  const weight = numberAt(term, 'weight');
  return weight < 1 || weight > 100 ? [fieldError.invalid(`${path}.weight`, weight, 'must be in the range 1-100')] : [];
}

export function nodeSelectorErrors(selector: JsonObject, path: string, anyValue = false): FieldError[] {
  const terms = listAt(selector, 'nodeSelectorTerms');
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [fieldError.required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, i) => nodeTermErrors(term, anyValue, `${at}[${i}]`));
}

function nodeTermErrors(term: JsonObject, anyValue: boolean, path: string): FieldError[] {
  return [
    ...listAt(term, 'matchExpressions').flatMap((requirement, i) =>
      requirementErrors(requirement, anyValue, `${path}.matchExpressions[${i}]`),
    ),
    ...listAt(term, 'matchFields').flatMap((requirement, i) => fieldErrors(requirement, `${path}.matchFields[${i}]`)),
  ];
}

function requirementErrors(requirement: JsonObject, anyValue: boolean, path: string): FieldError[] {
  const operator = textAt(requirement, 'operator');
  const values = textsAt(requirement, 'values');
  const errors = operatorErrors(operator, values, path);
  errors.push(...labelName(textAt(requirement, 'key'), `${path}.key`));
  if (anyValue) return errors;
  values.forEach((value, i) => {
    errors.push(...isValidLabelValue(value).map((why) => fieldError.invalid(`${path}.values[${i}]`, value, why)));
  });
  return errors;
}

function operatorErrors(operator: string, values: string[], path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [fieldError.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        fieldError.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      ];
    case 'Gt':
    case 'Lt':
      if (values.length === 1) return [];
      return [fieldError.required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

function fieldErrors(requirement: JsonObject, path: string): FieldError[] {
  const operator = textAt(requirement, 'operator');
  const values = textsAt(requirement, 'values');
  const key = textAt(requirement, 'key');
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(fieldError.required(`${path}.values`, why));
  }
  if (key !== 'metadata.name')
    return [...errors, fieldError.invalid(`${path}.key`, key, 'not a valid field selector key')];
  values.forEach((value, i) => {
    errors.push(...isDNS1123Subdomain(value).map((why) => fieldError.invalid(`${path}.values[${i}]`, value, why)));
  });
  return errors;
}

function podAffinityErrors(affinity: JsonObject | undefined, path: string): FieldError[] {
  return [
    ...listAt(affinity, REQUIRED).flatMap((term, i) => podTermErrors(term, `${path}.${REQUIRED}[${i}]`)),
    ...listAt(affinity, PREFERRED).flatMap((term, i) => {
      const at = `${path}.${PREFERRED}[${i}]`;
      return [
        ...weightErrors(term, at),
        ...podTermErrors(objectAt(term, 'podAffinityTerm') ?? {}, `${at}.podAffinityTerm`),
      ];
    }),
  ];
}

function podTermErrors(term: JsonObject, path: string): FieldError[] {
  const key = textAt(term, 'topologyKey');
  return [
    ...selectorErrors(objectAt(term, 'labelSelector'), `${path}.labelSelector`),
    ...selectorErrors(objectAt(term, 'namespaceSelector'), `${path}.namespaceSelector`),
    ...textsAt(term, 'namespaces').flatMap((name) =>
      isDNS1123Label(name).map((why) => fieldError.invalid(`${path}.namespace`, name, why)),
    ),
    ...(key === '' ? [fieldError.required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...labelName(key, `${path}.topologyKey`),
  ];
}

export function tolerationErrors(tolerations: JsonObject[], path: string): FieldError[] {
  return tolerations.flatMap((toleration, i) => {
    const at = `${path}[${i}]`;
    const key = textAt(toleration, 'key');
    const operator = textAt(toleration, 'operator');
    const value = textAt(toleration, 'value');
    const effect = textAt(toleration, 'effect');
    const errors = key === '' ? [] : labelName(key, `${at}.key`);
    if (key === '' && operator !== 'Exists') {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(fieldError.invalid(`${at}.operator`, operator, why));
    }
    if (isSet(toleration, 'tolerationSeconds') && effect !== 'NoExecute') {
      const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(fieldError.invalid(`${at}.effect`, effect, why));
    }
    errors.push(...tolerationOperator(operator, value, at));
    return [...errors, ...oneOf(toleration, 'effect', at, EFFECTS, false)];
  });
}

function tolerationOperator(operator: string, value: string, path: string): FieldError[] {
  const field = `${path}.operator`;
  if (operator === 'Exists') {
    return value === '' ? [] : [fieldError.invalid(field, value, "value must be empty when `operator` is 'Exists'")];
  }
  if (operator !== '' && operator !== 'Equal') return [fieldError.notSupported(field, operator, ['Equal', 'Exists'])];
  const why = isValidLabelValue(value);
  return why.length === 0 ? [] : [fieldError.invalid(field, value, why.join(';'))];
}

export function spreadErrors(constraints: JsonObject[], path: string): FieldError[] {
  return constraints.flatMap((constraint, i) => {
    const at = `${path}[${i}]`;
    const skew = numberAt(constraint, 'maxSkew');
    const key = textAt(constraint, 'topologyKey');
    const action = textAt(constraint, 'whenUnsatisfiable');
    const errors: FieldError[] = [];
    if (skew <= 0) errors.push(fieldError.invalid(`${at}.maxSkew`, skew, 'must be greater than zero'));
    if (key === '') errors.push(fieldError.required(`${at}.topologyKey`, 'can not be empty'));
    if (action !== 'DoNotSchedule' && action !== 'ScheduleAnyway') {
      errors.push(fieldError.notSupported(`${at}.whenUnsatisfiable`, action, ['DoNotSchedule', 'ScheduleAnyway']));
    }
    const same = (other: JsonObject): boolean =>
      textAt(other, 'topologyKey') === key && textAt(other, 'whenUnsatisfiable') === action;
    if (constraints.slice(i + 1).some(same)) {
      errors.push(fieldError.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${key}, ${action}}`));
    }
    return [...errors, ...selectorErrors(objectAt(constraint, 'labelSelector'), `${at}.labelSelector`)];
  });
}

export function taintErrors(taints: JsonObject[], path: string): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, i) => {
    const at = `${path}[${i}]`;
    const key = textAt(taint, 'key');
    const value = textAt(taint, 'value');
    const effect = textAt(taint, 'effect');
    const errors = labelName(key, `${at}.key`);
    const wrong = isValidLabelValue(value);
    if (wrong.length > 0) errors.push(fieldError.invalid(`${at}.value`, value, wrong.join(';')));
    errors.push(...oneOf(taint, 'effect', at, EFFECTS));
    if (seen.has(`${key}\n${effect}`)) {
      const shown = { Key: key, Value: value, Effect: effect, TimeAdded: taint['timeAdded'] ?? null };
      const duplicate = fieldError.duplicate(at, shown);
      errors.push({ ...duplicate, detail: `${duplicate.detail}: taints must be unique by key and effect pair` });
    }
    seen.add(`${key}\n${effect}`);
    return errors;
  });
}
