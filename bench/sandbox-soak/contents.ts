/** The contents of a watch-based cache, and the rules that every event must obey. */
import { jsonEqual, type KubeObject } from '../../packages/sandbox/src/values/json.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: KubeObject;
}

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
export const revisionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);

export class Contents {
  readonly #objects = new Map<string, KubeObject>();
  /** The newest revision that was seen; a watch resumes from it. */
  revision = 0;

  get size(): number {
    return this.#objects.size;
  }

  replace(items: readonly KubeObject[], revision: number): void {
    this.#objects.clear();
    for (const item of items) this.#objects.set(keyOf(item), item);
    this.revision = revision;
  }

  /** Returns a complaint if the event cannot follow what was seen before. */
  follow({ type, object }: WatchEvent): string | undefined {
    const revision = revisionOf(object);
    const bookmark = type === 'BOOKMARK';
    if (!(bookmark ? revision >= this.revision : revision > this.revision))
      return `${type} of ${keyOf(object)} at ${revision} came after ${this.revision}`;
    this.revision = revision;
    return bookmark ? undefined : this.#change(type, object);
  }

  #change(type: string, object: KubeObject): string | undefined {
    const key = keyOf(object);
    const known = this.#objects.get(key);
    if (type === 'DELETED') this.#objects.delete(key);
    else this.#objects.set(key, object);
    if (type === 'ADDED') return known === undefined ? undefined : `ADDED of ${key}, which was there`;
    if (known === undefined) return `${type} of ${key}, which was not there`;
    return known.metadata.uid === object.metadata.uid ? undefined : `${type} of ${key} with another uid`;
  }

  /** The first differences from the server's own list; empty if both are equal. */
  differences(items: readonly KubeObject[]): readonly string[] {
    const found: string[] = [];
    const listed = new Set(items.map(keyOf));
    for (const item of items) {
      const difference = compare(this.#objects.get(keyOf(item)), item);
      if (difference !== undefined) found.push(`${keyOf(item)} ${difference}`);
    }
    for (const key of this.#objects.keys()) if (!listed.has(key)) found.push(`${key} is no longer on the server`);
    return found.slice(0, 5);
  }
}

function compare(held: KubeObject | undefined, listed: KubeObject): string | undefined {
  if (held === undefined) return 'is missing';
  if (held.metadata.uid !== listed.metadata.uid) return 'has another uid';
  if (held.metadata.resourceVersion !== listed.metadata.resourceVersion)
    return `is at ${held.metadata.resourceVersion}, on the server at ${listed.metadata.resourceVersion}`;
  // List items have no apiVersion and kind of their own.
  const { apiVersion: _apiVersion, kind: _kind, ...content } = held;
  const { apiVersion: _listedApiVersion, kind: _listedKind, ...listedContent } = listed;
  return jsonEqual(content, listedContent) ? undefined : 'has other content at the same revision';
}
