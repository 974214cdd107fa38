import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { JsonObject } from '../../values/json.ts';
import { isQualifiedName } from '../schema/names.ts';
import { quantityAsFloat } from '../schema/quantity.ts';
import { ensureObject, listAt, objectAt, textAt, textMapAt, valueAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';
import {
  compare,
  containerResourceNameErrors,
  isHugePages,
  isNative,
  quantity,
  resourceNameErrors,
} from './values/quantities.ts';

type Amounts = { [name: string]: string };
const STANDARD_TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];

function setDefaults(limit: JsonObject): void {
  if (textAt(limit, 'type') !== 'Container') return;
  const fill = (key: string, ...from: Amounts[]): void => {
    const merged = Object.assign({}, ...from.toReversed(), textMapAt(limit, key)) as Amounts;
    if (Object.keys(merged).length > 0) limit[key] = merged;
  };
  fill('default', textMapAt(limit, 'max'));
  fill('defaultRequest', textMapAt(limit, 'default'), textMapAt(limit, 'min'));
}

function typeErrors(type: string, field: string): FieldError[] {
  const errors = isQualifiedName(type).map((why) => fieldError.invalid(field, type, why));
  if (errors.length > 0 || type.includes('/') || STANDARD_TYPES.includes(type)) return errors;
  return [fieldError.invalid(field, type, 'must be a standard limit type or fully qualified')];
}

function limitErrors(limit: JsonObject, path: string): FieldError[] {
  const type = textAt(limit, 'type');
  const nameErrors = STANDARD_TYPES.slice(0, 2).includes(type) ? containerResourceNameErrors : resourceNameErrors;
  const names = (key: string): FieldError[] =>
    Object.keys(textMapAt(limit, key)).flatMap((name) => nameErrors(name, `${path}.${key}[${name}]`));
  const errors = [...names('max'), ...names('min')];
  for (const key of ['default', 'defaultRequest']) {
    if (type !== 'Pod') errors.push(...names(key));
    else if (objectAt(limit, key) !== undefined) {
      errors.push(fieldError.forbidden(`${path}.${key}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  const bounds = { ...textMapAt(limit, 'min'), ...textMapAt(limit, 'max') };
  if (type === 'PersistentVolumeClaim' && bounds['storage'] === undefined) {
    const why = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(fieldError.required(`${path}.limits`, why));
  }
  errors.push(...names('maxLimitRequestRatio'));
  return [...errors, ...orderErrors(limit, type, path)];
}

/** Minimum ≤ default request ≤ default limit ≤ maximum, per resource. */
function orderErrors(limit: JsonObject, type: string, path: string): FieldError[] {
  const keys = ['max', 'min', ...(type === 'Pod' ? [] : ['default', 'defaultRequest']), 'maxLimitRequestRatio'];
  const of = (key: string): Amounts => (keys.includes(key) ? textMapAt(limit, key) : {});
  const names = new Set(keys.flatMap((key) => Object.keys(of(key))));
  return [...names].flatMap((name) => {
    const errors: FieldError[] = [];
    const [min, max, preset, request] = ['min', 'max', 'default', 'defaultRequest'].map((key) =>
      valueAt(of(key), name),
    );
    const check = (
      small: string | undefined,
      big: string | undefined,
      at: string,
      shown: string | undefined,
      why: string,
    ): void => {
      if (small === undefined || big === undefined || compare(small, big) <= 0) return;
      errors.push(fieldError.invalid(`${path}.${at}[${name}]`, shown, why));
    };
    check(min, max, 'min', min, `min value ${min} is greater than max value ${max}`);
    check(min, request, 'defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
    check(request, max, 'defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
    const overPreset = `default request value ${request} is greater than default limit value ${preset}`;
    check(request, preset, 'defaultRequest', request, overPreset);
    check(min, preset, 'default', min, `min value ${min} is greater than default value ${preset}`);
    check(preset, max, 'default', max, `default value ${preset} is greater than max value ${max}`);
    errors.push(
      ...ratioErrors(valueAt(of('maxLimitRequestRatio'), name), min, max, `${path}.maxLimitRequestRatio[${name}]`),
    );
    const fixed = !isNative(name) || isHugePages(name);
    if (fixed && preset !== undefined && request !== undefined && compare(preset, request) !== 0) {
      const why = `default value ${preset} must equal to defaultRequest value ${request} in ${name}`;
      errors.push(fieldError.invalid(`${path}.defaultRequest[${name}]`, request, why));
    }
    return errors;
  });
}

function ratioErrors(
  ratio: string | undefined,
  min: string | undefined,
  max: string | undefined,
  field: string,
): FieldError[] {
  if (ratio === undefined) return [];
  const errors: FieldError[] = [];
  if (compare(ratio, '1') < 0) errors.push(fieldError.invalid(field, ratio, `ratio ${ratio} is less than 1`));
  if (min === undefined || max === undefined) return errors;
  const limit = quantityAsFloat(quantity(max)) / quantityAsFloat(quantity(min));
  if (quantityAsFloat(quantity(ratio)) > limit) {
    errors.push(fieldError.invalid(field, ratio, `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`));
  }
  return errors;
}

export const limitRange: KindBehaviour = {
  allowCreateOnUpdate: true,
  default: (object) => listAt(ensureObject(object, 'spec'), 'limits').forEach(setDefaults),
  validate(object) {
    const seen = new Set<string>();
    return listAt(objectAt(object, 'spec'), 'limits').flatMap((limit, i) => {
      const path = `spec.limits[${i}]`;
      const type = textAt(limit, 'type');
      const errors = typeErrors(type, `${path}.type`);
      if (seen.has(type)) errors.push(fieldError.duplicate(`${path}.type`, type));
      seen.add(type);
      return [...errors, ...limitErrors(limit, path)];
    });
  },
};
