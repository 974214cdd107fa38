/**
 * Handlers map a change to requests. A handler depends only on its arguments and on caches and does no I/O: a change
 * that failed on its way to the queue would be lost.
 */
import type { Projected } from '../informer/informer.ts';
import { keyOfObject, type ObjectKey } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import type { Change } from './change.ts';

/** Without `cluster`, the target is in the cluster of the change. */
export interface Target extends ObjectKey {
  readonly cluster?: string;
}

export type ChangeHandler<P extends Projected> = (change: Change<P>, cluster: string) => Iterable<Target>;

/** `enqueueObject` enqueues the object itself. */
export const enqueueObject: ChangeHandler<Projected> = ({ object }) => [keyOfObject(object)];

export interface OwnerOptions {
  /** Only the owner that controls the object. By default all owners of the kind. */
  readonly controllerOnly?: boolean;
}

/**
 `enqueueOwner` * Enqueues the owners of this kind, before and after an update: a child that changes its owner concerns both. The
 * version is ignored, because the reference may have been written with an older one.
 */
export function enqueueOwner(
  owner: Pick<ResourceType, 'group' | 'kind' | 'namespaced'>,
  { controllerOnly = false }: OwnerOptions = {},
): ChangeHandler<Projected> {
  return enqueueMapped(({ metadata }: Projected) =>
    (metadata.ownerReferences ?? [])
      .filter(
        ({ apiVersion, kind, controller }) =>
          kind === owner.kind && groupOf(apiVersion) === owner.group && (!controllerOnly || controller === true),
      )
      .map(({ name }) => withNamespace(name, owner.namespaced ? metadata.namespace : undefined)),
  );
}

/**
 `enqueueMapped` * Enqueues what `map` returns. An update maps both the old and the new object, so that a target that lost the object is
 * enqueued too.
 */
export function enqueueMapped<P extends Projected>(
  map: (object: P, cluster: string) => Iterable<Target>,
): ChangeHandler<P> {
  return function* (change, cluster) {
    try {
      if (change.type === 'updated') yield* map(change.before, cluster);
    } finally {
      // The new object is mapped even when the old one cannot be; the error is thrown afterwards.
      yield* map(change.object, cluster);
    }
  };
}

function withNamespace(name: string, namespace: string | undefined): ObjectKey {
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
