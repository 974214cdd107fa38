/**
 * `Ingest` prepares an object for a cache: sets apiVersion and kind, projects it, and freezes it in tests. It keeps no
 * reference to the raw object.
 */
import type { KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import { deepFreeze } from './freeze.ts';
import type { Projected, Projection } from './informer.ts';
import { named } from './projection.ts';

export interface IngestOptions<T extends KubeObject, P extends Projected> {
  readonly type: ResourceType<T>;
  readonly projection: Projection<T, P>;
  readonly metadataOnly: boolean;
  readonly freeze: boolean;
  readonly failed: (object: T, error: unknown) => void;
}

/** `Ingest` returns undefined when the projection failed: the cache keeps its previous version. */
export type Ingest<T extends KubeObject, P extends Projected> = (object: T) => P | undefined;

export function createIngest<T extends KubeObject, P extends Projected>(options: IngestOptions<T, P>): Ingest<T, P> {
  const { type, projection, metadataOnly, freeze, failed } = options;
  return (object) => {
    try {
      const projected = projection.project(named(type, object, metadataOnly));
      return freeze ? deepFreeze(projected) : projected;
    } catch (error) {
      failed(object, error);
      return undefined;
    }
  };
}
