/** All discovery documents for one set of resources, built on demand and cached until the set changes. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../values/json.ts';
import { groupDiscoveryList } from './aggregated.ts';
import { groupsByName, groupsByService } from './groups.ts';
import type { ServedGroup } from './groups.ts';
import { apiGroup, apiGroupList, apiResourceList } from './legacy.ts';
import type { RemoteVersion, ServedResource } from './served-resource.ts';

export interface TaggedDocument {
  readonly document: JsonObject;
  /** Includes the quotes, as in the header. */
  readonly etag: string;
}

export interface DiscoverySource {
  resources(): readonly ServedResource[];
  remote?(): readonly RemoteVersion[];
}

interface Built {
  readonly groups: ServedGroup[];
  readonly byService: ServedGroup[];
  readonly legacy: Map<string, JsonObject>;
  readonly aggregated: Map<'/api' | '/apis', TaggedDocument>;
}

export class Discovery {
  readonly #source: DiscoverySource;
  #built: Built | undefined;

  constructor(source: DiscoverySource) {
    this.#source = source;
  }

  /** Must be called whenever a resource is added, removed or changed. */
  invalidate(): void {
    this.#built = undefined;
  }

  /** The list of groups at `/apis`. */
  apis(): JsonObject {
    return this.#legacy('/apis', ({ byService }) => apiGroupList(byService));
  }

  /** `/apis/GROUP`; undefined when the group is not served. */
  group(name: string): JsonObject | undefined {
    const group = this.#current().byService.find((candidate) => candidate.name === name);
    return group && this.#legacy(`/apis/${name}`, () => apiGroup(group));
  }

  /** `/api/VERSION` (group '') or `/apis/GROUP/VERSION`; undefined when it is not served here (or is remote). */
  resources(group: string, version: string): JsonObject | undefined {
    const groups = this.#current().groups.filter(({ name }) => name === group);
    const served = groups.flatMap(({ versions }) => versions).find((candidate) => candidate.version === version);
    if (served === undefined || served.remote !== undefined) return undefined;
    return this.#legacy(`${group}/${version}`, () => apiResourceList(group, version, served.resources));
  }

  /** The aggregated form of `/api` or `/apis`. */
  aggregated(path: '/api' | '/apis'): TaggedDocument {
    const { aggregated, groups } = this.#current();
    const known = aggregated.get(path);
    if (known !== undefined) return known;
    const document = groupDiscoveryList(groups.filter(({ name }) => (name === '') === (path === '/api')));
    const hash = createHash('sha512').update(JSON.stringify(document)).digest('hex').toUpperCase();
    const tagged = { document, etag: `"${hash}"` };
    aggregated.set(path, tagged);
    return tagged;
  }

  #current(): Built {
    if (this.#built !== undefined) return this.#built;
    const resources = this.#source.resources();
    const remote = this.#source.remote?.() ?? [];
    this.#built = {
      groups: groupsByName(resources, remote),
      byService: groupsByService(resources, remote),
      legacy: new Map(),
      aggregated: new Map(),
    };
    return this.#built;
  }

  #legacy(key: string, build: (built: Built) => JsonObject): JsonObject {
    const built = this.#current();
    const known = built.legacy.get(key);
    if (known !== undefined) return known;
    const document = build(built);
    built.legacy.set(key, document);
    return document;
  }
}
