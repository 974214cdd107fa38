/** `InformerContext` is what all informers and ledgers of a cluster share. */
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Client, Selection } from '../client/client.ts';
import type { KubeObject } from '../object.ts';
import type { ReflectorMeasures } from '../reflector/measures.ts';
import type { ReflectorOptions } from '../reflector/options.ts';
import { Reflector } from '../reflector/reflector.ts';
import type { ReflectorSink } from '../reflector/sink.ts';
import type { WatchListMemory } from '../reflector/watch-list-memory.ts';
import type { ResourceType } from '../resource-type.ts';
import type { CacheMeasures } from './cache-measures.ts';
import type { DeletionCheckOptions } from './deletion-check.ts';
import type { InformerOptions } from './informer.ts';

export interface InformerContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger | undefined;
  readonly reflector: Partial<ReflectorOptions>;
  readonly deletionCheck: DeletionCheckOptions;
  readonly freeze: boolean;
  readonly reflectorMeasures: ReflectorMeasures;
  readonly cacheMeasures: CacheMeasures;
  readonly watchLists: WatchListMemory;
}

export interface ReflectorScope<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly namespace: string | undefined;
  readonly options: InformerOptions;
  /** See `WatchOptions.withoutManagedFields`. */
  readonly withoutManagedFields?: boolean;
  readonly sink: ReflectorSink<T>;
  /** Called after each failure, when the reflector's health already shows it. */
  readonly failed: () => void;
}

/** One reflector per element; undefined means all namespaces. */
export function namespacesOf({ namespaces }: InformerOptions): readonly (string | undefined)[] {
  if (namespaces === undefined) return [undefined];
  if (namespaces.length === 0) throw new Error('namespaces is empty; name at least one, or omit it to watch all');
  return [...new Set(namespaces)];
}

/** `covers` returns whether all scopes that contain the namespace have been listed. */
export function covers(
  scopes: readonly { readonly namespace: string | undefined; readonly listed: boolean }[],
  namespace: string | undefined,
): boolean {
  const meant = scopes.filter(
    (scope) => [scope.namespace, namespace].includes(undefined) || scope.namespace === namespace,
  );
  return meant.length > 0 && meant.every(({ listed }) => listed);
}

/** `reflectorOf` creates the reflector of one namespace, or of all. */
export function reflectorOf<T extends KubeObject>(scope: ReflectorScope<T>, context: InformerContext): Reflector<T> {
  const { type, namespace, options, withoutManagedFields = false, sink, failed } = scope;
  const { client, clock, log, reflector, reflectorMeasures, watchLists } = context;
  const selection: Selection = {
    ...(namespace !== undefined && { namespace }),
    ...(options.labelSelector !== undefined && { labelSelector: options.labelSelector }),
    ...(options.fieldSelector !== undefined && { fieldSelector: options.fieldSelector }),
  };
  const onFailure = (error: Error): void => {
    failed();
    reflector.onFailure?.(error);
  };
  const what = { client, type, selection, metadataOnly: options.metadataOnly === true, withoutManagedFields };
  return new Reflector<T>(what, sink, {
    options: { ...reflector, ...(options.consistent === true && { lists: 'consistent' }), onFailure },
    clock,
    measures: reflectorMeasures,
    watchLists,
    ...(log !== undefined && { log }),
  });
}
