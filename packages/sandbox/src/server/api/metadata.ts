/** Metadata rules that apply to every kind, in addition to the kind's own. */
import type { ObjectMeta } from '../../values/json.ts';
import { nameIsPathSegment } from '../../objects/schema/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../objects/schema/object-meta.ts';
import type { Resource } from './resource.ts';
import type { FieldError } from './status.ts';

export function metadataProblems(resource: Resource, meta: ObjectMeta): FieldError[] {
  return validateObjectMeta(meta, { namespaced: resource.namespaced, nameRule: nameIsPathSegment });
}

export function metadataUpdateProblems(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  return validateObjectMetaUpdate(meta, old);
}
