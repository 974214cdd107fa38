/** One page of a list, out of what the server sends. */
import { ApiError } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { apiVersionOf, type ResourceType } from '../resource-type.ts';
import type { ObjectList } from './client.ts';

interface Page<T> {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  /** Null where a Go server had nothing to list. */
  readonly items?: readonly T[] | null;
}

export function listOf<T extends KubeObject>(type: ResourceType<T>, page: Page<T>, prefix: string): ObjectList<T> {
  if (page.items === undefined) throw new ApiError('Malformed', `${prefix}: no list came`);
  const { resourceVersion = '', continue: token = '', remainingItemCount } = page.metadata ?? {};
  return {
    items: (page.items ?? []).map((item) => named(type, item)),
    resourceVersion,
    ...(token !== '' && { continue: token }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

/** In lists of built-in kinds the items do not say what they are; in watches they do. */
function named<T extends KubeObject>(type: ResourceType<T>, item: T): T {
  return item.kind === undefined ? { apiVersion: apiVersionOf(type), kind: type.kind, ...item } : item;
}
