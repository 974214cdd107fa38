/** `ResourceType` is a kind and where it is served. `T` exists for the compiler only: objects stay plain JSON. */
import type { KubeObject, ObjectKey, Unstructured } from './object.ts';

export interface ResourceType<T extends KubeObject = Unstructured> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never present at run time: carries `T` through inference. */
  readonly shape?: T;
}

export function apiVersionOf({ group, version }: Pick<ResourceType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `virtualmachines.kubevirt.io`, as kubectl and RBAC name it. */
export function resourceName({ group, plural }: Pick<ResourceType, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** `pathOf` returns the path of a collection, of one object, or of its subresource. */
export function pathOf(type: ResourceType<KubeObject>, key: Partial<ObjectKey> = {}, subresource?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scope =
    type.namespaced && key.namespace !== undefined ? `/namespaces/${encodeURIComponent(key.namespace)}` : '';
  const name = key.name === undefined ? '' : `/${encodeURIComponent(key.name)}`;
  return `${root}${scope}/${type.plural}${name}${subresource === undefined ? '' : `/${subresource}`}`;
}
