/** Requests in the form of objects, which are answered but not stored: access reviews, bindings, evictions. */
import { errors as answers, fieldError } from '../../server/api/status.ts';
import type { FieldError, StatusError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { isSet, objectAt, textAt, textsAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';

const ONE_OF = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

function attributeErrors(spec: JsonObject): FieldError[] {
  const other = objectAt(spec, 'nonResourceAttributes');
  const resource = isSet(spec, 'resourceAttributes');
  if (resource && other !== undefined) {
    const shown = { Path: textAt(other, 'path'), Verb: textAt(other, 'verb') };
    const why = 'cannot be specified in combination with resourceAttributes';
    return [fieldError.invalid('spec.nonResourceAttributes', shown, why)];
  }
  return resource || other !== undefined ? [] : [fieldError.invalid('spec.resourceAttributes', null, ONE_OF)];
}

function userErrors(spec: JsonObject): FieldError[] {
  const named = textAt(spec, 'user') !== '' || textsAt(spec, 'groups').length > 0;
  return named ? [] : [fieldError.invalid('spec.user', '', 'at least one of user or group must be specified')];
}

function metadataErrors(object: KubeObject, why: string, ...allowed: string[]): FieldError[] {
  const ignored = ['managedFields', 'creationTimestamp', 'uid', ...allowed];
  const extra = Object.keys(object.metadata).filter((key) => !ignored.includes(key) && isSet(object.metadata, key));
  return extra.length === 0 ? [] : [fieldError.invalid('metadata', object.metadata, why)];
}

const specOf = (object: KubeObject): JsonObject => objectAt(object, 'spec') ?? {};

export const subjectAccessReview: KindBehaviour = {
  validate: (object) => [
    ...attributeErrors(specOf(object)),
    ...userErrors(specOf(object)),
    ...metadataErrors(object, 'must be empty'),
  ],
};

export const selfSubjectAccessReview: KindBehaviour = {
  validate: (object) => [...attributeErrors(specOf(object)), ...metadataErrors(object, 'must be empty')],
};

export const localSubjectAccessReview: KindBehaviour = {
  validate(object) {
    const spec = specOf(object);
    const errors = [
      ...attributeErrors(spec),
      ...userErrors(spec),
      ...metadataErrors(object, 'must be empty except for namespace', 'namespace'),
    ];
    const resource = objectAt(spec, 'resourceAttributes');
    const namespace = textAt(resource, 'namespace');
    if (resource !== undefined && namespace !== (object.metadata.namespace ?? '')) {
      errors.push(fieldError.invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
    }
    const other = objectAt(spec, 'nonResourceAttributes');
    if (other !== undefined) {
      const shown = { Path: textAt(other, 'path'), Verb: textAt(other, 'verb') };
      errors.push(fieldError.invalid('spec.nonResourceAttributes', shown, 'disallowed on this kind of request'));
    }
    return errors;
  },
};

/** `invalidReview` returns the error for an invalid review: unlike for other kinds, it does not contain the kind. */
export function invalidReview(group: string, list: readonly FieldError[]): StatusError {
  const named = answers.invalid(group, '', '', list);
  if (named.details !== undefined) delete named.details['kind'];
  return named;
}

/** Only pods can be bound, and only to nodes. */
export const binding: KindBehaviour = {
  validate(object) {
    const target = objectAt(object, 'target');
    const kind = textAt(target, 'kind');
    const errors: FieldError[] = [];
    if (kind !== '' && kind !== 'Node') errors.push(fieldError.notSupported('target.kind', kind, ['Node', '<empty>']));
    if (textAt(target, 'name') === '') errors.push(fieldError.required('target.name', ''));
    return errors;
  },
};
