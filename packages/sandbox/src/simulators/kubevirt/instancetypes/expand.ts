/** The spec of a VMI with its instance type and preference applied, and the annotations that name them. */
import { cloneJson, type JsonObject } from '../../../values/json.ts';
import type { VirtualMachine, VmiSpec } from '../objects.ts';
import { applyInstancetype, type Conflicts } from './apply-instancetype.ts';
import { applyPreference } from './apply-preference.ts';
import { matcherOf, roles, typeOfMatcher, type Role } from './matcher.ts';

export interface Expanded {
  readonly spec: VmiSpec;
  readonly annotations: Readonly<Record<string, string>>;
  /** Fields that both the VM and its instance type set; if there are any, the spec is invalid. */
  readonly conflicts: Conflicts;
}

export function expand(
  template: { readonly spec: VmiSpec; readonly annotations?: Readonly<Record<string, string>> },
  instancetype: JsonObject | undefined,
  preference: JsonObject | undefined,
): Expanded {
  const annotations: Record<string, string> = { ...template.annotations };
  if (instancetype === undefined && preference === undefined) {
    return { spec: template.spec, annotations, conflicts: [] };
  }
  // A spec from the API is JSON, whatever its type says.
  const spec = cloneJson(template.spec as unknown as JsonObject);
  const conflicts = instancetype === undefined ? [] : applyInstancetype(spec, annotations, instancetype, preference);
  if (preference !== undefined) applyPreference(spec, annotations, preference);
  return { spec: spec as unknown as VmiSpec, annotations, conflicts };
}

const names: Readonly<Record<Role, { cluster: string; namespaced: string }>> = {
  instancetype: { cluster: 'kubevirt.io/cluster-instancetype-name', namespaced: 'kubevirt.io/instancetype-name' },
  preference: { cluster: 'kubevirt.io/cluster-preference-name', namespaced: 'kubevirt.io/preference-name' },
};

/** `originAnnotations` returns the annotations of a VMI that name the instance type and preference of its VM. */
export function originAnnotations(vm: VirtualMachine): Record<string, string> {
  const annotations: Record<string, string> = {};
  for (const role of roles) {
    const matcher = matcherOf(vm, role);
    const type = typeOfMatcher(role, matcher?.kind);
    if (matcher === undefined || type === undefined) continue;
    annotations[type.namespaced ? names[role].namespaced : names[role].cluster] = matcher.name;
  }
  return annotations;
}
