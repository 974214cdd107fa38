/** Roles and bindings: stored and validated; the sandbox does not evaluate them. */
import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { jsonEqual } from '../../values/json.ts';
import { isPathSegmentName } from '../schema/names.ts';
import { subdomain } from './errors.ts';
import { ensureObject, listAt, objectAt, setDefault, textAt, textsAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';
import { selectorErrors } from './values/selector.ts';

const GROUP = 'rbac.authorization.k8s.io';
const SUBJECTS = ['ServiceAccount', 'User', 'Group'];

function ruleErrors(rule: JsonObject, namespaced: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const has = (key: string): boolean => textsAt(rule, key).length > 0;
  if (!has('verbs')) errors.push(fieldError.required(`${path}.verbs`, 'verbs must contain at least one value'));
  if (has('nonResourceURLs')) {
    const wrong = (why: string): void => {
      errors.push(fieldError.invalid(`${path}.nonResourceURLs`, rule['nonResourceURLs'], why));
    };
    if (namespaced) wrong('namespaced rules cannot apply to non-resource URLs');
    const resources = has('apiGroups') || has('resources') || has('resourceNames');
    if (resources) wrong('rules cannot apply to both regular resources and non-resource URLs');
    return errors;
  }
  if (!has('apiGroups'))
    errors.push(fieldError.required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  if (!has('resources'))
    errors.push(fieldError.required(`${path}.resources`, 'resource rules must supply at least one resource'));
  return errors;
}

const rulesErrors = (object: KubeObject, namespaced: boolean): FieldError[] =>
  listAt(object, 'rules').flatMap((rule, i) => ruleErrors(rule, namespaced, `rules[${i}]`));

export const role: KindBehaviour = {
  nameRule: 'pathSegment',
  allowCreateOnUpdate: true,
  validate: (object) => rulesErrors(object, true),
};

export const clusterRole: KindBehaviour = {
  nameRule: 'pathSegment',
  allowCreateOnUpdate: true,
  validate(object) {
    const errors = rulesErrors(object, false);
    const aggregation = objectAt(object, 'aggregationRule');
    if (aggregation === undefined) return errors;
    const path = 'aggregationRule.clusterRoleSelectors';
    const selectors = listAt(aggregation, 'clusterRoleSelectors');
    const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    if (selectors.length === 0) errors.push(fieldError.required(path, why));
    return [...errors, ...selectors.flatMap((selector, i) => selectorErrors(selector, `${path}[${i}]`))];
  },
};

function defaultBinding(binding: KubeObject): void {
  const ref = ensureObject(binding, 'roleRef');
  if (textAt(ref, 'apiGroup') === '') ref['apiGroup'] = GROUP;
  for (const subject of listAt(binding, 'subjects')) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') setDefault(subject, 'apiGroup', GROUP);
  }
}

function subjectErrors(subject: JsonObject, namespaced: boolean, path: string): FieldError[] {
  const name = textAt(subject, 'name');
  const group = textAt(subject, 'apiGroup');
  const kind = textAt(subject, 'kind');
  const errors = name === '' ? [fieldError.required(`${path}.name`, '')] : [];
  if (kind === 'ServiceAccount') {
    if (name !== '') errors.push(...subdomain(name, `${path}.name`));
    if (group !== '') errors.push(fieldError.notSupported(`${path}.apiGroup`, group, ['']));
    if (!namespaced && textAt(subject, 'namespace') === '') errors.push(fieldError.required(`${path}.namespace`, ''));
    return errors;
  }
  if (!SUBJECTS.includes(kind)) return [...errors, fieldError.notSupported(`${path}.kind`, kind, SUBJECTS)];
  return group === GROUP ? errors : [...errors, fieldError.notSupported(`${path}.apiGroup`, group, [GROUP])];
}

function bindingErrors(binding: KubeObject, namespaced: boolean): FieldError[] {
  const ref = objectAt(binding, 'roleRef') ?? {};
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const name = textAt(ref, 'name');
  const errors: FieldError[] = [];
  if (ref['apiGroup'] !== GROUP) errors.push(fieldError.notSupported('roleRef.apiGroup', ref['apiGroup'], [GROUP]));
  if (!kinds.includes(textAt(ref, 'kind')))
    errors.push(fieldError.notSupported('roleRef.kind', textAt(ref, 'kind'), kinds));
  if (name === '') errors.push(fieldError.required('roleRef.name', ''));
  else errors.push(...isPathSegmentName(name).map((why) => fieldError.invalid('roleRef.name', name, why)));
  listAt(binding, 'subjects').forEach((subject, i) =>
    errors.push(...subjectErrors(subject, namespaced, `subjects[${i}]`)),
  );
  return errors;
}

const binding = (namespaced: boolean): KindBehaviour => ({
  nameRule: 'pathSegment',
  allowCreateOnUpdate: true,
  default: defaultBinding,
  validate: (object) => bindingErrors(object, namespaced),
  validateUpdate(object, old) {
    const errors = bindingErrors(object, namespaced);
    if (jsonEqual(object['roleRef'], old['roleRef'])) return errors;
    const ref = objectAt(object, 'roleRef');
    const shown = { APIGroup: textAt(ref, 'apiGroup'), Kind: textAt(ref, 'kind'), Name: textAt(ref, 'name') };
    return [...errors, fieldError.invalid('roleRef', shown, 'cannot change roleRef')];
  },
});

export const roleBinding: KindBehaviour = binding(true);
export const clusterRoleBinding: KindBehaviour = binding(false);
