/**
 * The object with which a create is compared. A built-in kind is a Go struct in Kubernetes, in which fields without
 * `omitempty` and all nested structs are present even when nothing is set. Therefore `f:spec` of a Deployment has no
 * "." and that of a custom resource has one.
 */
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import type { GoField, Schema } from '../schema/schema.ts';

const zeros = new WeakMap<Schema, KubeObject>();

export function emptyObject(schema: Schema | undefined, apiVersion: string, kind: string): KubeObject {
  if (schema === undefined || schema['x-go-struct'] === undefined) return { apiVersion, kind, metadata: {} };
  let zero = zeros.get(schema);
  if (zero === undefined) {
    zero = { ...zeroStruct(schema), apiVersion, kind, metadata: {} };
    zeros.set(schema, zero);
  }
  return zero;
}

function zeroStruct(schema: Schema): JsonObject {
  const out: JsonObject = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const zero = zeroField(property);
    if (zero !== undefined) out[name] = zero;
  }
  return out;
}

/** Undefined when the field is left out. */
function zeroField(schema: Schema): Json | undefined {
  const go = schema['x-go'];
  if (go === undefined || go.omitzero === true) return undefined;
  const struct = isStruct(schema, go);
  if (go.omitempty === true && !struct) return undefined;
  if (go.pointer === true) return null;
  return struct ? (SPECIAL[schema['x-go-struct'] ?? ''] ?? (() => zeroStruct(schema)))() : zeroScalar(schema, go);
}

/** In Go a struct is never empty, so `omitempty` has no effect on it. */
const isStruct = (schema: Schema, go: GoField): boolean =>
  go.pointer !== true && !isReference(go) && schema['x-go-struct'] !== undefined;

const isReference = ({ type }: GoField): boolean => type.startsWith('[]') || type.startsWith('map[');

/** Structs with their own JSON form. */
const SPECIAL: Record<string, () => Json> = {
  Time: () => null,
  MicroTime: () => null,
  Quantity: () => '0',
  IntOrString: () => 0,
  Duration: () => '0s',
  RawExtension: () => null,
  JSON: () => null,
};

function zeroScalar(schema: Schema, go: GoField): Json {
  if (isReference(go)) return null;
  return { string: '', integer: 0, number: 0, boolean: false }[schema.type ?? ''] ?? null;
}
