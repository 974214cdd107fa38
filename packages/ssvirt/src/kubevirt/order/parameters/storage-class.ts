/** The storage class of an order's disk. It is chosen once: an existing disk keeps its class. */
import { defaultClass, type StorageClassFacts } from '../../machine/storage-class.ts';
import type { OrderProblem } from '../resource.ts';
import { shown } from '../shown.ts';

export type StorageClassChoice = { readonly name: string } | { readonly problem: OrderProblem };

export const environmentVariable = 'CLOUDKIT_VM_OPERATIONS_STORAGE_CLASS';
const defaultMark = 'storageclass.kubernetes.io/is-default-class: "true"';

/** `chooseStorageClass` returns the configured class, or else the cluster's default. Of several defaults Kubernetes takes the newest. */
export function chooseStorageClass(
  configured: string | undefined,
  classes: readonly StorageClassFacts[],
): StorageClassChoice {
  const wanted = configured?.trim() ?? '';
  if (wanted !== '') return classes.some(({ name }) => name === wanted) ? { name: wanted } : notFound(wanted, classes);
  const usual = usualClass(classes);
  return usual === undefined ? noDefault(classes) : { name: usual.name };
}

/**
 * AAP knows only Kubernetes' default annotation: if the cluster has both defaults, that one wins, so that both modes
 * choose the same class.
 */
function usualClass(classes: readonly StorageClassFacts[]): StorageClassFacts | undefined {
  return (
    defaultClass(classes.filter(({ isDefault }) => isDefault === true).map(withoutMachineMark)) ?? defaultClass(classes)
  );
}

function withoutMachineMark({ isDefaultForMachines: _, ...rest }: StorageClassFacts): StorageClassFacts {
  return rest;
}

function notFound(wanted: string, classes: readonly StorageClassFacts[]): StorageClassChoice {
  return {
    problem: {
      reason: 'StorageClassNotFound',
      message: `The storage class ${shown(wanted)} that is configured (cloudkit.storageClass, ${environmentVariable}) does not exist; ${thereAre(classes)}. Create it, or configure another.`,
    },
  };
}

function noDefault(classes: readonly StorageClassFacts[]): StorageClassChoice {
  return {
    problem: {
      reason: 'NoDefaultStorageClass',
      message: `no default storage class found; ${thereAre(classes)}. Mark one with the annotation ${defaultMark}, or configure one (cloudkit.storageClass, ${environmentVariable}).`,
    },
  };
}

const MOST_NAMED = 10;

function thereAre(classes: readonly StorageClassFacts[]): string {
  if (classes.length === 0) return 'the cluster has none at all';
  const names = classes.map(({ name }) => name).toSorted();
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `there are ${names.slice(0, MOST_NAMED).map(shown).join(', ')}${more}`;
}
