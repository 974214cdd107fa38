/** Reads VMs as a cluster has them, whoever created them, in order to change them. */
import { defined } from '@ssvirt/base/values/defined';
import { fields, list, text, type Fields } from '../facts/reading.ts';

export const specOf = (vm: unknown): Fields => fields(fields(vm)['spec']);
export const templateOf = (vm: unknown): Fields => fields(specOf(vm)['template']);
export const instanceSpecOf = (vm: unknown): Fields => fields(templateOf(vm)['spec']);
export const domainOf = (vm: unknown): Fields => fields(instanceSpecOf(vm)['domain']);

/** `running` is what `runStrategy` was called before KubeVirt 1.4; an object has only one of the two. */
export function strategyOf(vm: unknown): string {
  const { runStrategy, running } = specOf(vm);
  return text(runStrategy, 64) ?? (running === true ? 'Always' : 'Halted');
}

/** `strategyPatch` returns the two fields exclude each other: both go into one patch. */
export function strategyPatch(vm: unknown, runStrategy: string): Fields {
  return specOf(vm)['running'] === undefined ? { runStrategy } : { running: null, runStrategy };
}

/** `precondition` makes a patch fail (409) if the VM is another one, or was changed since it was read. */
export function precondition(vm: unknown): Fields {
  const { uid, resourceVersion } = fields(fields(vm)['metadata']);
  return defined({ uid, resourceVersion });
}

/** `parted` splits the entries into the one of that name and the others. */
export function parted(
  entries: unknown,
  name: string,
): readonly [found: Fields | undefined, others: readonly unknown[]] {
  const all = list(entries);
  const isIt = (entry: unknown): boolean => fields(entry)['name'] === name;
  const found = all.find(isIt);
  return [found === undefined ? undefined : fields(found), all.filter((entry) => !isIt(entry))];
}
