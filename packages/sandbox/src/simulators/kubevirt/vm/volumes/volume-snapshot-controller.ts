/**
 * A separate writer in virt-controller: it maintains `status.volumeSnapshotStatuses` of every VM. It is usually the
 * first to write a VM's status, which is why a VM shows Stopped (the definition's default) before the VM controller has
 * reconciled it.
 */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Request } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import { isNotFound } from '@ssvirt/kube/errors';
import { keyOfObject, type KubeObject, type ObjectKey, type Unstructured } from '@ssvirt/kube/object';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { World } from '../../../world.ts';
import { virtualMachines } from '../../objects.ts';
import { BY_CLAIM, BY_PLAIN_CLAIM, cachesOf, type VmCaches } from '../caches.ts';
import { same } from '../domain.ts';
import { snapshotClassesOf } from './snapshot-classes.ts';
import { volumeSnapshotStatuses } from './volume-snapshots.ts';

export function createVolumeSnapshotController(world: World): Controller {
  const cluster = world.as('virt-controller');
  const caches = cachesOf(cluster.informers);
  const classes = snapshotClassesOf(cluster.client);
  const users = (index: string) =>
    enqueueMapped(({ metadata }: KubeObject): readonly ObjectKey[] =>
      caches.vms.byIndex(index, `${metadata.namespace}/${metadata.name}`).map(keyOfObject),
    );
  const controller = createController({
    name: 'virt-controller-volume-snapshot-status',
    sources: () => [
      watches(caches.vms, enqueueObject),
      watches(caches.dataVolumes, users(BY_CLAIM)),
      watches(caches.claims, users(BY_PLAIN_CLAIM)),
      watches(caches.storageClasses, () => []),
    ],
    concurrency: 16,
    needsLeadership: false,
    reconcile: async (request, { signal }) => write(cluster, caches, await classes(), request, signal),
    log: world.log,
    metrics: world.metrics,
  });
  controller.engage(cluster);
  return controller;
}

async function write(
  { client }: Cluster,
  caches: VmCaches,
  snapshotClasses: readonly Unstructured[],
  { namespace = '', name }: Request,
  signal: AbortSignal,
): Promise<void> {
  const vm = caches.vms.get({ namespace, name });
  if (vm === undefined) return;
  const statuses = volumeSnapshotStatuses(vm, {
    claim: (claim) => caches.claims.get({ namespace, name: claim }),
    storageClass: (storageClass) => caches.storageClasses.get({ name: storageClass }),
    snapshotClasses,
  });
  if (same(statuses, vm.status?.['volumeSnapshotStatuses'] ?? [])) return;
  // No resourceVersion is needed: only this controller writes the field, and a change of the volumes triggers another
  // reconcile.
  const { uid } = vm.metadata;
  const volumes = statuses.length === 0 ? null : statuses;
  const body = { metadata: { uid }, status: { volumeSnapshotStatuses: volumes } };
  try {
    await client.patch(
      virtualMachines,
      { namespace, name },
      { type: 'merge', body },
      { subresource: 'status', signal },
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
