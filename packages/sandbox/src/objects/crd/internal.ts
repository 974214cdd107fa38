/**
 * The server's internal form of a definition, which its error texts show: the fields that all versions share are at the
 * top (`spec.validation`, not `spec.versions[0].schema`), and values are printed with Go's field names.
 */
import { isObject, jsonEqual } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { sortKeys } from '../schema/go/go-text.ts';
import type {
  CustomResourceDefinition,
  DefinitionVersion,
  PrinterColumn,
  SelectableField,
  Subresources,
} from './types.ts';

export interface SharedFields {
  schema?: { openAPIV3Schema?: JsonObject };
  subresources?: Subresources;
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: SelectableField[];
}

export interface InternalSpec {
  readonly shared: SharedFields;
  /** Without the shared fields. */
  readonly versions: readonly DefinitionVersion[];
}

const sharable = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

export function internalSpec(crd: CustomResourceDefinition): InternalSpec {
  const versions = (crd.spec.versions ?? []).map((version) => ({ ...version }));
  const first = versions[0];
  const shared: SharedFields = {};
  if (first === undefined) return { shared, versions };
  for (const key of sharable) {
    const value = first[key];
    if (!versions.every((version) => jsonEqual(version[key], value))) continue;
    if (value !== undefined) Object.assign(shared, { [key]: value });
    for (const version of versions) delete version[key];
  }
  return { shared, versions };
}

/**
 * How a Go field without a JSON name is printed: its name, its key in our form, and a function that prints the value.
 */
type GoField = readonly [name: string, key: string, print: (value: Json | undefined) => Json];

const orNull = (value: Json | undefined): Json => value ?? null;
const orEmpty = (value: Json | undefined): Json => value ?? '';
const orFalse = (value: Json | undefined): Json => value ?? false;
const orZero = (value: Json | undefined): Json => value ?? 0;
const anyValue = (value: Json | undefined): Json => (value === undefined ? null : sortKeys(value));
const listOf =
  (print: (value: Json | undefined) => Json) =>
  (value: Json | undefined): Json =>
    Array.isArray(value) ? value.map(print) : null;
const structOf =
  (fields: () => readonly GoField[]) =>
  (value: Json | undefined): Json =>
    isObject(value)
      ? Object.fromEntries(fields().map(([name, key, print]) => [name, print(value[key] ?? undefined)]))
      : null;

const schemaProps = structOf(() => schemaFields);
const schemaMap = (value: Json | undefined): Json =>
  isObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .toSorted()
          .map((key) => [key, schemaProps(value[key])]),
      )
    : null;
const schemaOrBool = (value: Json | undefined): Json => {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? { Allows: value, Schema: null } : { Allows: true, Schema: schemaProps(value) };
};
const schemaOrArray = (value: Json | undefined): Json => {
  if (value === undefined) return null;
  return Array.isArray(value)
    ? { Schema: null, JSONSchemas: value.map(schemaProps) }
    : { Schema: schemaProps(value), JSONSchemas: null };
};
const dependencies = (value: Json | undefined): Json =>
  isObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .toSorted()
          .map((key) => {
            const each = value[key];
            return [
              key,
              Array.isArray(each) ? { Schema: null, Property: each } : { Schema: schemaProps(each), Property: null },
            ];
          }),
      )
    : null;

const ruleFields: readonly GoField[] = [
  ['Rule', 'rule', orEmpty],
  ['Message', 'message', orEmpty],
  ['MessageExpression', 'messageExpression', orEmpty],
  ['Reason', 'reason', orNull],
  ['FieldPath', 'fieldPath', orEmpty],
  ['OptionalOldSelf', 'optionalOldSelf', orNull],
];

const schemaFields: readonly GoField[] = [
  ['ID', 'id', orEmpty],
  ['Schema', '$schema', orEmpty],
  ['Ref', '$ref', orNull],
  ['Description', 'description', orEmpty],
  ['Type', 'type', orEmpty],
  ['Nullable', 'nullable', orFalse],
  ['Format', 'format', orEmpty],
  ['Title', 'title', orEmpty],
  ['Default', 'default', anyValue],
  ['Maximum', 'maximum', orNull],
  ['ExclusiveMaximum', 'exclusiveMaximum', orFalse],
  ['Minimum', 'minimum', orNull],
  ['ExclusiveMinimum', 'exclusiveMinimum', orFalse],
  ['MaxLength', 'maxLength', orNull],
  ['MinLength', 'minLength', orNull],
  ['Pattern', 'pattern', orEmpty],
  ['MaxItems', 'maxItems', orNull],
  ['MinItems', 'minItems', orNull],
  ['UniqueItems', 'uniqueItems', orFalse],
  ['MultipleOf', 'multipleOf', orNull],
  ['Enum', 'enum', anyValue],
  ['MaxProperties', 'maxProperties', orNull],
  ['MinProperties', 'minProperties', orNull],
  ['Required', 'required', orNull],
  ['Items', 'items', schemaOrArray],
  ['AllOf', 'allOf', listOf(schemaProps)],
  ['OneOf', 'oneOf', listOf(schemaProps)],
  ['AnyOf', 'anyOf', listOf(schemaProps)],
  ['Not', 'not', schemaProps],
  ['Properties', 'properties', schemaMap],
  ['AdditionalProperties', 'additionalProperties', schemaOrBool],
  ['PatternProperties', 'patternProperties', schemaMap],
  ['Dependencies', 'dependencies', dependencies],
  ['AdditionalItems', 'additionalItems', schemaOrBool],
  ['Definitions', 'definitions', schemaMap],
  [
    'ExternalDocs',
    'externalDocs',
    structOf(() => [
      ['Description', 'description', orEmpty],
      ['URL', 'url', orEmpty],
    ]),
  ],
  ['Example', 'example', anyValue],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', orNull],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', orFalse],
  ['XIntOrString', 'x-kubernetes-int-or-string', orFalse],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', orNull],
  ['XListType', 'x-kubernetes-list-type', orNull],
  ['XMapType', 'x-kubernetes-map-type', orNull],
  ['XValidations', 'x-kubernetes-validations', listOf(structOf(() => ruleFields))],
];

const versionFields: readonly GoField[] = [
  ['Name', 'name', orEmpty],
  ['Served', 'served', orFalse],
  ['Storage', 'storage', orFalse],
  ['Deprecated', 'deprecated', orFalse],
  ['DeprecationWarning', 'deprecationWarning', orNull],
  ['Schema', 'schema', structOf(() => [['OpenAPIV3Schema', 'openAPIV3Schema', schemaProps]])],
  [
    'Subresources',
    'subresources',
    structOf(() => [
      ['Status', 'status', structOf(() => [])],
      [
        'Scale',
        'scale',
        structOf(() => [
          ['SpecReplicasPath', 'specReplicasPath', orEmpty],
          ['StatusReplicasPath', 'statusReplicasPath', orEmpty],
          ['LabelSelectorPath', 'labelSelectorPath', orNull],
        ]),
      ],
    ]),
  ],
  [
    'AdditionalPrinterColumns',
    'additionalPrinterColumns',
    listOf(
      structOf(() => [
        ['Name', 'name', orEmpty],
        ['Type', 'type', orEmpty],
        ['Format', 'format', orEmpty],
        ['Description', 'description', orEmpty],
        ['Priority', 'priority', orZero],
        ['JSONPath', 'jsonPath', orEmpty],
      ]),
    ),
  ],
  ['SelectableFields', 'selectableFields', listOf(structOf(() => [['JSONPath', 'jsonPath', orEmpty]]))],
];

export const goVersions = (versions: readonly DefinitionVersion[]): Json => versions.map(structOf(() => versionFields));
export const goSchema = (schema: JsonObject): Json => schemaProps(schema);

/** `setFields` returns the fields that are set in a schema, by their Go names and in Go's order. */
export function setFields(schema: JsonObject): string[] {
  const isSet = ([, key, print]: GoField): boolean => {
    const value = schema[key] ?? undefined;
    return value !== undefined && value !== '' && !(value === false && print === orFalse);
  };
  return schemaFields.filter(isSet).map(([name]) => name);
}
