/** Labels, annotations and owner of every object that is created for a Machine. */
import type { KubeLike, OwnerLike } from '../tenant-vm/kube-like.ts';
import { machineLabel } from './names.ts';
import { labels, managedBy } from './resource.ts';

type Texts = Readonly<Record<string, string>>;

export interface MachineIdentity {
  readonly name: string;
  /** The same in the supervisor and in the cluster of the VM. */
  readonly namespace: string;
  readonly uid: string;
  /** The Machine's own. */
  readonly labels: Texts;
  /** The uid of the supervisor's namespace kube-system. */
  readonly supervisor: string;
  /** They identify the parent of a child (`parentMarks`). */
  readonly marks: { readonly labels: Texts; readonly annotations: Texts };
  /** The value of the annotation that asks for a restart. */
  readonly restart?: string;
  /** Set only if Machine and child are in the same cluster. */
  readonly owner?: OwnerLike;
}

type Metadata = KubeLike['metadata'];

/** For objects that belong to this Machine alone. */
export function childMetadata(identity: MachineIdentity, name: string): Metadata & { readonly annotations: Texts } {
  const { namespace, marks, owner } = identity;
  return {
    name,
    namespace,
    labels: childLabels(identity),
    annotations: marks.annotations,
    ...(owner === undefined ? {} : { ownerReferences: [owner] }),
  };
}

export function childLabels({ name, labels: own, supervisor, marks }: MachineIdentity): Texts {
  return {
    ...carriedOver(own),
    [labels.managedBy]: managedBy,
    [labels.machine]: machineLabel(name),
    ...findingLabels({ supervisor, marks }),
  };
}

/** `findingLabels` returns the labels by which a child is found. They do not change during the life of the Machine. */
export function findingLabels({ supervisor, marks }: Pick<MachineIdentity, 'supervisor' | 'marks'>): Texts {
  return { [labels.supervisor]: supervisor, ...marks.labels };
}

/** For objects that several Machines share: they name no parent, and stay until the last of the Machines is gone. */
export function sharedMetadata({ namespace, supervisor }: MachineIdentity, name: string): Metadata {
  return { name, namespace, labels: { [labels.managedBy]: managedBy, [labels.supervisor]: supervisor } };
}

/** `isOwn` returns whether an object has the labels of this Machine; objects of others are never touched. */
export function isOwn({ marks }: MachineIdentity, labelsOf: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(marks.labels).every(([key, value]) => labelsOf[key] === value);
}

function carriedOver(own: Texts): Texts {
  const keys = [labels.clusterName, labels.machineTemplate] as const;
  return Object.fromEntries(keys.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])));
}
