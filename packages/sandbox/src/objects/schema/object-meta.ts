/** The validation of `metadata` that all kinds share, on create and on update. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { jsonEqual } from '../../values/json.ts';
import type { Json, ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../../values/json.ts';
import { goQuote } from './go/go-text.ts';
import { isQualifiedName, isValidLabelValue, nameIsDNSLabel } from './names.ts';
import type { NameRule } from './names.ts';

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly nameRule: NameRule;
}

const immutable = 'field is immutable';
const annotationsLimit = 256 * 1024;

/** A generated name must already be set. */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules, path = 'metadata'): FieldError[] {
  const errors: FieldError[] = [];
  const generateName = meta.generateName ?? '';
  const name = meta.name ?? '';
  if (generateName !== '') {
    invalidEach(errors, `${path}.generateName`, generateName, rules.nameRule(generateName, true));
  }
  if (name === '') errors.push(fieldError.required(`${path}.name`, 'name or generateName is required'));
  else invalidEach(errors, `${path}.name`, name, rules.nameRule(name, false));
  namespaceErrors(errors, meta.namespace ?? '', rules.namespaced, path);
  if ((meta.generation ?? 0) < 0) {
    errors.push(fieldError.invalid(`${path}.generation`, meta.generation, 'must be greater than or equal to 0'));
  }
  sharedErrors(errors, meta, path, () => finalizerErrors(errors, meta.finalizers ?? [], `${path}.finalizers`));
  return errors;
}

export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta, path = 'metadata'): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    noNewFinalizers(errors, meta.finalizers ?? [], old.finalizers ?? [], `${path}.finalizers`);
  }
  if ((meta.resourceVersion ?? '') === '') {
    errors.push(fieldError.invalid(`${path}.resourceVersion`, '', 'must be specified for an update'));
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(fieldError.invalid(`${path}.generation`, meta.generation ?? 0, 'must not be decremented'));
  }
  for (const field of ['name', 'namespace', 'uid'] as const) {
    if ((meta[field] ?? '') !== (old[field] ?? '')) {
      errors.push(fieldError.invalid(`${path}.${field}`, meta[field] ?? '', immutable));
    }
  }
  for (const field of ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if ((meta[field] ?? null) !== (old[field] ?? null)) {
      errors.push(fieldError.invalid(`${path}.${field}`, meta[field] ?? null, immutable));
    }
  }
  sharedErrors(errors, meta, path, () => undefined);
  return errors;
}

/** For custom resources, finalizers without a domain cause a warning. */
export function finalizerWarnings(meta: ObjectMeta, old: ObjectMeta | undefined): string[] {
  const known = new Set(old?.finalizers ?? []);
  const added = [...new Set(meta.finalizers ?? [])].filter((name) => !known.has(name)).toSorted();
  return added.flatMap((name) => {
    const warnings = isQualifiedName(name).map((message) => `metadata.finalizers: ${goQuote(name)}: ${message}`);
    if (!name.includes('/') && !standardFinalizers.has(name)) {
      const path = name.includes('.') ? ' including a path (/)' : '';
      warnings.push(
        `metadata.finalizers: ${goQuote(name)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
      );
    }
    return warnings;
  });
}

const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

function sharedErrors(errors: FieldError[], meta: ObjectMeta, path: string, finalizers: () => void): void {
  if (meta.labels !== undefined) labelErrors(errors, meta.labels, `${path}.labels`);
  if (meta.annotations !== undefined) annotationErrors(errors, meta.annotations, `${path}.annotations`);
  if (meta.ownerReferences !== undefined) ownerErrors(errors, meta.ownerReferences, `${path}.ownerReferences`);
  finalizers();
  if (meta.managedFields !== undefined) managedFieldsErrors(errors, meta.managedFields, `${path}.managedFields`);
}

function invalidEach(errors: FieldError[], field: string, value: Json, messages: readonly string[]): void {
  for (const message of messages) errors.push(fieldError.invalid(field, value, message));
}

function namespaceErrors(errors: FieldError[], namespace: string, namespaced: boolean, path: string): void {
  const field = `${path}.namespace`;
  if (!namespaced) {
    if (namespace !== '') errors.push(fieldError.forbidden(field, 'not allowed on this type'));
  } else if (namespace === '') errors.push(fieldError.required(field, ''));
  else invalidEach(errors, field, namespace, nameIsDNSLabel(namespace, false));
}

export function labelErrors(errors: FieldError[], labels: { [key: string]: string }, path: string): void {
  for (const key of Object.keys(labels)) {
    const value = labels[key] ?? '';
    invalidEach(errors, path, key, isQualifiedName(key));
    invalidEach(errors, path, value, isValidLabelValue(value));
  }
}

export function annotationErrors(errors: FieldError[], annotations: { [key: string]: string }, path: string): void {
  let size = 0;
  for (const key of Object.keys(annotations)) {
    // The case of an annotation's key is ignored.
    invalidEach(errors, path, key, isQualifiedName(key.toLowerCase()));
    size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
  }
  if (size > annotationsLimit) errors.push(fieldError.tooLong(path, annotationsLimit));
}

function ownerErrors(errors: FieldError[], owners: readonly OwnerReference[], path: string): void {
  let controller = '';
  for (const owner of owners) {
    ownerReferenceErrors(errors, owner, path);
    if (owner.controller !== true) continue;
    const name = `${owner.kind}/${owner.name}`;
    if (controller === '') {
      controller = name;
      continue;
    }
    errors.push(
      fieldError.invalid(
        path,
        owners.map(inGoOrder),
        `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
      ),
    );
  }
}

function ownerReferenceErrors(errors: FieldError[], owner: OwnerReference, path: string): void {
  const apiVersion = owner.apiVersion ?? '';
  if (versionOf(apiVersion) === '') {
    errors.push(fieldError.invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
  }
  for (const field of ['kind', 'name', 'uid'] as const) {
    if ((owner[field] ?? '') === '') errors.push(fieldError.invalid(`${path}.${field}`, '', 'must not be empty'));
  }
  if (apiVersion === 'v1' && owner.kind === 'Event') {
    errors.push(fieldError.invalid(path, inGoOrder(owner), '/v1, Kind=Event is disallowed from being an owner'));
  }
}

/** The version of `group/version`; empty for an invalid apiVersion. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : (parts.at(-1) ?? '');
}

function inGoOrder(owner: OwnerReference): Json {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.name,
    uid: owner.uid,
    ...(owner.controller === undefined ? {} : { controller: owner.controller }),
    ...(owner.blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion: owner.blockOwnerDeletion }),
  };
}

function finalizerErrors(errors: FieldError[], finalizers: readonly string[], path: string): void {
  for (const name of finalizers) invalidEach(errors, path, name, isQualifiedName(name));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(
      fieldError.invalid(path, [...finalizers], 'finalizer orphan and foregroundDeletion cannot be both set'),
    );
  }
}

function noNewFinalizers(
  errors: FieldError[],
  finalizers: readonly string[],
  old: readonly string[],
  path: string,
): void {
  const extra = [...new Set(finalizers)].filter((name) => !old.includes(name)).toSorted();
  if (extra.length === 0) return;
  const shown = `[]string{${extra.map(goQuote).join(', ')}}`;
  errors.push(
    fieldError.forbidden(
      path,
      `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`,
    ),
  );
}

function managedFieldsErrors(errors: FieldError[], entries: readonly ManagedFieldsEntry[], path: string): void {
  entries.forEach((entry, i) => {
    const at = `${path}[${i}]`;
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
      errors.push(fieldError.invalid(`${at}.operation`, entry.operation ?? '', 'must be `Apply` or `Update`'));
    }
    if ((entry.fieldsType ?? '') !== '' && entry.fieldsType !== 'FieldsV1') {
      errors.push(fieldError.invalid(`${at}.fieldsType`, entry.fieldsType, 'must be `FieldsV1`'));
    }
    fieldManagerErrors(errors, entry.manager ?? '', `${at}.manager`);
    if (Buffer.byteLength(entry.subresource ?? '') > 256) errors.push(fieldError.tooLong(`${at}.subresource`, 256));
  });
}

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

function fieldManagerErrors(errors: FieldError[], manager: string, path: string): void {
  if (Buffer.byteLength(manager) > 128) errors.push(fieldError.tooLong(path, 128));
  let position = 0;
  for (const char of manager) {
    if (!printable.test(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(fieldError.invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(char);
  }
}

export function validateImmutableField(value: Json | undefined, old: Json | undefined, field: string): FieldError[] {
  return jsonEqual(value, old) ? [] : [fieldError.invalid(field, value, immutable)];
}
