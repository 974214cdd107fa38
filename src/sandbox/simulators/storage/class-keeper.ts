/** Puts the classes and the driver there, once, and when they are missing at a start: whoever changes or deletes them meanwhile has a reason. */
import { isKind } from '../../../kube/errors.ts';
import type { Runnable } from '../../../kube/manager/runnable.ts';
import type { Unstructured } from '../../../kube/object.ts';
import type { ResourceType } from '../../../kube/resource-type.ts';
import { storageClasses } from '../kubevirt/objects.ts';
import type { World } from '../world.ts';
import { csiDriver, csiDrivers, DEFAULT_CLASS, LOCAL, STANDARD, storageClass } from './classes.ts';

export function classKeeper(world: World): Runnable {
  return {
    name: 'storage-classes',
    needsLeadership: false,
    async run({ signal }) {
      const { client, informers } = world.as('csi-provisioner');
      const known = informers.informer(storageClasses);
      await known.synced(signal);
      if (signal.aborted) return;
      const hasDefault = known.list().some(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true');
      const create = async (type: ResourceType, object: Unstructured): Promise<void> => {
        try {
          await client.create(type, object, { signal });
        } catch (error) {
          if (!isKind(error, 'AlreadyExists', 'Aborted')) throw error;
        }
      };
      await create(csiDrivers, csiDriver());
      await create(storageClasses, storageClass(STANDARD, !hasDefault));
      await create(storageClasses, storageClass(LOCAL, false));
    },
  };
}
