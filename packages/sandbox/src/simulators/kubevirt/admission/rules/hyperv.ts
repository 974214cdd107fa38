/** Hyper-V features that depend on each other. */
import type { JsonObject } from '../../../../values/json.ts';
import { listAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, required, type Cause } from '../cause.ts';
import { cpuOf, domainOf } from './amounts.ts';

/** Leaves first: a feature that is enabled for another one may itself need a third. */
export const HYPERV_NEEDS: readonly (readonly [string, string])[] = [
  ['evmcs', 'vapic'],
  ['ipi', 'vpindex'],
  ['tlbflush', 'vpindex'],
  ['synictimer', 'synic'],
  ['synic', 'vpindex'],
];

const isEnabled = (hyperv: JsonObject, feature: string): boolean => objectAt(hyperv, feature)?.['enabled'] === true;

export function hypervCauses(field: string, spec: JsonObject): Cause[] {
  const hyperv = objectAt(objectAt(domainOf(spec), 'features'), 'hyperv');
  if (hyperv === undefined) return [];
  const at = `${field}.domain.features.hyperv`;
  const causes = HYPERV_NEEDS.flatMap(([feature, needed]) => {
    if (!isEnabled(hyperv, feature) || isEnabled(hyperv, needed)) return [];
    return [invalid(`'${at}.${feature}' requires '${at}.${needed}', which was disabled.`, `${at}.${feature}`)];
  });
  const evmcs = objectAt(hyperv, 'evmcs');
  return evmcs === undefined || evmcs['enabled'] === false ? causes : [...causes, ...vmxCauses(spec)];
}

function vmxCauses(spec: JsonObject): Cause[] {
  const features = listAt(cpuOf(spec), 'features');
  if (features.length === 0)
    return [required('vmx cpu feature is required when evmcs is set', 'spec.domain.cpu.features')];
  return features.flatMap((feature, index) => {
    if (textAt(feature, 'name') !== 'vmx' || textAt(feature, 'policy') === 'require') return [];
    const text = 'vmx cpu feature has to be set to require policy';
    return [invalid(text, `spec.domain.cpu.features[${index}].policy`)];
  });
}
