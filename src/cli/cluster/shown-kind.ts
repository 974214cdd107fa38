/** What the verbs of a noun have to know of its kind: how its objects are shown, what of them is kept back, and when one is as it should be. */
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Column, View } from '../output/view.ts';
import { age } from './age.ts';

export interface ShownKind<T extends KubeObject> {
  /** `machine` */
  readonly noun: string;
  /** For people, in the singular: "Machine". */
  readonly word: string;
  /** For people: "Machines". */
  readonly plural: string;
  readonly type: ResourceType<T>;
  readonly columns: readonly Column<T>[];
  /** As it is shown when it is gone. */
  readonly gone: (last: T) => T;
  /** Without what only a guest should read; the same object where there is nothing of that kind. */
  readonly withoutSecrets: (one: T) => T;
  readonly standing: (one: T) => Standing;
}

/** How an object stands to what was asked for. */
export interface Standing {
  readonly state: 'ready' | 'underway';
  /** In a few words, for the progress line. */
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

/** As it is printed for programs: without what the server notes for itself, and what only a guest should read. */
export function forPrograms<T extends KubeObject>(kind: ShownKind<T>, one: T, showSecrets: boolean): T {
  const { managedFields: _, ...metadata } = one.metadata;
  const bare = { ...one, metadata };
  return showSecrets ? bare : withoutCopies(kind.withoutSecrets(bare));
}

/** What `kubectl apply` notes holds the whole spec once more. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function withoutCopies<T extends KubeObject>(one: T): T {
  const { [lastApplied]: copy, ...annotations } = one.metadata.annotations ?? {};
  return copy === undefined ? one : { ...one, metadata: { ...one.metadata, annotations } };
}
