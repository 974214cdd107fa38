/** Validating and mutating webhook configurations. */
import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { jsonEqual } from '../../values/json.ts';
import { isDNS1035Label, isDNS1123Subdomain, isQualifiedName } from '../schema/names.ts';
import { webhookServiceErrors, webhookUrlErrors } from '../schema/webhook-client.ts';
import { oneOf } from './errors.ts';
import { ensureObject, isSet, listAt, numberAt, objectAt, setDefault, textAt, textsAt } from './values/fields.ts';
import { keepGeneration, raiseGeneration } from './values/generation.ts';
import type { KindBehaviour } from './kind.ts';
import { selectorErrors } from './values/selector.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

function setDefaults(mutating: boolean): (object: KubeObject) => void {
  return (object) => {
    for (const hook of listAt(object, 'webhooks')) {
      setDefault(hook, 'failurePolicy', 'Fail');
      setDefault(hook, 'matchPolicy', 'Equivalent');
      for (const key of ['namespaceSelector', 'objectSelector']) if (!isSet(hook, key)) hook[key] = {};
      if (!isSet(hook, 'timeoutSeconds')) hook['timeoutSeconds'] = 10;
      if (mutating) setDefault(hook, 'reinvocationPolicy', 'Never');
      for (const rule of listAt(hook, 'rules')) setDefault(rule, 'scope', '*');
      const service = objectAt(ensureObject(hook, 'clientConfig'), 'service');
      if (service !== undefined && !isSet(service, 'port')) service['port'] = 443;
    }
  };
}

function nameErrors(name: string, field: string): FieldError[] {
  if (name === '') return [fieldError.required(field, '')];
  const errors = isDNS1123Subdomain(name);
  if (errors.length > 0) return [fieldError.invalid(field, name, errors.join(','))];
  const why = 'should be a domain with at least three segments separated by dots';
  return name.split('.').length < 3 ? [fieldError.invalid(field, name, why)] : [];
}

function wildcardErrors(values: string[], field: string, what: string): FieldError[] {
  if (values.length === 0) return [fieldError.required(field, '')];
  const mixed = values.length > 1 && values.includes('*');
  return mixed ? [fieldError.invalid(field, values, `if '*' is present, must not specify other ${what}`)] : [];
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const operations = textsAt(rule, 'operations');
  const versions = textsAt(rule, 'apiVersions');
  return [
    ...wildcardErrors(operations, `${path}.operations`, 'operations'),
    ...operations.flatMap((operation, i) =>
      OPERATIONS.includes(operation)
        ? []
        : [fieldError.notSupported(`${path}.operations[${i}]`, operation, OPERATIONS)],
    ),
    ...wildcardErrors(textsAt(rule, 'apiGroups'), `${path}.apiGroups`, 'API groups'),
    ...wildcardErrors(versions, `${path}.apiVersions`, 'API versions'),
    ...versions.flatMap((version, i) => (version === '' ? [fieldError.required(`${path}.apiVersions[${i}]`, '')] : [])),
    ...resourcesErrors(textsAt(rule, 'resources'), `${path}.resources`),
    ...oneOf(rule, 'scope', path, ['*', 'Cluster', 'Namespaced'], false),
  ];
}

function resourcesErrors(resources: string[], path: string): FieldError[] {
  const errors = resources.length === 0 ? [fieldError.required(path, '')] : [];
  const allOf = new Set<string>();
  const everywhere = new Set<string>();
  resources.forEach((resource, i) => {
    if (resource === '') errors.push(fieldError.required(`${path}[${i}]`, ''));
    const [name = '', sub] = resource.split(/\/(.*)/s);
    if (sub === undefined) return;
    const clash = (pattern: string): void => {
      const why = `if '${pattern}' is present, must not specify ${resource}`;
      errors.push(fieldError.invalid(`${path}[${i}]`, resource, why));
    };
    if (allOf.has(name)) clash(`${name}/*`);
    if (everywhere.has(sub)) clash(`*/${sub}`);
    if (sub === '*') allOf.add(name);
    if (name === '*') everywhere.add(sub);
  });
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(fieldError.invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && resources.some((resource) => resource !== '*' && !resource.includes('/'))) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(fieldError.invalid(path, resources, why));
  }
  return errors;
}

function clientErrors(hook: JsonObject, path: string): FieldError[] {
  const config = objectAt(hook, 'clientConfig');
  const url = config?.['url'];
  const service = objectAt(config, 'service');
  if ((typeof url === 'string') === (service !== undefined)) {
    return [fieldError.required(path, 'exactly one of url or service is required')];
  }
  return typeof url === 'string'
    ? webhookUrlErrors(url, `${path}.url`)
    : serviceErrors(service ?? {}, `${path}.service`);
}

/** Kubernetes confuses name and namespace here: it reports the other field. */
function serviceErrors(service: JsonObject, path: string): FieldError[] {
  const [name, namespace] = [textAt(service, 'namespace'), textAt(service, 'name')];
  return webhookServiceErrors(
    { name, namespace, port: numberAt(service, 'port'), path: textAt(service, 'path') },
    path,
  );
}

function conditionErrors(hook: JsonObject, path: string): FieldError[] {
  const conditions = listAt(hook, 'matchConditions');
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  if (conditions.length > 64) errors.push(fieldError.tooMany(path, conditions.length, 64));
  conditions.forEach((condition, i) => {
    const name = textAt(condition, 'name');
    if (textAt(condition, 'expression').trim() === '') errors.push(fieldError.required(`${path}[${i}].expression`, ''));
    if (name === '') errors.push(fieldError.required(`${path}[${i}].name`, ''));
    else errors.push(...isQualifiedName(name).map((why) => fieldError.invalid(`${path}[${i}].name`, name, why)));
    if (name !== '' && seen.has(name)) errors.push(fieldError.duplicate(`${path}[${i}].name`, name));
    seen.add(name);
  });
  return errors;
}

function hookErrors(hook: JsonObject, path: string): FieldError[] {
  const effects = ['None', 'NoneOnDryRun'];
  const timeout = numberAt(hook, 'timeoutSeconds');
  const errors = [
    ...nameErrors(textAt(hook, 'name'), `${path}.name`),
    ...listAt(hook, 'rules').flatMap((rule, i) => ruleErrors(rule, `${path}.rules[${i}]`)),
    ...oneOf(hook, 'failurePolicy', path, ['Fail', 'Ignore'], false),
    ...oneOf(hook, 'matchPolicy', path, ['Equivalent', 'Exact'], false),
  ];
  if (isSet(hook, 'sideEffects')) errors.push(...oneOf(hook, 'sideEffects', path, effects, false));
  else errors.push(fieldError.required(`${path}.sideEffects`, `must specify one of ${effects.join(', ')}`));
  if (timeout < 1 || timeout > 30) {
    const why = 'the timeout value must be between 1 and 30 seconds';
    errors.push(fieldError.invalid(`${path}.timeoutSeconds`, timeout, why));
  }
  for (const key of ['namespaceSelector', 'objectSelector'])
    errors.push(...selectorErrors(objectAt(hook, key), `${path}.${key}`));
  errors.push(...oneOf(hook, 'reinvocationPolicy', path, ['IfNeeded', 'Never'], false));
  return [
    ...errors,
    ...clientErrors(hook, `${path}.clientConfig`),
    ...conditionErrors(hook, `${path}.matchConditions`),
  ];
}

function versionErrors(versions: string[], path: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(path, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)];
  const errors = versions.flatMap((version, i) => {
    if (versions.indexOf(version) < i) return [fieldError.invalid(`${path}[${i}]`, version, 'duplicate version')];
    return isDNS1035Label(version).map((why) => fieldError.invalid(`${path}[${i}]`, version, why));
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors;
  return [...errors, fieldError.invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`)];
}

function validate(object: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return listAt(object, 'webhooks').flatMap((hook, i) => {
    const path = `webhooks[${i}]`;
    const name = textAt(hook, 'name');
    const errors = [
      ...hookErrors(hook, path),
      ...versionErrors(textsAt(hook, 'admissionReviewVersions'), `${path}.admissionReviewVersions`),
    ];
    if (name !== '' && seen.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
    seen.add(name);
    return errors;
  });
}

const configuration = (mutating: boolean): KindBehaviour => ({
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  default: setDefaults(mutating),
  prepareForUpdate(object, old) {
    if (jsonEqual(object['webhooks'], old['webhooks'])) keepGeneration(object, old);
    else raiseGeneration(object, old);
  },
  validate,
});

export const validatingWebhookConfiguration: KindBehaviour = configuration(false);
export const mutatingWebhookConfiguration: KindBehaviour = configuration(true);
