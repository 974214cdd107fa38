/** Expands a VM with its instance type and preference, so that it can be created without them. */
import { cloneJson, type JsonObject } from '../../../values/json.ts';
import type { ClusterConfig } from '../admission/cluster-config.ts';
import { setAttachments, setBasicDefaults } from '../admission/defaults/vmi-spec.ts';
import { fillStructs } from '../admission/go-shape.ts';
import { expand } from '../instancetypes/expand.ts';
import type { VirtualMachine, VmiSpec } from '../objects.ts';

/** The specs that the VM's matchers name. */
export interface Matched {
  readonly instancetype?: JsonObject | undefined;
  readonly preference?: JsonObject | undefined;
}

/** `writtenOut` throws an Error that names the fields that both the VM and its instance type set. */
export function writtenOut(vm: VirtualMachine, matched: Matched, config: ClusterConfig): VirtualMachine {
  const { instancetype: _instancetype, preference: _preference, template, ...rest } = vm.spec;
  const given = template.metadata?.annotations;
  // A preference also applies to disks and the network that were only added by default, so they are added first.
  const attached = changed(template.spec, (spec) => setAttachments(spec, config));
  const { spec, annotations, conflicts } = expand(
    { spec: attached, ...(given !== undefined && { annotations: given }) },
    matched.instancetype,
    matched.preference,
  );
  if (conflicts.length > 0)
    throw new Error(`VM field(s) ${conflicts.join(', ')} conflicts with selected instance type`);
  const filled = changed(spec, (target) => {
    setBasicDefaults(target, config);
    fillStructs(target);
  });
  const metadata = { ...template.metadata, ...(Object.keys(annotations).length > 0 && { annotations }) };
  return { ...vm, spec: { ...rest, template: { metadata, spec: filled } } };
}

/** A spec from the API is JSON, whatever its type says. */
function changed(spec: VmiSpec, change: (copy: JsonObject) => void): VmiSpec {
  const copy = cloneJson(spec as unknown as JsonObject);
  change(copy);
  return copy as unknown as VmiSpec;
}
