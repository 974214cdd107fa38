/** The way of an object into a cache: named alike, cut down to what is kept, and frozen in tests. The raw object is not held on to. */
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

/** Undefined where the projection failed: what was known of the object stays. */
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
