/**
 * Legacy discovery, with one document per group and version: `/api`, `/api/v1`, `/apis`, `/apis/GROUP`,
 * `/apis/GROUP/VERSION`.
 */
import type { JsonObject } from '../../values/json.ts';
import type { ServedGroup } from './groups.ts';
import type { ServedResource } from './served-resource.ts';

/** `/api`. `serverAddress` is the host and port that clients use. */
export function apiVersions(versions: readonly string[], serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: [...versions],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis`. */
export function apiGroupList(groups: readonly ServedGroup[]): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupEntry) };
}

/** `/apis/GROUP`. */
export function apiGroup(group: ServedGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

/**
 * `/api/v1` and `/apis/GROUP/VERSION`. The list of the core group has no apiVersion, because it is older than that
 * field.
 */
export function apiResourceList(group: string, version: string, resources: readonly ServedResource[]): JsonObject {
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion(group, version),
    resources: resources.flatMap(resourceEntries),
  };
}

function groupEntry({ name, versions }: ServedGroup): JsonObject {
  const entries = versions.map(({ version }) => ({ groupVersion: groupVersion(name, version), version }));
  return { name, versions: entries, ...(entries[0] === undefined ? {} : { preferredVersion: entries[0] }) };
}

function resourceEntries(resource: ServedResource): JsonObject[] {
  const {
    name,
    singularName,
    namespaced,
    kind,
    verbs,
    shortNames = [],
    categories = [],
    storageVersionHash,
  } = resource;
  const main: JsonObject = {
    name,
    singularName,
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  };
  const subresources = (resource.subresources ?? []).map((subresource) => ({
    name: `${name}/${subresource.name}`,
    singularName: '',
    namespaced,
    ...(subresource.group === undefined ? {} : { group: subresource.group }),
    ...(subresource.version === undefined ? {} : { version: subresource.version }),
    kind: subresource.kind,
    verbs: [...subresource.verbs],
  }));
  return [main, ...subresources];
}

function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
