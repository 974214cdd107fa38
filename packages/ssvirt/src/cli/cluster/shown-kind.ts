/**
 * What the verbs of a noun need to know about its kind: how its objects are shown, which parts are secret, and when an
 * object is ready.
 */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { Column, View } from '../output/view.ts';
import { age } from './age.ts';

export interface ShownKind<T extends KubeObject> {
  /** The noun of the command, such as `machine`. */
  readonly noun: string;
  /** For people, in the singular: "Machine". */
  readonly word: string;
  /** For people: "Machines". */
  readonly plural: string;
  readonly type: ResourceType<T>;
  readonly columns: readonly Column<T>[];
  /** Returns the object as it is shown after its deletion. */
  readonly gone: (last: T) => T;
  /** Removes what only a guest may read; returns the same object if there is nothing to remove. */
  readonly withoutSecrets: (one: T) => T;
  readonly standing: (one: T) => ProgressState;
}

/** `ProgressState` tells whether an object matches its spec. */
export interface ProgressState {
  readonly state: 'ready' | 'underway';
  /** A few words for the progress line. */
  readonly says: string;
}

export function viewOf<T extends KubeObject>({ plural, columns, gone }: ShownKind<T>, allNamespaces = false): View<T> {
  const namespace: Column<T> = { header: 'NAMESPACE', cell: ({ metadata }) => metadata.namespace };
  return {
    plural,
    columns: [
      ...(allNamespaces ? [namespace] : []),
      { header: 'NAME', cell: ({ metadata }) => metadata.name },
      ...columns,
      { header: 'AGE', cell: ({ metadata }) => age(metadata.creationTimestamp) },
    ],
    name: ({ metadata: { namespace: place = '', name = '' } }) => (allNamespaces ? `${place}/${name}` : name),
    gone,
  };
}

/** `forPrograms` returns the object as printed for programs: without managedFields, and without what only a guest may read. */
export function forPrograms<T extends KubeObject>(kind: ShownKind<T>, one: T, showSecrets: boolean): T {
  const { managedFields: _, ...metadata } = one.metadata;
  const bare = { ...one, metadata };
  return showSecrets ? bare : withoutCopies(kind.withoutSecrets(bare));
}

/** The annotation of `kubectl apply` contains a second copy of the whole spec. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function withoutCopies<T extends KubeObject>(one: T): T {
  const { [lastApplied]: copy, ...annotations } = one.metadata.annotations ?? {};
  return copy === undefined ? one : { ...one, metadata: { ...one.metadata, annotations } };
}
