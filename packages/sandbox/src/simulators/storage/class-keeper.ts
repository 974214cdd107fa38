/**
 * Creates missing storage classes and the driver, at each start only: a user who changes or deletes them later has a
 * reason.
 */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { watches } from '@ssvirt/kube/controller/sources';
import { isKind } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { storageClasses } from '../kubevirt/objects.ts';
import { given } from '../sources.ts';
import type { World } from '../world.ts';
import { csiDriver, csiDrivers, DEFAULT_CLASS, DRIVER, LOCAL, STANDARD, storageClass } from './classes.ts';

export function classKeeper(world: World): Controller {
  const cluster = world.as('csi-provisioner');
  const known = cluster.informers.informer(storageClasses);
  const create = async (type: ResourceType, object: Unstructured): Promise<void> => {
    try {
      await cluster.client.create(type, object);
    } catch (error) {
      // A sandbox does not serve CSIDrivers, and no component reads this one.
      if (!isKind(error, 'AlreadyExists', 'NotFound')) throw error;
    }
  };
  const controller = createController({
    name: 'storage-classes',
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [
      given('storage', () => [DRIVER, STANDARD, LOCAL].map((name) => ({ name }))),
      watches(known, () => []),
    ],
    reconcile: ({ name }) => {
      if (name === DRIVER) return create(csiDrivers, csiDriver());
      const hasDefault = known.list().some(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true');
      return create(storageClasses, storageClass(name, name === STANDARD && !hasDefault));
    },
  });
  controller.engage(cluster);
  return controller;
}
