/** Writes of custom resources: decoding and defaulting, preparation, and validation. CEL rules run last. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { jsonEqual } from '../../values/json.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { decodeObjectMeta, salvageObjectMeta } from '../schema/decode-meta.ts';
import { applyDefaults, dropNulls } from '../schema/default.ts';
import { validateEmbedded } from '../schema/embedded.ts';
import { validateLists } from '../schema/list-type.ts';
import { nameIsDNSSubdomain } from '../schema/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../schema/object-meta.ts';
import { prune } from '../schema/prune.ts';
import { unknownField } from '../schema/strict.ts';
import { validate } from '../schema/validate.ts';
import { coerceMetadata } from './metadata.ts';
import type { CustomResource } from './resource.ts';
import { scaleSpecErrors, scaleStatusErrors } from './scale.ts';

export type DecodedResource =
  | { readonly object: KubeObject; readonly complaints: readonly string[]; readonly error?: undefined }
  | { readonly error: string };

/**
 * Decodes a client's object in place: decodes metadata, drops unknown fields, fills in defaults. `complaints` are those
 * of strict field validation, without duplicate fields; `error` is the decoder's error.
 */
export function decodeCustomResource(resource: CustomResource, raw: JsonObject): DecodedResource {
  const given = raw['metadata'];
  const meta = given === undefined ? undefined : decodeObjectMeta(given);
  if (meta?.error !== undefined) return { error: meta.error };
  const unknown = meta === undefined ? [] : meta.unknown.map((field) => `metadata.${field}`);
  // An object of another kind is not decoded, because validation will reject it.
  if (raw['kind'] === resource.kind) {
    unknown.push(...prune(raw, resource.validation, { resourceRoot: true }));
    dropNulls(raw, resource.validation);
    const coerced = coerceMetadata(raw, resource.validation);
    if (coerced.error !== undefined) return { error: `${coerced.error.field}: ${coerced.error.detail}` };
    unknown.push(...coerced.unknown);
  }
  raw['metadata'] = meta?.meta ?? {};
  if (raw['kind'] === resource.kind) applyDefaults(raw, resource.validation);
  return { object: raw as KubeObject, complaints: unknown.map(unknownField) };
}

/** `readStored` adapts a stored object to the current schema, in place. Values that do not match are dropped and never rejected. */
export function readStored(resource: CustomResource, object: KubeObject): KubeObject {
  const meta = decodeObjectMeta(object.metadata);
  prune(object, resource.validation, { resourceRoot: true });
  dropNulls(object, resource.validation);
  coerceMetadata(object, resource.validation, { dropInvalid: true });
  object.metadata = meta.error === undefined ? meta.meta : salvageObjectMeta(object.metadata);
  object.metadata.generation ??= 1;
  applyDefaults(object, resource.validation);
  return object;
}

export function prepareResourceForCreate(resource: CustomResource, object: KubeObject): void {
  if (resource.subresources.status) delete object['status'];
  object.metadata.generation = 1;
}

/** Any change outside metadata increments the generation. With a status subresource, `status` is not changed here. */
export function prepareResourceForUpdate(resource: CustomResource, object: KubeObject, old: KubeObject): void {
  if (resource.subresources.status) keepStatus(object, old);
  const { metadata: _, ...content } = object;
  const { metadata: __, ...before } = old;
  const changed = !jsonEqual(content, before);
  object.metadata.generation = (old.metadata.generation ?? 0) + (changed ? 1 : 0);
}

function keepStatus(object: KubeObject, old: KubeObject): void {
  if (old['status'] === undefined) delete object['status'];
  else object['status'] = old['status'];
}

/** `prepareResourceForStatusUpdate` returns the stored object with the new status. Of the new metadata, only managedFields are used. */
export function prepareResourceForStatusUpdate(object: KubeObject, old: KubeObject): void {
  const { status, metadata } = object as KubeObject & { status?: KubeObject['spec'] };
  for (const key of Object.keys(object)) if (key !== 'status') delete object[key];
  for (const key of Object.keys(old)) if (key !== 'status' && key !== 'metadata') object[key] = old[key];
  object.metadata = { ...old.metadata };
  if (metadata.managedFields === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = metadata.managedFields;
  if (status === undefined) delete object['status'];
}

export function validateResource(resource: CustomResource, object: KubeObject): FieldError[] {
  const typeErrors = typeMetaErrors(resource, object);
  const { validation, namespaced, subresources } = resource;
  const own =
    typeErrors.length > 0
      ? typeErrors
      : [
          ...validateObjectMeta(object.metadata, { namespaced, nameRule: nameIsDNSSubdomain }),
          ...validate(validation, object),
          ...scaleSpecErrors(subresources.scale, object),
          ...scaleStatusErrors(subresources.scale, object),
        ];
  return [...own, ...validateEmbedded(validation, object), ...validateLists(validation, object)];
}

export function validateResourceUpdate(resource: CustomResource, object: KubeObject, old: KubeObject): FieldError[] {
  const typeErrors = typeMetaErrors(resource, object);
  const { validation, subresources } = resource;
  const own =
    typeErrors.length > 0
      ? typeErrors
      : [
          ...validateObjectMetaUpdate(object.metadata, old.metadata),
          ...validate(validation, object, { old }),
          ...scaleSpecErrors(subresources.scale, object),
          ...scaleStatusErrors(subresources.scale, object),
        ];
  return [...own, ...validateEmbedded(validation, object), ...newListErrors(resource, object, old)];
}

/** `validateResourceStatusUpdate` validates only the status, by its own schema. */
export function validateResourceStatusUpdate(
  resource: CustomResource,
  object: KubeObject,
  old: KubeObject,
): FieldError[] {
  const typeErrors = typeMetaErrors(resource, object);
  const status = object['status'];
  const statusSchema = resource.validation.properties?.['status'];
  const own =
    typeErrors.length > 0
      ? typeErrors
      : [
          ...validateObjectMetaUpdate(object.metadata, old.metadata),
          ...(status === undefined || statusSchema === undefined
            ? []
            : validate(statusSchema, status, { old: old['status'], fieldPath: 'status' })),
          ...scaleStatusErrors(resource.subresources.scale, object),
        ];
  return [...own, ...newListErrors(resource, object, old)];
}

/** Lists that were invalid before may stay invalid. */
function newListErrors({ validation }: CustomResource, object: KubeObject, old: KubeObject): FieldError[] {
  const errors = validateLists(validation, object);
  return errors.length > 0 && validateLists(validation, old).length > 0 ? [] : errors;
}

function typeMetaErrors(resource: CustomResource, object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  if (object.kind !== resource.kind) {
    errors.push(fieldError.invalid('kind', object.kind, `must be ${resource.kind}`));
  }
  if (object.apiVersion !== resource.apiVersion) {
    errors.push(fieldError.invalid('apiVersion', object.apiVersion, `must be ${resource.apiVersion}`));
  }
  return errors;
}

const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * Adds the errors of CEL rules. With errors that would make rules fail for the wrong reason, the server instead reports
 * that it skipped the rules.
 */
export function withRuleErrors(errors: readonly FieldError[], rules: () => readonly FieldError[]): FieldError[] {
  if (!errors.some(({ type }) => blocking.has(type))) return [...errors, ...rules()];
  const text =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...errors, fieldError.invalid('<nil>', null, text)];
}
