/** A CustomResourceDefinition (apiextensions.k8s.io/v1), as clients write it. */
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';

export interface CustomResourceDefinition extends KubeObject {
  spec: DefinitionSpec;
  status?: DefinitionStatus;
}

export interface DefinitionSpec extends JsonObject {
  group: string;
  names: DefinitionNames;
  scope: string;
  versions: DefinitionVersion[];
  conversion?: Conversion;
  preserveUnknownFields?: boolean;
}

export interface DefinitionNames extends JsonObject {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

export interface DefinitionVersion extends JsonObject {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonObject };
  subresources?: Subresources;
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: SelectableField[];
}

export interface Subresources extends JsonObject {
  status?: JsonObject;
  scale?: ScalePaths;
}

export interface ScalePaths extends JsonObject {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface PrinterColumn extends JsonObject {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

export interface SelectableField extends JsonObject {
  jsonPath: string;
}

export interface Conversion extends JsonObject {
  strategy: string;
  webhook?: ConversionWebhook;
}

export interface ConversionWebhook extends JsonObject {
  conversionReviewVersions?: string[];
  clientConfig?: {
    url?: string;
    service?: { namespace?: string; name?: string; path?: string; port?: number };
    caBundle?: string;
  };
}

export interface DefinitionCondition extends JsonObject {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface DefinitionStatus extends JsonObject {
  conditions: DefinitionCondition[] | null;
  acceptedNames: DefinitionNames;
  storedVersions: string[];
}

/**
 * A schema as in a definition, including the JSON Schema keys that Kubernetes rejects. An accepted one is a plain
 * Schema.
 */
export interface SchemaProps extends Omit<Schema, 'items' | NestedKey | 'not' | 'properties' | 'additionalProperties'> {
  id?: string;
  $schema?: string;
  $ref?: string;
  items?: SchemaProps | SchemaProps[];
  allOf?: SchemaProps[];
  anyOf?: SchemaProps[];
  oneOf?: SchemaProps[];
  not?: SchemaProps;
  properties?: { [name: string]: SchemaProps };
  additionalProperties?: SchemaProps | boolean;
  patternProperties?: { [name: string]: SchemaProps };
  dependencies?: { [name: string]: SchemaProps | string[] };
  additionalItems?: SchemaProps | boolean;
  definitions?: { [name: string]: SchemaProps };
  'x-kubernetes-validations'?: ValidationRule[];
}
type NestedKey = 'allOf' | 'anyOf' | 'oneOf';

/** `schemaOf` is the schema of a version; the kind's decoder has parsed it from JSON. */
export const schemaOf = (version: Pick<DefinitionVersion, 'schema'>): SchemaProps | undefined =>
  version.schema?.openAPIV3Schema;

/** A default of null means no default. */
export const defaultOf = (schema: SchemaProps): Json | undefined => schema.default ?? undefined;

/** The schema of a list's items; an array of schemas is rejected elsewhere. */
export const itemsOf = (schema: SchemaProps): SchemaProps | undefined =>
  Array.isArray(schema.items) ? undefined : schema.items;

export const hasCondition = (crd: CustomResourceDefinition, type: string): boolean =>
  crd.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
