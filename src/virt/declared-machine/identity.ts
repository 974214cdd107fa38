/** Whose objects they are: what every object that is made for a Machine says of itself. */
import type { KubeLike, OwnerLike } from '../machine/kube-like.ts';
import { machineLabel } from './names.ts';
import { labels, managedBy } from './resource.ts';

type Texts = Readonly<Record<string, string>>;

export interface MachineIdentity {
  readonly name: string;
  /** In the supervisor and in the cluster that it runs in. */
  readonly namespace: string;
  readonly uid: string;
  /** The Machine's own. */
  readonly labels: Texts;
  /** The uid of the supervisor's namespace kube-system. */
  readonly supervisor: string;
  /** By which a child finds its parent (`parentMarks`). */
  readonly marks: { readonly labels: Texts; readonly annotations: Texts };
  /** Only where Machine and child stand in the same cluster. */
  readonly owner?: OwnerLike;
}

type Metadata = KubeLike['metadata'];

/** Of all that belongs to this Machine alone. */
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

/** Those by which a child is found. They stay what they are as long as the Machine is there. */
export function findingLabels({ supervisor, marks }: Pick<MachineIdentity, 'supervisor' | 'marks'>): Texts {
  return { [labels.supervisor]: supervisor, ...marks.labels };
}

/** Of what several Machines share: it bears no parent, and stays until the last of them is gone. */
export function sharedMetadata({ namespace, supervisor }: MachineIdentity, name: string): Metadata {
  return { name, namespace, labels: { [labels.managedBy]: managedBy, [labels.supervisor]: supervisor } };
}

/** Whether an object bears the marks of this Machine; others' are never touched. */
export function isOwn({ marks }: MachineIdentity, labelsOf: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(marks.labels).every(([key, value]) => labelsOf[key] === value);
}

function carriedOver(own: Texts): Texts {
  const keys = [labels.clusterName, labels.machineTemplate] as const;
  return Object.fromEntries(keys.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])));
}
