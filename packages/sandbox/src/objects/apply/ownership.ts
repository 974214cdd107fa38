/**
 * The common parts of all tracked writes: the input, the engine that computes ownership, and the entries of an object.
 */
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import type { Atom } from './atom.ts';
import { atomOf } from './atom.ts';
import type { FieldSet } from './fieldset.ts';
import { difference, fieldSetOf, isEmpty, union } from './fieldset.ts';
import type { Manager, ManagerId, Managers } from './managers.ts';
import { capUpdaters, identityOf } from './managers.ts';
import type { Versions } from './updater.ts';
import { Updater } from './updater.ts';
import { validate } from './validate.ts';

export interface OwnershipWrite {
  /** The stored object in the version of the request; on create it is undefined or has no uid. */
  readonly live: KubeObject | undefined;
  /** Undefined for a kind without a schema. */
  readonly schema: Schema | undefined;
  readonly manager: string;
  /** '' for the main resource. */
  readonly subresource: string;
  /** RFC 3339, in seconds. */
  readonly now: string;
  /**
   * Fields that a client cannot write through this endpoint: `status` on the main resource, `spec` and `metadata` on
   * status.
   */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  readonly versions?: Versions | undefined;
}

/** A write of an object whose type is known. */
export interface TypedWrite extends OwnershipWrite {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Fields that are never owned. */
export const STRIPPED = fieldSetOf([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['metadata', name]),
]);

export const onlyStored = <T extends OwnershipWrite>(input: T): T =>
  input.live?.metadata.uid ? input : { ...input, live: undefined };

/** `track` returns the ownership after the named manager updates `live` to `object`. Throws TypedError. */
export function track(
  input: TypedWrite,
  live: KubeObject,
  object: KubeObject,
  before: Managers,
  name: string,
): Map<string, Manager> {
  const { atom, updater } = engine(input);
  validate(object, atom, { allowDuplicates: true });
  const { managers, own } = updater.update(live, object, before);
  const set = difference(own, STRIPPED);
  if (!isEmpty(set)) {
    const id = managerId(input, name, 'Update');
    const identity = identityOf(id);
    const previous = managers.get(identity);
    managers.set(identity, { ...id, set: previous === undefined ? set : union(set, previous.set), time: input.now });
  }
  capUpdaters(managers);
  return managers;
}

export const managerId = (
  { subresource, apiVersion }: TypedWrite,
  name: string,
  operation: 'Apply' | 'Update',
): ManagerId => ({
  name: name === '' ? 'unknown' : name,
  operation,
  subresource,
  apiVersion,
});

export function engine({ schema, apiVersion, versions, resetFields }: TypedWrite): {
  atom: Atom;
  updater: Updater;
} {
  const atom = atomOf(schema);
  return { atom, updater: new Updater({ apiVersion, atom, versions, resetFields: resetSet(resetFields) }) };
}

const resetSets = new WeakMap<readonly (readonly string[])[], FieldSet>();

function resetSet(paths: OwnershipWrite['resetFields']): FieldSet | undefined {
  if (paths === undefined || paths.length === 0) return undefined;
  let set = resetSets.get(paths);
  if (set === undefined) resetSets.set(paths, (set = fieldSetOf(paths)));
  return set;
}

export function withManagedFields(object: KubeObject, managedFields: ManagedFieldsEntry[]): KubeObject {
  const present = isObject(object.metadata) ? object.metadata : {};
  if (managedFields.length === 0 && present.managedFields === undefined) return object;
  const { managedFields: _, ...rest } = present;
  const metadata: ObjectMeta = managedFields.length === 0 ? rest : { ...rest, managedFields };
  return { ...object, metadata };
}
