/** Converts a server's answer to one page of a list. */
import { KubeError } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { apiVersionOf, type ResourceType } from '../resource-type.ts';
import type { ObjectList } from './client.ts';

interface Page<T> {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  /** A Go server sends null for an empty list. */
  readonly items?: readonly T[] | null;
}

export function listOf<T extends KubeObject>(type: ResourceType<T>, page: Page<T>, prefix: string): ObjectList<T> {
  if (page.items === undefined) throw new KubeError('Malformed', `${prefix}: the answer is not a list`);
  const { resourceVersion = '', continue: token = '', remainingItemCount } = page.metadata ?? {};
  return {
    items: (page.items ?? []).map((item) => named(type, item)),
    resourceVersion,
    ...(token !== '' && { continue: token }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

/** Items of built-in lists have no apiVersion and kind; objects in watches do. */
function named<T extends KubeObject>(type: ResourceType<T>, item: T): T {
  return item.kind === undefined ? { apiVersion: apiVersionOf(type), kind: type.kind, ...item } : item;
}
