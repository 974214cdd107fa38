/**
 * Whom a change concerns. A handler is a function of what it is given and of the caches, and does no input or output: a change that fails on
 * its way to the queue would be lost.
 */
import type { Projected } from '../cache/informer.ts';
import { keyOfObject, type ObjectKey } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import type { Change } from './change.ts';

/** Without a cluster, the one in which the change happened. */
export interface Target extends ObjectKey {
  readonly cluster?: string;
}

export type ChangeHandler<P extends Projected> = (change: Change<P>, cluster: string) => Iterable<Target>;

/** The object itself. */
export const enqueueObject: ChangeHandler<Projected> = ({ object }) => [keyOfObject(object)];

export interface OwnerOptions {
  /** The one owner that controls the object; all owners of the kind unless said. */
  readonly controllerOnly?: boolean;
}

/**
 * The owners of the object that are of this kind, before and after an update: a child that changes hands concerns both. The version does not
 * matter: a reference may have been written with an older one.
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

/** What `map` says. An update maps both what was and what is, so that nobody who lost the object misses it. */
export function enqueueMapped<P extends Projected>(
  map: (object: P, cluster: string) => Iterable<Target>,
): ChangeHandler<P> {
  return function* (change, cluster) {
    try {
      if (change.type === 'updated') yield* map(change.before, cluster);
    } finally {
      // What is concerns somebody even where what was cannot be mapped; the error goes on afterwards.
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
