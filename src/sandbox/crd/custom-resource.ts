/** Custom resources on their way in: decoded and defaulted, prepared for a write, and validated. CEL rules come last. */
import { fieldError } from '../api/status.ts';
import type { FieldError } from '../api/status.ts';
import { jsonEqual } from '../json.ts';
import type { JsonObject, KubeObject } from '../json.ts';
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
 * Takes a client's object over, changing it in place: metadata decoded, unknown fields dropped, defaults filled in.
 * `complaints` are those of strict field validation, without duplicate fields; `error` is the decoder's refusal.
 */
export function decodeCustomResource(resource: CustomResource, raw: JsonObject): DecodedResource {
  const given = raw['metadata'];
  const meta = given === undefined ? undefined : decodeObjectMeta(given);
  if (meta?.error !== undefined) return { error: meta.error };
  const unknown = meta === undefined ? [] : meta.unknown.map((field) => `metadata.${field}`);
  // An object of another kind passes undecoded: validation will refuse it.
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

/** A stored object as the current schema shows it; what does not fit is dropped, never refused. Changes it in place. */
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

/** Any change besides metadata is a new generation; `status` is not changed here where it has a path of its own. */
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

/** The stored object with the new status; only managedFields are taken from the new metadata as well. */
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

/** Only the status is validated, by its own schema. */
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

/** Lists that were wrong before may stay wrong. */
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

/** For schemas with CEL rules: adds what they find; with errors that would confuse them, the server says that it did not look. */
export function withRuleErrors(errors: readonly FieldError[], rules: () => readonly FieldError[]): FieldError[] {
  if (!errors.some(({ type }) => blocking.has(type))) return [...errors, ...rules()];
  const text =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...errors, fieldError.invalid('<nil>', null, text)];
}
