/** Validates a definition on create and update, with the server's texts and order. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { jsonEqual } from '../../values/json.ts';
import { effectiveFormat } from '../schema/formats/formats.ts';
import { goQuote } from '../schema/go/go-text.ts';
import { isDNS1035Label, isDNS1123Subdomain, nameIsDNSSubdomain } from '../schema/names.ts';
import { validateImmutableField, validateObjectMeta, validateObjectMetaUpdate } from '../schema/object-meta.ts';
import type { Schema } from '../schema/schema.ts';
import { approvalAnnotation, approvalOf, isProtectedGroup } from './approval.ts';
import { conversionErrors, hasRecognisedVersion } from './conversion-rules.ts';
import { goVersions, internalSpec } from './internal.ts';
import type { InternalSpec, SharedFields } from './internal.ts';
import { hasDefaults } from '../schema/default.ts';
import { nameErrors, requiredNames } from './name-rules.ts';
import { hasCondition, schemaOf } from './types.ts';
import type { CustomResourceDefinition, DefinitionVersion, SchemaProps } from './types.ts';
import { columnErrors, deprecationErrors, selectableErrors, subresourceErrors } from './version-rules.ts';
import { versionSchemaErrors } from './version-schema.ts';
import { walk } from './walk.ts';

/** `validateDefinition` requires defaults and the prepared status. */
export function validateDefinition(crd: CustomResourceDefinition): FieldError[] {
  const required = `${crd.spec.names?.plural ?? ''}.${crd.spec.group ?? ''}`;
  const nameRule = (name: string, prefix: boolean): readonly string[] => {
    const problems = nameIsDNSSubdomain(name, prefix);
    return name === required ? problems : [...problems, 'must be spec.names.plural+"."+spec.group'];
  };
  return [
    ...validateObjectMeta(crd.metadata, { namespaced: false, nameRule }),
    ...specErrors(crd, undefined),
    ...statusErrors(crd),
    ...approvalErrors(crd, undefined),
    ...preserveErrors(crd, undefined),
  ];
}

export function validateDefinitionUpdate(crd: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const established = hasCondition(old, 'Established');
  return [
    ...validateObjectMetaUpdate(crd.metadata, old.metadata),
    ...specErrors(crd, old),
    ...(established ? validateImmutableField(crd.spec.scope, old.spec.scope, 'spec.scope') : []),
    ...(established ? validateImmutableField(crd.spec.names.kind, old.spec.names.kind, 'spec.names.kind') : []),
    ...validateImmutableField(crd.spec.group, old.spec.group, 'spec.group'),
    ...validateImmutableField(crd.spec.names.plural, old.spec.names.plural, 'spec.names.plural'),
    ...statusErrors(crd),
    ...approvalErrors(crd, old),
    ...preserveErrors(crd, old),
  ];
}

export function validateDefinitionStatusUpdate(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
): FieldError[] {
  return [
    ...validateObjectMetaUpdate(crd.metadata, old.metadata),
    ...nameErrors(crd.status?.acceptedNames ?? {}, 'status.acceptedNames'),
  ];
}

/** Formats that the server ignores cause a warning, but only when they are new. */
export function definitionWarnings(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined): string[] {
  const known = new Set(old === undefined ? [] : unknownFormats(old));
  return unknownFormats(crd)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}

function unknownFormats(crd: CustomResourceDefinition): string[] {
  const { shared, versions } = internalSpec(crd);
  return [shared, ...versions].flatMap((holder) => {
    const schema = schemaOf(holder);
    if (schema === undefined) return [];
    return [...walk(schema)].flatMap(({ type = '', format = '' }) =>
      format === '' || effectiveFormat(type, format) !== undefined ? [] : [format],
    );
  });
}

function specErrors(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  const { spec } = crd;
  const internal = internalSpec(crd);
  const errors = [...groupErrors(spec.group ?? ''), ...scopeErrors(spec.scope ?? ''), ...missingSchemas(internal)];
  const anyStatus = (spec.versions ?? []).some((version) => version.subresources?.status !== undefined);
  internal.versions.forEach((version, i) => {
    const path = `spec.versions[${i}]`;
    const problems = isDNS1035Label(version.name ?? '');
    if (problems.length > 0) errors.push(fieldError.invalid(`${path}.name`, version.name ?? '', problems.join(',')));
    const subresources = version.subresources ?? internal.shared.subresources;
    errors.push(
      ...deprecationErrors(version, path),
      ...versionSchemaErrors(version, `${path}.schema`, {
        status: subresources?.status !== undefined,
        unchanged: hasSameSchema(version.name, crd, old),
      }),
      ...partErrors(version, schemaOf(version), path, tooManyAllowed(version.name, crd, old)),
    );
  });
  errors.push(...versionListErrors(internal), ...firstVersionErrors(internal), ...requiredNames(spec.names ?? {}));
  errors.push(...nameErrors(spec.names ?? {}, 'spec.names'));
  const first = internal.versions[0]?.name ?? '';
  const unchanged = hasSameSchema(first, crd, old);
  errors.push(...versionSchemaErrors(internal.shared, 'spec.validation', { status: anyStatus, unchanged }));
  errors.push(...partErrors(internal.shared, schemaOf(internal.shared), 'spec', tooManyAllowed(first, crd, old)));
  const strict = old === undefined || hasRecognisedVersion(old.spec.conversion);
  return [...errors, ...conversionErrors(spec.conversion, 'spec.conversion', strict)];
}

function groupErrors(group: string): FieldError[] {
  if (group === '') return [fieldError.required('spec.group', '')];
  const problems = isDNS1123Subdomain(group);
  if (problems.length > 0) return [fieldError.invalid('spec.group', group, problems.join(','))];
  return group.includes('.')
    ? []
    : [fieldError.invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeErrors(scope: string): FieldError[] {
  if (scope === '') return [fieldError.required('spec.scope', '')];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [fieldError.notSupported('spec.scope', scope, scopes)];
}

function missingSchemas({ shared, versions }: InternalSpec): FieldError[] {
  if (schemaOf(shared) !== undefined) return [];
  return versions.flatMap((version, i) =>
    schemaOf(version) === undefined ? [fieldError.required(`spec.versions[${i}].schema.openAPIV3Schema`, '')] : [],
  );
}

function partErrors(
  part: SharedFields | DefinitionVersion,
  schema: SchemaProps | undefined,
  path: string,
  allowTooMany: boolean,
): FieldError[] {
  const { additionalPrinterColumns = [], selectableFields = [] } = part;
  const columns = additionalPrinterColumns.flatMap((column, i) =>
    columnErrors(column, `${path}.additionalPrinterColumns[${i}]`),
  );
  const selectable =
    selectableFields.length === 0
      ? []
      : selectableErrors(selectableFields, schema ?? {}, `${path}.selectableFields`, allowTooMany);
  return [...subresourceErrors(part.subresources, `${path}.subresources`), ...columns, ...selectable];
}

const versionOf = (crd: CustomResourceDefinition | undefined, name: string): DefinitionVersion | undefined =>
  (crd?.spec.versions ?? []).find((version) => version.name === name);

function tooManyAllowed(
  version: string,
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): boolean {
  if (old === undefined) return false;
  return jsonEqual(versionOf(crd, version)?.selectableFields, versionOf(old, version)?.selectableFields);
}

function hasSameSchema(
  version: string,
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): boolean {
  const [now, before] = [versionOf(crd, version), versionOf(old, version)];
  return now !== undefined && before !== undefined && jsonEqual(now.schema, before.schema);
}

function versionListErrors({ versions }: InternalSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (new Set(versions.map(({ name }) => name)).size !== versions.length) {
    errors.push(fieldError.invalid('spec.versions', goVersions(versions), 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const text = 'must have exactly one version marked as storage version';
    errors.push(fieldError.invalid('spec.versions', goVersions(versions), text));
  }
  return errors;
}

/** The server stores the first version's name in a separate field and validates it there again. */
function firstVersionErrors({ versions }: InternalSpec): FieldError[] {
  const name = versions[0]?.name ?? '';
  const problems = name === '' ? [] : isDNS1035Label(name);
  return problems.length === 0 ? [] : [fieldError.invalid('spec.version', name, problems.join(','))];
}

function statusErrors(crd: CustomResourceDefinition): FieldError[] {
  const errors = nameErrors(crd.status?.acceptedNames ?? {}, 'status.acceptedNames');
  const stored = crd.status?.storedVersions ?? [];
  const field = 'status.storedVersions';
  if (stored.length === 0) {
    return [...errors, fieldError.invalid(field, null, 'must have at least one stored version')];
  }
  const names = new Set((crd.spec.versions ?? []).map(({ name }) => name));
  for (const version of crd.spec.versions ?? []) {
    if (version.storage && !stored.includes(version.name)) {
      errors.push(fieldError.invalid(field, [...stored], `must have the storage version ${version.name}`));
    }
  }
  stored.forEach((name, i) => {
    if (names.has(name)) return;
    const text = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(fieldError.invalid(`${field}[${i}]`, name, text));
  });
  return errors;
}

function approvalErrors(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  if (!isProtectedGroup(crd.spec.group ?? '')) return [];
  const { state, reason } = approvalOf(crd.metadata.annotations);
  if (old !== undefined && approvalOf(old.metadata.annotations).state === state) return [];
  const field = `metadata.annotations[${approvalAnnotation}]`;
  if (state === 'Missing') return [fieldError.required(field, reason)];
  if (state !== 'Invalid') return [];
  return [fieldError.invalid(field, crd.metadata.annotations?.[approvalAnnotation] ?? '', reason)];
}

function preserveErrors(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  if (crd.spec.preserveUnknownFields !== true || old?.spec.preserveUnknownFields === true) return [];
  const text =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  const withDefaults = (crd.spec.versions ?? []).some((version) => hasDefaults((schemaOf(version) ?? {}) as Schema));
  const noDefaults = 'must be false in order to use defaults in the schema';
  return [
    ...(withDefaults ? [fieldError.invalid('spec.preserveUnknownFields', true, noDefaults)] : []),
    fieldError.invalid('spec.preserveUnknownFields', true, text),
  ];
}
