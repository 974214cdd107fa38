/** Which part of an object a cache keeps. */
import type { KubeObject } from '../object.ts';
import { apiVersionOf } from '../resource-type.ts';
import type { ResourceType } from '../resource-type.ts';
import type { Projection } from './informer.ts';

/** `withoutManagedFields` removes managedFields, which make up to half of an object and which no controller reads. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  // Rebuilt instead of deleted from: V8 keeps objects that lost a property in dictionary mode.
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}

export function wholeObject<T extends KubeObject>(): Projection<T, T> {
  return { name: 'whole', project: withoutManagedFields };
}

/**
 * Items of lists have no apiVersion and kind, and metadata-only objects have those of the envelope: in a cache all are
 * alike.
 */
export function named<T extends KubeObject>(type: ResourceType<T>, object: T, metadataOnly: boolean): T {
  const apiVersion = apiVersionOf(type);
  if (metadataOnly) return { apiVersion, kind: type.kind, metadata: object.metadata } as T;
  if (object.kind === type.kind && object.apiVersion === apiVersion) return object;
  return { ...object, apiVersion, kind: type.kind };
}
