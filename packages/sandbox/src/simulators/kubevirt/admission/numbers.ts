/** Numbers that fit the definition but not Go's unsigned types: the decoder refuses them with its own message. */
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { listAt, objectAt } from '../../../objects/kinds/values/fields.ts';

/** Keyed by the path in a VMI's spec; `[]` stands for every item of a list. */
const UNSIGNED: readonly (readonly [string, string])[] = [
  ['domain.cpu.cores', 'uint32'],
  ['domain.cpu.sockets', 'uint32'],
  ['domain.cpu.maxSockets', 'uint32'],
  ['domain.cpu.threads', 'uint32'],
  ['domain.features.hyperv.spinlocks.spinlocks', 'uint32'],
  ['domain.ioThreads.supplementalPoolThreadCount', 'uint32'],
  ['domain.devices.disks[].bootOrder', 'uint'],
  ['domain.devices.disks[].blockSize.custom.logical', 'uint'],
  ['domain.devices.disks[].blockSize.custom.physical', 'uint'],
  ['domain.devices.interfaces[].bootOrder', 'uint'],
];

/** @param struct Go's name of the struct, with the path to the spec: `VirtualMachineInstance.spec`. */
export function unsignedFault(spec: JsonObject, struct: string): string | undefined {
  for (const [path, type] of UNSIGNED) {
    const bad = valuesAt(spec, path.split('.')).find((value) => typeof value === 'number' && value < 0);
    if (bad !== undefined)
      return `json: cannot unmarshal number ${String(bad)} into Go struct field ${struct}.${path.replace('[]', '')} of type ${type}`;
  }
  return undefined;
}

function valuesAt(parent: JsonObject, [step = '', ...rest]: readonly string[]): Json[] {
  const items = step.endsWith('[]') ? listAt(parent, step.slice(0, -2)) : undefined;
  if (items !== undefined) return items.flatMap((item) => valuesAt(item, rest));
  if (rest.length > 0) {
    const child = objectAt(parent, step);
    return isObject(child) ? valuesAt(child, rest) : [];
  }
  const value = parent[step];
  return value === undefined ? [] : [value];
}
