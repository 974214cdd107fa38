/** Kubernetes' internal structs in the order of their fields, as they are printed in refusals that show a difference. */
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { objectAt, sortedByKey } from './fields.ts';
import document from './internal.json' with { type: 'json' };

/** A struct's fields in order: the Go name, the JSON name it comes from, and the struct it holds. */
interface InternalField {
  readonly name: string;
  readonly json: string;
  readonly struct?: string;
  /** How Go's nil or zero is printed when the field is absent. */
  readonly zero: Json;
  readonly kind: 'struct' | 'pointer' | 'list' | 'map' | 'plain';
}

const structs = document as unknown as { [name: string]: readonly InternalField[] };

/** The value as Go would print the internal struct `name` that it is converted to. */
export function internal(name: string, value: JsonObject): Json {
  const fields = structs[name];
  if (fields === undefined) return value;
  return Object.fromEntries(fields.map((field) => [field.name, fieldValue(field, value[field.json])]));
}

function fieldValue(field: InternalField, value: Json | undefined): Json {
  const { struct } = field;
  if (value === undefined || value === null)
    return field.kind === 'struct' && struct ? internal(struct, {}) : field.zero;
  if (struct === undefined) return field.kind === 'map' && isObject(value) ? sortedByKey(value) : value;
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? internal(struct, item) : item));
  return isObject(value) ? internal(struct, value) : value;
}

/** Internally, the flags about the host's namespaces are part of the security context. */
export function internalPodSpec(spec: JsonObject): Json {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } = spec;
  const context = {
    ...objectAt(spec, 'securityContext'),
    hostNetwork,
    hostPID,
    hostIPC,
    shareProcessNamespace,
    hostUsers,
  };
  return internal('PodSpec', { ...spec, securityContext: context });
}
