/**
 * The rights that the files of deploy/rbac grant, read as text. A right is written as `patch virtualmachines/status`.
 */
import { manifests, type Manifest, type Rule } from '../vm-status/manifests.ts';

const reading = new Set(['get', 'list', 'watch']);

export function rulesOf(all: readonly Manifest[]): readonly Rule[] {
  return all.flatMap(({ rules = [] }) => rules);
}

export function rightsOf(all: readonly Manifest[]): readonly string[] {
  const granted = rulesOf(all).flatMap(({ resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
  );
  return [...new Set(granted)].toSorted();
}

export const isWrite = (right: string): boolean => !reading.has(right.split(' ')[0] ?? '');

export function writesOf(all: readonly Manifest[]): readonly string[] {
  return rightsOf(all).filter(isWrite);
}

/** Rules that grant more than their words say. */
export function starred(...files: readonly string[]): readonly Rule[] {
  return files
    .flatMap((file) => rulesOf(manifests(file)))
    .filter(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs].includes('*'));
}
