/**
 * What is left of an order in its tenant namespace, in deletion order: the VM goes before the things it uses. Objects
 * are found by the labels of this order and not by name, so that the objects of custom templates are found, too.
 */
import { isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import type { DeletionStep, Doomed } from '@ssvirt/kube/reconcile/delete-in-order';
import { childrenSelector, parentUidOf } from '@ssvirt/kube/reconcile/owners';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { claims, configMaps, dataVolumes, instances, secrets, services, virtualMachines } from '../../fleet/kinds.ts';
import { canBeLabel } from '../../kubevirt/order/names.ts';
import { labels } from '../../kubevirt/order/resource.ts';
import type { OrderCaches } from './operator/caches.ts';
import { childrenOf } from './parents.ts';
import { haveNoSecrets } from './operator/secret-rights.ts';
import type { OrderWork } from './work.ts';

interface Kind {
  readonly type: ResourceType<KubeObject>;
  /** The cached objects of an order. */
  readonly known: (caches: OrderCaches, uid: string) => readonly KubeObject[];
}

interface Group {
  readonly name: string;
  readonly kinds: readonly Kind[];
}

/** The VirtualMachine normally deletes its instance. The second group handles an instance that was left behind. */
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

/**
 * First deletes the objects in the caches. Finally lists the cluster itself, because the label that a cache watches may
 * have been removed from an object.
 */
export function ownObjects(work: OrderWork): readonly DeletionStep[] {
  const labelSelector = childrenSelector(work.order);
  return [
    ...groups.map((group) => ({ name: group.name, left: () => known(work, group) })),
    ...groups.map((group) => ({ name: group.name, left: () => listed(work, group, [labelSelector]) })),
  ];
}

/** All remaining objects, from the caches. */
export function knownObjects(work: OrderWork): readonly Doomed[] {
  return groups.flatMap((group) => known(work, group));
}

/** The objects that AAP's roles created under the order's name and that were not adopted since. */
export function objectsOfAap(work: OrderWork): readonly DeletionStep[] {
  const { name: value } = work.identity;
  if (!canBeLabel(value)) return [];
  const selectors = [`${labels.order}=${value}`, `${labels.instance}=${value},!${labels.order}`];
  return groups.map((group) => ({
    name: `${group.name} that AAP has made`,
    left: async () =>
      (await listed(work, group, selectors)).filter(({ object }) => parentUidOf(object.metadata) === undefined),
  }));
}

/** In another namespace only a copy can carry these labels, for example one restored from a backup. It is not ours. */
function known({ caches, identity }: OrderWork, { kinds }: Group): readonly Doomed[] {
  return kinds.flatMap(({ type, known: all }) =>
    all(caches, identity.uid)
      .filter(({ metadata }) => metadata.namespace === identity.tenantNamespace)
      .map((object) => ({ type, object })),
  );
}

async function listed(work: OrderWork, { kinds }: Group, selectors: readonly string[]): Promise<readonly Doomed[]> {
  const each = kinds.flatMap(({ type }) => selectors.map((labelSelector) => list(work, type, labelSelector)));
  return (await Promise.all(each)).flat();
}

async function list(
  work: OrderWork,
  type: ResourceType<KubeObject>,
  labelSelector: string,
): Promise<readonly Doomed[]> {
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
