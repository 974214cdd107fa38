/** What of an object enters a cache. */
import type { KubeObject } from '../object.ts';
import { apiVersionOf } from '../resource-type.ts';
import type { ResourceType } from '../resource-type.ts';
import type { Projection } from './informer.ts';

/** All but managedFields, which are up to half of an object and which no controller reads. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  // Rebuilt and not deleted from: V8 keeps objects that lost a field in its slow form.
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}

export function wholeObject<T extends KubeObject>(): Projection<T, T> {
  return { name: 'whole', project: withoutManagedFields };
}

/** Items of lists carry no apiVersion and kind, and metadata-only objects carry those of the envelope: in a cache all look alike. */
export function named<T extends KubeObject>(type: ResourceType<T>, object: T, metadataOnly: boolean): T {
  const apiVersion = apiVersionOf(type);
  if (metadataOnly) return { apiVersion, kind: type.kind, metadata: object.metadata } as T;
  if (object.kind === type.kind && object.apiVersion === apiVersion) return object;
  return { ...object, apiVersion, kind: type.kind };
}
