import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { IMMUTABLE } from './errors.ts';
import { copyField, listAt, objectAt, textAt, textMapAt, textsAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';
import { compare, isStandardQuota, quantityErrors, quotaResourceNameErrors } from './values/quantities.ts';

const COMPUTE = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];
/** The resources that a scope can count; `count/…` and extended resources are not checked. */
const SCOPES: { readonly [scope: string]: readonly string[] } = {
  Terminating: ['pods', ...COMPUTE],
  NotTerminating: ['pods', ...COMPUTE],
  NotBestEffort: ['pods', ...COMPUTE],
  PriorityClass: ['pods', ...COMPUTE],
  CrossNamespacePodAffinity: ['pods', ...COMPUTE],
  BestEffort: ['pods'],
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};
const CONFLICTS: readonly (readonly [string, string])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const EXISTS_ONLY = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const EXISTS_WHY =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function amounts(list: { [name: string]: string }, path: string): FieldError[] {
  return Object.entries(list).flatMap(([name, value]) => {
    const field = `${path}[${name}]`;
    return [...quotaResourceNameErrors(name, field), ...quantityErrors(name, value, field)];
  });
}

/** Resources in `hard` that the scope cannot count. */
function misfits(scope: string, hard: { [name: string]: string }): string[] {
  const counted = Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined;
  if (counted === undefined) return [];
  return Object.keys(hard).filter((name) => isStandardQuota(name) && !counted.includes(name));
}

const conflicts = (scopes: string[]): number =>
  CONFLICTS.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;

function scopeErrors(spec: JsonObject): FieldError[] {
  const scopes = textsAt(spec, 'scopes');
  const hard = textMapAt(spec, 'hard');
  const wrong = (why: string): FieldError => fieldError.invalid('spec.scopes', scopes, why);
  return [
    ...scopes.flatMap((scope) => [
      ...(Object.hasOwn(SCOPES, scope) ? [] : [wrong('unsupported scope')]),
      ...misfits(scope, hard).map(() => wrong('unsupported scope applied to resource')),
    ]),
    ...Array.from({ length: conflicts(scopes) }, () => wrong('conflicting scopes')),
  ];
}

function selectorErrors(spec: JsonObject): FieldError[] {
  const selector = objectAt(spec, 'scopeSelector');
  const path = 'spec.scopeSelector.matchExpressions';
  const requirements = listAt(selector, 'matchExpressions');
  const hard = textMapAt(spec, 'hard');
  const errors = requirements.flatMap((requirement) => {
    const scope = textAt(requirement, 'scopeName');
    const operator = textAt(requirement, 'operator');
    const values = textsAt(requirement, 'values');
    const found: FieldError[] = [];
    if (!Object.hasOwn(SCOPES, scope)) found.push(fieldError.invalid(`${path}.scopeName`, scope, 'unsupported scope'));
    found.push(
      ...misfits(scope, hard).map(() => fieldError.invalid(path, selector, 'unsupported scope applied to resource')),
    );
    if (EXISTS_ONLY.includes(scope) && operator !== 'Exists') {
      found.push(fieldError.invalid(`${path}.operator`, operator, EXISTS_WHY));
    }
    return [...found, ...operatorErrors(operator, values, path)];
  });
  const scopes = requirements.map((requirement) => textAt(requirement, 'scopeName'));
  const pairs = Array.from({ length: conflicts(scopes) }, () =>
    fieldError.invalid(path, textsAt(spec, 'scopes'), 'conflicting scopes'),
  );
  return [...errors, ...pairs];
}

function operatorErrors(operator: string, values: string[], path: string): FieldError[] {
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    return values.length === 0 ? [fieldError.required(`${path}.values`, why)] : [];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    return values.length > 0 ? [fieldError.invalid(`${path}.values`, values, why)] : [];
  }
  return [fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator')];
}

const specErrors = (spec: JsonObject): FieldError[] => [
  ...amounts(textMapAt(spec, 'hard'), 'spec.hard'),
  ...scopeErrors(spec),
  ...selectorErrors(spec),
];

const statusErrors = (object: KubeObject): FieldError[] => {
  const status = objectAt(object, 'status');
  return [...amounts(textMapAt(status, 'hard'), 'status.hard'), ...amounts(textMapAt(status, 'used'), 'status.used')];
};

/** Warns when requests exceed limits. */
function orderWarnings(hard: { [name: string]: string }): string[] {
  return ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => {
    const bare = name !== 'ephemeral-storage' && hard[`requests.${name}`] === undefined;
    const request = bare ? name : `requests.${name}`;
    const limit = `limits.${name}`;
    if (hard[request] === undefined || hard[limit] === undefined || compare(hard[request], hard[limit]) <= 0) return [];
    return [`ResourceQuota ${request} (${hard[request]}) should be less than ${limit} (${hard[limit]})`];
  });
}

export const resourceQuota: KindBehaviour = {
  prepareForCreate(object) {
    object['status'] = {};
  },
  prepareForUpdate(object, old) {
    copyField(object, old, 'status');
  },
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
  },
  validate: (object) => [...specErrors(objectAt(object, 'spec') ?? {}), ...statusErrors(object)],
  validateUpdate(object, old) {
    const spec = objectAt(object, 'spec') ?? {};
    const scopes = textsAt(spec, 'scopes');
    const before = new Set(textsAt(objectAt(old, 'spec'), 'scopes'));
    const same = before.size === new Set(scopes).size && scopes.every((scope) => before.has(scope));
    return [...specErrors(spec), ...(same ? [] : [fieldError.invalid('spec.scopes', scopes, IMMUTABLE)])];
  },
  validateStatusUpdate: statusErrors,
  warnings: (object, old) => (old === undefined ? orderWarnings(textMapAt(objectAt(object, 'spec'), 'hard')) : []),
};
