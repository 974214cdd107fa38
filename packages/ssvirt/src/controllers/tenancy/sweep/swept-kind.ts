/** The kinds that are swept, and how their rows are found. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../../db/schema/schema.ts';
import { vappPlaces, vmPlaces, type SweptPlace } from '../../../db/vms/swept-places.ts';
import type { KubeObject, ObjectMeta } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { labels } from '../../../kubevirt/tenant-vm/labels.ts';
import { templateInstances, virtualMachines } from '../../../fleet/kinds.ts';
import { rowNamed } from './orphan-decision.ts';

export interface SweptKind {
  readonly type: ResourceType<KubeObject>;
  /** The rows of these objects, by the uid of the object. */
  placesOf(db: Kysely<Tables>, objects: readonly ObjectMeta[]): Promise<ReadonlyMap<string, SweptPlace>>;
}

export const sweptKinds: readonly SweptKind[] = [
  {
    type: virtualMachines,
    /** A VM that a template created and that has no row has only the id of its vApp in its labels. */
    async placesOf(db, objects) {
      const own = await places(objects, labels.vmId, (ids) => vmPlaces(db, ids));
      const unnamed = objects.filter((object) => rowNamed(object, labels.vmId) === undefined);
      const shared = await places(unnamed, labels.vappId, (ids) => vappPlaces(db, ids));
      // The uid recorded for a vApp is that of its TemplateInstance and says nothing about its VMs.
      return new Map([...own, ...[...shared].map(([uid, place]) => [uid, { ...place, uid: null }] as const)]);
    },
  },
  {
    type: templateInstances,
    placesOf: (db, objects) => places(objects, labels.vappId, (ids) => vappPlaces(db, ids)),
  },
];

async function places(
  objects: readonly ObjectMeta[],
  label: string,
  read: (ids: readonly string[]) => Promise<readonly SweptPlace[]>,
): Promise<ReadonlyMap<string, SweptPlace>> {
  const named = objects.map((object) => [object.uid ?? '', rowNamed(object, label)] as const);
  const ids = new Set(named.flatMap(([, id]) => id ?? []));
  const byId = new Map((await read([...ids])).map((place) => [place.id, place]));
  return new Map(
    named.flatMap(([uid, id]) => {
      const place = id === undefined ? undefined : byId.get(id);
      return place === undefined ? [] : [[uid, place] as const];
    }),
  );
}
