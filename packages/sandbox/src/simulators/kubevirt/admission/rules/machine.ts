/** The emulated machine type. */
import type { JsonObject } from '../../../../values/json.ts';
import { objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { domainOf } from './amounts.ts';

export function machineCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  const type = textAt(objectAt(domainOf(spec), 'machine'), 'type');
  if (type === '') return [];
  const known = config.emulatedMachines(textAt(spec, 'architecture'));
  if (known.some((pattern) => matches(pattern, type))) return [];
  const at = `${field}.domain.machine.type`;
  return [invalid(`${at} is not supported: ${type} (allowed values: [${known.join(' ')}])`, at)];
}

/** Matches a glob as Go's path.Match does: a star matches anything but a slash. */
function matches(pattern: string, type: string): boolean {
  const expression = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('[^/]*');
  return new RegExp(`^${expression}$`).test(type);
}
