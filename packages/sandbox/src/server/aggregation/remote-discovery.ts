/**
 * Reads the resources of an extension server, in the form of aggregated discovery, from whichever discovery the server
 * has.
 */
import { aggregatedMediaType } from '../discovery/negotiation.ts';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { discoveryPath } from './availability.ts';
import type { RemoteService } from './api-service.ts';
import type { Fetched } from './extension-connection.ts';
import type { Headers } from './front-proxy.ts';

const ACCEPT = `${aggregatedMediaType},${aggregatedMediaType.replace('v=v2', 'v=v2beta1')}`;
const NO_KIND = { group: '', version: '', kind: '' };

export type Get = (path: string, headers: Headers) => Promise<Fetched>;

/**
 * Returns undefined when the server does not list this version; throws when it cannot be reached or sends an invalid
 * document.
 */
export async function fetchResources(service: RemoteService, get: Get): Promise<JsonObject[] | undefined> {
  const aggregated = await get('/apis', { Accept: ACCEPT });
  if (aggregated.status === 503) throw new Error(`service returned non-success response code: ${aggregated.status}`);
  if (aggregated.status === 200 && isAggregated(aggregated.headers['content-type'] ?? ''))
    return fromAggregated(service, parse(aggregated.body));
  const path = discoveryPath(service);
  const legacy = await get(path, { Accept: 'application/json' });
  if (legacy.status !== 200) throw new Error(`failed to download legacy discovery for ${path}`);
  return fromLegacy(objects(parse(legacy.body)['resources']));
}

function isAggregated(contentType: string): boolean {
  const parameters = new Set(contentType.split(';').map((part) => part.trim()));
  return (
    parameters.has('g=apidiscovery.k8s.io') &&
    parameters.has('as=APIGroupDiscoveryList') &&
    (parameters.has('v=v2') || parameters.has('v=v2beta1'))
  );
}

function fromAggregated({ group, version }: RemoteService, document: JsonObject): JsonObject[] | undefined {
  const groups = objects(document['items']).filter(
    ({ metadata }) => isObject(metadata) && (metadata['name'] ?? '') === group,
  );
  const found = groups.flatMap(({ versions }) => objects(versions)).find((entry) => entry['version'] === version);
  if (found === undefined || found['resources'] === undefined) return undefined;
  return objects(found['resources']).map((resource) => {
    const subresources = objects(resource['subresources']).map((subresource) => ({
      ...subresource,
      responseKind: subresource['responseKind'] ?? NO_KIND,
    }));
    return {
      ...resource,
      responseKind: resource['responseKind'] ?? NO_KIND,
      ...(subresources.length === 0 ? {} : { subresources }),
    };
  });
}

/** A subresource whose resource is not listed, as in KubeVirt, gets an entry without verbs. */
export function fromLegacy(list: readonly JsonObject[]): JsonObject[] {
  const found = new Map<string, { entry: JsonObject; subresources: JsonObject[] }>();
  for (const resource of list) {
    const name = String(resource['name']);
    if (!name.includes('/')) found.set(name, { entry: resourceEntry(name, resource), subresources: [] });
  }
  for (const resource of list) {
    const [name = '', ...rest] = String(resource['name']).split('/');
    if (rest.length === 0) continue;
    const parent = found.get(name) ?? { entry: orphanEntry(name, resource), subresources: [] };
    if (parent.entry['scope'] !== scope(resource))
      throw new Error(`Parent ${name} and subresource ${rest.join('/')} scope do not match`);
    parent.subresources.push({
      subresource: rest.join('/'),
      responseKind: responseKind(resource),
      verbs: verbs(resource),
    });
    found.set(name, parent);
  }
  return [...found.values()].map(({ entry, subresources }) =>
    subresources.length === 0 ? entry : { ...entry, subresources },
  );
}

function resourceEntry(name: string, resource: JsonObject): JsonObject {
  const entry: JsonObject = {
    resource: name,
    responseKind: responseKind(resource),
    scope: scope(resource),
    singularResource: resource['singularName'] ?? '',
    verbs: verbs(resource),
  };
  for (const key of ['shortNames', 'categories']) {
    const value = resource[key];
    if (Array.isArray(value) && value.length > 0) entry[key] = value;
  }
  return entry;
}

function orphanEntry(name: string, subresource: JsonObject): JsonObject {
  return { resource: name, responseKind: NO_KIND, scope: scope(subresource), singularResource: '', verbs: null };
}

function responseKind({ group, version, kind }: JsonObject): JsonObject {
  return (kind ?? '') === '' ? NO_KIND : { group: group ?? '', version: version ?? '', kind: kind ?? '' };
}

function scope({ namespaced }: JsonObject): string {
  return namespaced === true ? 'Namespaced' : 'Cluster';
}

function verbs(resource: JsonObject): Json {
  return resource['verbs'] ?? null;
}

function parse(text: string): JsonObject {
  const value = JSON.parse(text) as Json;
  if (!isObject(value)) throw new Error('the discovery document is no object');
  return value;
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
