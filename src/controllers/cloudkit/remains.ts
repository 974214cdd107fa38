/**
 * What is left of an order in the namespace of its tenant, in the order in which it goes: nothing is taken from under a machine that runs. It is told by the marks
 * of this very order and not by names, so that what a template of somebody's own has made goes, too.
 */
import { isNotFound } from '../../kube/errors.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { DeletionStep, Doomed } from '../../kube/reconcile/delete-in-order.ts';
import { childrenSelector, parentUidOf } from '../../kube/reconcile/owners.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { secrets } from '../../fleet/kubevirt-config.ts';
import { canBeLabel } from '../../virt/order/names.ts';
import { labels } from '../../virt/order/resource.ts';
import type { OrderCaches } from './caches.ts';
import { claims, configMaps, dataVolumes, instances, services, virtualMachines } from './kinds.ts';
import { childrenOf } from './parents.ts';
import { haveNoSecrets } from './secret-rights.ts';
import type { Work } from './work.ts';

interface Kind {
  readonly type: ResourceType<KubeObject>;
  /** What a cache has of it. */
  readonly known: (caches: OrderCaches, uid: string) => readonly KubeObject[];
}

interface Group {
  readonly name: string;
  readonly kinds: readonly Kind[];
}

/** An instance is its machine's to end: its turn comes only where that has left it behind. */
const groups: readonly Group[] = [
  {
    name: 'the virtual machine',
    kinds: [{ type: virtualMachines, known: ({ vms }, uid) => vms.childrenOf(uid) }],
  },
  {
    name: 'its running instance',
    kinds: [{ type: instances, known: (caches, uid) => caches.instances.childrenOf(uid) }],
  },
  {
    name: 'the Service',
    kinds: [{ type: services, known: (caches, uid) => childrenOf(caches.services, uid) }],
  },
  {
    name: 'the disk',
    kinds: [
      { type: dataVolumes, known: (caches, uid) => caches.dataVolumes.childrenOf(uid) },
      { type: claims, known: (caches, uid) => childrenOf(caches.claims, uid) },
    ],
  },
  {
    name: 'Secrets and ConfigMaps',
    kinds: [
      { type: secrets, known: (caches, uid) => childrenOf(caches.secrets, uid) },
      { type: configMaps, known: (caches, uid) => childrenOf(caches.configMaps, uid) },
    ],
  },
];

/** First by what is known; and in the end the cluster is asked itself, since somebody may have taken off the label that a cache watches. */
export function ownRemains(work: Work): readonly DeletionStep[] {
  const labelSelector = childrenSelector(work.order);
  return [
    ...groups.map((group) => ({ name: group.name, left: () => known(work, group) })),
    ...groups.map((group) => ({ name: group.name, left: () => listed(work, group, [labelSelector]) })),
  ];
}

/** Out of the caches, all at once. */
export function knownRemains(work: Work): readonly Doomed[] {
  return groups.flatMap((group) => known(work, group));
}

/** What AAP's roles have made under the order's name, and nobody has taken over since. */
export function remainsOfAap(work: Work): readonly DeletionStep[] {
  const { name: value } = work.identity;
  if (!canBeLabel(value)) return [];
  const selectors = [`${labels.order}=${value}`, `${labels.instance}=${value},!${labels.order}`];
  return groups.map((group) => ({
    name: `${group.name} that AAP has made`,
    left: async () =>
      (await listed(work, group, selectors)).filter(({ object }) => parentUidOf(object.metadata) === undefined),
  }));
}

/** Elsewhere only a copy bears these marks, such as one that a backup was restored to: it is not ours. */
function known({ caches, identity }: Work, { kinds }: Group): readonly Doomed[] {
  return kinds.flatMap(({ type, known: all }) =>
    all(caches, identity.uid)
      .filter(({ metadata }) => metadata.namespace === identity.tenantNamespace)
      .map((object) => ({ type, object })),
  );
}

async function listed(work: Work, { kinds }: Group, selectors: readonly string[]): Promise<readonly Doomed[]> {
  const each = kinds.flatMap(({ type }) => selectors.map((labelSelector) => list(work, type, labelSelector)));
  return (await Promise.all(each)).flat();
}

async function list(work: Work, type: ResourceType<KubeObject>, labelSelector: string): Promise<readonly Doomed[]> {
  const { cluster, identity, signal } = work;
  const namespace = identity.tenantNamespace;
  if (type === secrets && (await haveNoSecrets(work))) return [];
  try {
    const { items } = await cluster.client.list(type, { namespace, labelSelector, metadataOnly: true, signal });
    return items.map((object) => ({ type, object }));
  } catch (error) {
    // A kind that is not served has no objects.
    if (isNotFound(error)) return [];
    throw error;
  }
}
