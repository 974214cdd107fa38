/** OpenShift's validation of templates and their instances beyond the schema, with its messages. */
import { fieldError, type FieldError } from '../../server/api/status.ts';
import {
  isObject,
  jsonEqual,
  type Json,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
} from '../../values/json.ts';
import { nameIsDNSSubdomain } from '../../objects/schema/names.ts';
import { validateObjectMeta } from '../../objects/schema/object-meta.ts';

const PARAMETER_NAME = /^[a-zA-Z0-9_]+$/;

export function parameterProblems(template: JsonObject, path = ''): FieldError[] {
  const parameters = Array.isArray(template['parameters']) ? template['parameters'] : [];
  return parameters.flatMap((parameter, i) => {
    const name = isObject(parameter) ? text(parameter['name']) : '';
    const field = `${path}parameters[${i}].name`;
    if (name === '') return [fieldError.required(field, '')];
    return PARAMETER_NAME.test(name)
      ? []
      : [fieldError.invalid(field, name, `does not match ${PARAMETER_NAME.source}`)];
  });
}

export function instanceProblems(instance: KubeObject): FieldError[] {
  const spec = isObject(instance['spec']) ? instance['spec'] : {};
  return [...templateProblems(spec['template']), ...secretProblems(spec['secret']), ...requesterProblems(spec)];
}

/** The name and the namespace of the embedded template are optional, but must be valid if present. */
function templateProblems(template: Json | undefined): FieldError[] {
  if (!isObject(template)) return [];
  const given: ObjectMeta = isObject(template['metadata']) ? template['metadata'] : {};
  const meta = { ...given, name: text(given.name) || 'dummy', namespace: text(given.namespace) || 'dummy' };
  const rules = { namespaced: true, nameRule: nameIsDNSSubdomain };
  return [
    ...validateObjectMeta(meta, rules, 'spec.template.metadata'),
    ...parameterProblems(template, 'spec.template.'),
  ];
}

function secretProblems(secret: Json | undefined): FieldError[] {
  if (!isObject(secret)) return [];
  const name = text(secret['name']);
  if (name === '') return [fieldError.required('spec.secret.name', '')];
  return nameIsDNSSubdomain(name, false).map((why) => fieldError.invalid('spec.secret.name', name, why));
}

function requesterProblems({ requester }: JsonObject): FieldError[] {
  if (!isObject(requester)) return [fieldError.required('spec.requester', '')];
  return text(requester['username']) === '' ? [fieldError.required('spec.requester.username', '')] : [];
}

export function instanceUpdateProblems(instance: KubeObject, old: KubeObject): FieldError[] {
  return jsonEqual(instance['spec'], old['spec']) ? [] : [fieldError.forbidden('spec', 'field is immutable')];
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
