/** Creates objects that must exist, and retries until they do. */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { isKind } from '@ssvirt/kube/errors';
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { given } from './sources.ts';
import type { Component, World } from './world.ts';

export interface Placed {
  readonly type: ResourceType<KubeObject>;
  readonly object: KubeObject;
}

export function place<T extends KubeObject>(type: ResourceType<T>, objects: readonly T[]): readonly Placed[] {
  return objects.map((object) => ({ type, object }));
}

const CONCURRENCY = 16;

export function placeObjects(world: World, name: string, as: Component, placed: readonly Placed[]): Controller {
  const byKey = new Map(placed.map((one) => [`${one.type.plural}.${keyOf(one.object.metadata)}`, one]));
  const cluster = world.as(as);
  const controller = createController({
    name,
    concurrency: CONCURRENCY,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [given(name, () => [...byKey.keys()].map((key) => ({ name: key })))],
    async reconcile(key, { signal }) {
      const one = byKey.get(key.name);
      if (one === undefined) return;
      try {
        await cluster.client.create(one.type, one.object, { signal });
      } catch (error) {
        if (!isKind(error, 'AlreadyExists')) throw error;
      }
    },
  });
  controller.engage(cluster);
  return controller;
}
