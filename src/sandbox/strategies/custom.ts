/** Custom resources: the rules of a CRD's version behind the interface that built-in kinds have too. */
import type { Decoded, Strategy } from '../api/resource.ts';
import { errors, fieldError, type FieldError } from '../api/status.ts';
import { isObject, jsonEqual, type Json, type JsonObject, type KubeObject } from '../json.ts';
import { validateRules } from '../cel/rules.ts';
import { applyDefaults, dropNulls } from '../schema/default.ts';
import { decodeObjectMeta } from '../schema/decode-meta.ts';
import { validateEmbedded } from '../schema/embedded.ts';
import { validateLists } from '../schema/list-type.ts';
import { nameIsDNSSubdomain } from '../schema/names.ts';
import { finalizerWarnings, validateObjectMeta } from '../schema/object-meta.ts';
import { prune } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { unknownField } from '../schema/strict.ts';
import { validate } from '../schema/validate.ts';
import { findJsonPath, parseJsonPath } from '../table/jsonpath.ts';

export interface CustomKind {
  readonly kind: string;
  readonly version: string;
  readonly namespaced: boolean;
  /** The schema with typed metadata, for field ownership and decoding. */
  readonly schema: Schema;
  /** The schema as the CRD has it, for validation. */
  readonly validation: Schema;
  readonly hasStatus: boolean;
  readonly preserveUnknownFields: boolean;
  readonly selectableFields: readonly string[];
}

export function customStrategy(of: CustomKind): Strategy {
  const selectable = of.selectableFields.map((path) => ({ name: path.replace(/^\./, ''), path: parseJsonPath(`{${path}}`) }));
  return {
    decode: (raw, wantComplaints) => decodeCustom(of, raw, wantComplaints),
    prepareForCreate: (object) => {
      if (of.hasStatus) delete object['status'];
      object.metadata.generation = 1;
    },
    prepareForUpdate: (object, old, subresource) => (subresource === 'status' ? takeStatusOnly(object, old) : keepStatus(of, object, old)),
    validate: (object) => [...names(of, object), ...contentProblems(of, object, undefined)],
    validateUpdate: (object, old) => contentProblems(of, object, old),
    warnings: (object, old) => finalizerWarnings(object.metadata, old?.metadata),
    selectableFields: (object) => Object.fromEntries(selectable.map(({ name, path }) => [name, firstText(findJsonPath(path, object))])),
    selectable: new Set(selectable.map(({ name }) => name)),
    gracePeriodSeconds: () => 0,
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: false,
    returnDeletedObject: false,
    resetFields: (subresource) => (subresource === 'status' ? [['metadata'], ['spec']] : of.hasStatus ? [['status']] : []),
  };
}

function firstText(found: readonly Json[]): string {
  const [first] = found;
  return first === undefined || first === null ? '' : typeof first === 'object' ? JSON.stringify(first) : String(first);
}

function decodeCustom(of: CustomKind, raw: JsonObject, wantComplaints: boolean): Decoded {
  const decoded = decodeObjectMeta(raw['metadata'] ?? null);
  if (decoded.error !== undefined) {
    throw errors.badRequest(`${String(raw['kind'])} in version "${of.version}" cannot be handled as a ${of.kind}: ${decoded.error}`);
  }
  const dropped = of.preserveUnknownFields ? [] : prune(raw, of.validation, { resourceRoot: true });
  dropNulls(raw, of.validation);
  applyDefaults(raw, of.validation);
  raw['metadata'] = decoded.meta;
  const complaints = wantComplaints ? [...decoded.unknown.map((path) => unknownField(`metadata.${path}`)), ...dropped.map(unknownField)] : [];
  return { object: raw as KubeObject, complaints };
}

/** A write through the main resource cannot touch the status, and raises the generation when more than metadata changed. */
function keepStatus(of: CustomKind, object: KubeObject, old: KubeObject): void {
  if (of.hasStatus) {
    if (old['status'] !== undefined) object['status'] = structuredClone(old['status']);
    else delete object['status'];
  }
  const { metadata: _, ...now } = object;
  const { metadata: __, ...before } = old;
  if (!jsonEqual(now, before)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** A write through the status subresource touches nothing else. */
function takeStatusOnly(object: KubeObject, old: KubeObject): void {
  const { status } = object;
  const { managedFields } = object.metadata;
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, structuredClone(old));
  if (managedFields === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = managedFields;
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}

function names(of: CustomKind, object: KubeObject): FieldError[] {
  return validateObjectMeta(object.metadata, { namespaced: of.namespaced, nameRule: nameIsDNSSubdomain });
}

function contentProblems(of: CustomKind, object: KubeObject, old: KubeObject | undefined): FieldError[] {
  const problems = validate(of.validation, object, old === undefined ? {} : { old });
  problems.push(...validateEmbedded(of.validation, object));
  if (old === undefined || validateLists(of.validation, old).length === 0) problems.push(...validateLists(of.validation, object));
  if (problems.some(({ type }) => BLOCKING.has(type))) {
    if (hasRules(of.validation)) problems.push(SKIPPED_RULES);
    return problems;
  }
  return [...problems, ...validateRules(of.validation, object, old, '')];
}

/** Rules are not evaluated on values of the wrong form. */
const BLOCKING: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const SKIPPED_RULES = fieldError.invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

const withRules = new WeakMap<Schema, boolean>();

function hasRules(schema: Schema): boolean {
  const known = withRules.get(schema);
  if (known !== undefined) return known;
  withRules.set(schema, false);
  const below = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  const found =
    (schema['x-kubernetes-validations']?.length ?? 0) > 0 || below.some((sub) => typeof sub === 'object' && isObject(sub as Json) && hasRules(sub));
  withRules.set(schema, found);
  return found;
}
