/** All OpenAPI documents for one set of resources, built on demand and cached while their resources do not change. */
import { createHash } from 'node:crypto';
import type { ServedResource } from '../discovery/served-resource.ts';
import { groupVersionPath } from './names.ts';
import { openApiV2Protobuf } from './v2-protobuf.ts';
import { openApiV2 } from './v2.ts';
import { openApiV3 } from './v3.ts';

export interface HashedDocument {
  readonly body: Buffer;
  /** SHA-512 in upper-case hex: the ETag (without quotes) and the `hash` of the index. */
  readonly hash: string;
  readonly modified: Date;
}

export interface V2Documents {
  readonly json: HashedDocument;
  readonly protobuf: HashedDocument;
}

export interface OpenApiSource {
  /** An unchanged entry must be the same object as before, because documents are cached by identity. */
  resources(): readonly ServedResource[];
  /** The documents of other servers behind APIServices: the path in the index, and its serverRelativeURL. */
  remotePaths?(): { readonly [path: string]: string };
}

interface Kept {
  readonly resources: readonly ServedResource[];
  document?: HashedDocument;
}

export class OpenApi {
  readonly #source: OpenApiSource;
  readonly #kept = new Map<string, Kept>();
  #current = false;
  #index: HashedDocument | undefined;
  #v2: V2Documents | undefined;

  constructor(source: OpenApiSource) {
    this.#source = source;
  }

  /** Must be called whenever a resource is added, removed or changed. */
  invalidate(): void {
    this.#current = false;
    this.#index = undefined;
    this.#v2 = undefined;
  }

  /** `/openapi/v3`. */
  index(): HashedDocument {
    this.#refresh();
    this.#index ??= hashed(JSON.stringify({ paths: this.#paths() }));
    return this.#index;
  }

  /** The document of a path in the index, such as `api/v1` or `apis/apps/v1`. */
  v3(path: string): HashedDocument | undefined {
    this.#refresh();
    const kept = this.#kept.get(path);
    if (kept === undefined) return undefined;
    kept.document ??= hashed(JSON.stringify(openApiV3(kept.resources)));
    return kept.document;
  }

  v2(): V2Documents {
    if (this.#v2 !== undefined) return this.#v2;
    const document = openApiV2(this.#source.resources());
    const json = hashed(JSON.stringify(document));
    this.#v2 = { json, protobuf: { ...json, body: openApiV2Protobuf(document) } };
    return this.#v2;
  }

  #paths(): { [path: string]: { serverRelativeURL: string } } {
    const urls: [path: string, url: string][] = [...this.#kept.keys()].map((path) => [
      path,
      `/openapi/v3/${path}?hash=${this.v3(path)?.hash}`,
    ]);
    urls.push(...Object.entries(this.#source.remotePaths?.() ?? {}));
    const ordered = urls.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(ordered.map(([path, serverRelativeURL]) => [path, { serverRelativeURL }]));
  }

  /** Drops the documents whose resources have changed. */
  #refresh(): void {
    if (this.#current) return;
    const path = ({ group, version }: ServedResource): string => groupVersionPath(group, version).slice(1);
    const served = Map.groupBy(this.#source.resources(), path);
    for (const known of this.#kept.keys()) if (!served.has(known)) this.#kept.delete(known);
    for (const [key, resources] of served) {
      const before = this.#kept.get(key)?.resources;
      const same = before?.length === resources.length && resources.every((resource, i) => resource === before[i]);
      if (!same) this.#kept.set(key, { resources });
    }
    this.#current = true;
  }
}

function hashed(text: string): HashedDocument {
  const body = Buffer.from(text);
  return { body, hash: createHash('sha512').update(body).digest('hex').toUpperCase(), modified: new Date() };
}
