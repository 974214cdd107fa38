/**
 * The schema form for built-in kinds and CRDs: OpenAPI v3 as in Kubernetes, with its `x-kubernetes-*` keys. `$ref`s are
 * resolved to shared objects when a schema is loaded, so a graph may be cyclic (as JSONSchemaProps is).
 */
import type { Json } from '../../values/json.ts';

export interface Schema {
  type?: string;
  format?: string;
  title?: string;
  description?: string;
  nullable?: boolean;
  default?: Json;
  enum?: Json[];
  properties?: { [name: string]: Schema };
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: string[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  externalDocs?: Json;
  example?: Json;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  'x-kubernetes-validations'?: ValidationRule[];
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-patch-merge-key'?: string;
  'x-kubernetes-unions'?: Json;
  /** For built-in kinds, from the Go type: how a zero field is encoded, and its Go type for error texts. */
  'x-go'?: GoField;
  /** For built-in kinds: the name of the Go struct to which this object is decoded. */
  'x-go-struct'?: string;
}

export interface GoField {
  /** The Go type in error messages, such as `int32` or `v1.ObjectMeta`. */
  type: string;
  /** A pointer keeps an explicit zero value (`replicas: 0`). */
  pointer?: boolean;
  omitempty?: boolean;
  omitzero?: boolean;
  /** The protobuf field numbers that lead to the field; more than one below an embedded struct. */
  protobuf?: readonly number[];
}

export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}
