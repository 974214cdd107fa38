/** Checks the storage class of a requested disk against those of the cluster. */
import { defaultClass, type StorageClassFacts } from '../../kubevirt/machine/storage-class.ts';
import { badRequest, conflict } from '../errors.ts';
import type { Offers } from './offers.ts';

/** `default`, like an absent class, means the default class of the cluster, as in Machines. */
const defaultWord = 'default';

/**
 * `checkedStorageClass` returns the class to request from the cluster; undefined means its default. Throws BAD_REQUEST
 * with the field, the value, the rule and the known classes. While the classes are unknown, every name is accepted, and
 * the task reports the cluster's answer.
 */
export function checkedStorageClass(
  { source, cluster }: Offers,
  field: string,
  asked: string | undefined,
): string | undefined {
  const name = asked === defaultWord ? undefined : asked;
  const problem = storageClassProblem(source.storageClasses(cluster), name);
  if (problem !== undefined) throw badRequest(`${field}: ${problem}.`);
  return name;
}

/** `requireDefaultStorageClass` throws CONFLICT if there is no default class for a disk whose class cannot be named. */
export function requireDefaultStorageClass({ source, cluster }: Offers, what: string): void {
  const classes = source.storageClasses(cluster);
  if (classes === undefined || defaultClass(classes) !== undefined) return;
  throw conflict(
    `${what} needs the default storage class, and the virtual data center has none (${known(classes)}); ask the provider to mark one as the default.`,
  );
}

/** Without a full stop; undefined if there is no problem. `name` is undefined for the default class. */
export function storageClassProblem(
  classes: readonly StorageClassFacts[] | undefined,
  name: string | undefined,
): string | undefined {
  if (classes === undefined) return undefined;
  if (name === undefined)
    return defaultClass(classes) === undefined
      ? `is missing, and the virtual data center has no default storage class (${known(classes)}); name one, or ask the provider to mark one as the default`
      : undefined;
  if (classes.some((one) => one.name === name)) return undefined;
  return `"${name}" is not a storage class of the virtual data center (${known(classes)}); name one of these, or leave it out for the default`;
}

const mostNamed = 10;

function known(classes: readonly StorageClassFacts[]): string {
  if (classes.length === 0) return 'it has none';
  const usual = defaultClass(classes)?.name;
  const names = classes.map(({ name }) => (name === usual ? `"${name}" (the default)` : `"${name}"`));
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `it has ${names.slice(0, mostNamed).join(', ')}${more}`;
}
