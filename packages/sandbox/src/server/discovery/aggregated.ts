/**
 * Aggregated discovery: one document for `/api` and one for `/apis` that contain all resources (APIGroupDiscoveryList
 * v2).
 */
import type { JsonObject } from '../../values/json.ts';
import type { ServedGroup, ServedVersion } from './groups.ts';
import { isCustom } from './served-resource.ts';
import type { ServedResource, ServedSubresource } from './served-resource.ts';

export function groupDiscoveryList(groups: readonly ServedGroup[]): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group.name === '' ? {} : { name: group.name },
      versions: group.versions.map(versionEntry),
    })),
  };
}

function versionEntry({ version, resources, remote }: ServedVersion): JsonObject {
  if (remote !== undefined) {
    const listed = remote.resources === undefined ? {} : { resources: [...remote.resources] };
    return { version, ...listed, freshness: remote.stale === true ? 'Stale' : 'Current' };
  }
  // Here, and only here, the CRDs of a version are sorted by name.
  const sorted = resources.some(isCustom) ? resources.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : resources;
  return { version, resources: sorted.map(resourceEntry), freshness: 'Current' };
}

function resourceEntry(resource: ServedResource): JsonObject {
  const { name, singularName, namespaced, kind, verbs, shortNames = [], categories = [], subresources = [] } = resource;
  return {
    resource: name,
    responseKind: responseKind(resource, { kind }),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singularName,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(subresources.length === 0
      ? {}
      : { subresources: subresources.map((subresource) => subresourceEntry(resource, subresource)) }),
  };
}

function subresourceEntry(resource: ServedResource, subresource: ServedSubresource): JsonObject {
  return {
    subresource: subresource.name,
    responseKind: responseKind(resource, subresource),
    verbs: [...subresource.verbs],
  };
}

/** Built-in resources leave group and version empty when they equal the resource's own; CRDs always set them. */
function responseKind(resource: ServedResource, of: Pick<ServedSubresource, 'kind' | 'group' | 'version'>): JsonObject {
  const own = isCustom(resource) ? resource : { group: '', version: '' };
  return { group: of.group ?? own.group, version: of.version ?? own.version, kind: of.kind };
}
