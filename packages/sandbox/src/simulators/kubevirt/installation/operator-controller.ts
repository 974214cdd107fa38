/**
 * virt-operator and cdi-operator, as far as users see them: they maintain the status of the object for the
 * installation.
 */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import type { ObjectKey, Unstructured } from '@ssvirt/kube/object';
import { watches } from '@ssvirt/kube/controller/sources';
import { patchStatus, type WithStatus } from '@ssvirt/kube/reconcile/status-patch';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { now, numberAt } from '../../../objects/kinds/values/fields.ts';
import type { Component, World } from '../../world.ts';
import { daemonSets, deployments, type Workload } from './workloads.ts';

export interface Operated {
  readonly name: string;
  readonly as: Component;
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly workloads: readonly Workload[];
  readonly daemons?: Workload;
  status(
    object: Unstructured,
    found: { readonly ready: boolean; readonly generations: readonly JsonObject[] },
    now: string,
  ): object;
}

export function operatorController(world: World, operated: Operated): Controller {
  const cluster = world.as(operated.as);
  const { informers, client } = cluster;
  const objects = informers.informer(operated.type);
  const made = informers.informer(deployments);
  const daemons = informers.informer(daemonSets);
  const self = (): readonly ObjectKey[] => [operated.key];
  const namespace = operated.workloads[0]?.namespace;
  const isNear = ({ object }: { readonly object: Unstructured }): boolean => object.metadata.namespace === namespace;
  const controller = createController({
    name: operated.name,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [watches(objects, self), watches(made, self, isNear), watches(daemons, self, isNear)],
    async reconcile(_key, { signal }) {
      const object = objects.get(operated.key);
      if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
      const found = [
        ...operated.workloads.map((one) => ({ resource: 'deployments', object: made.get(one) })),
        ...(operated.daemons === undefined ? [] : [{ resource: 'daemonsets', object: daemons.get(operated.daemons) }]),
      ];
      const ready = found.every(({ object: one }) => one !== undefined && isUp(one));
      const generations = found.flatMap(({ resource, object: one }) =>
        one === undefined ? [] : [generationOf(resource, one)],
      );
      const type = operated.type as unknown as ResourceType<WithStatus>;
      await patchStatus(client, type, object as WithStatus, operated.status(object, { ready, generations }, now()), {
        signal,
      });
    },
  });
  controller.engage(cluster);
  return controller;
}

const part = (object: Unstructured, field: string): JsonObject | undefined => {
  const value = object[field] as Json | undefined;
  return isObject(value) ? value : undefined;
};

/** True if at least one pod is wanted, and all wanted pods run. */
export function isUp(workload: Unstructured): boolean {
  const status = part(workload, 'status');
  if (workload.kind === 'DaemonSet' || status?.['desiredNumberScheduled'] !== undefined)
    return status !== undefined && numberAt(status, 'numberReady') >= numberAt(status, 'desiredNumberScheduled');
  const wanted = part(workload, 'spec')?.['replicas'] ?? 1;
  return typeof wanted === 'number' && wanted > 0 && numberAt(status, 'readyReplicas') >= wanted;
}

function generationOf(resource: string, { metadata }: Unstructured): JsonObject {
  return {
    group: 'apps',
    resource,
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    lastGeneration: metadata.generation ?? 1,
  };
}
