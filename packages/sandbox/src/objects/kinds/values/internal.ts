/** Kubernetes' internal structs in the order of their fields, as they are printed in errors that show a diff. */
import type { Json, JsonObject } from '../../../values/json.ts';
import { isObject } from '../../../values/json.ts';
import { objectAt, sortedByKey } from './fields.ts';
import document from '../internal.json' with { type: 'json' };

/** A field of a struct: the Go name, the JSON name, and the struct that it contains. */
interface InternalField {
  readonly name: string;
  readonly json: string;
  readonly struct?: string;
  /** How Go prints an absent field. */
  readonly zero: Json;
  readonly kind: 'struct' | 'pointer' | 'list' | 'map' | 'plain';
}

const structs = document as unknown as { [name: string]: readonly InternalField[] };

/** The value converted to the internal struct `name`, as Go would print it. */
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

/** In the internal type, the flags for host namespaces are part of the security context. */
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
