/**
 * Lists that have no list type in the schema (KubeVirt's volumes, disks, networks …) belong to one field manager as a
 * whole. We apply our entries plus the live ones that are not ours, such as a hot-plugged disk. An annotation names
 * ours, so that an entry which we removed does not look foreign.
 */
import type { KubeObject } from '../object.ts';
import { isJsonObject, type JsonObject } from './merge-patch.ts';

export interface AtomicList {
  /** For example `spec.template.spec.volumes`. */
  readonly path: string;
  /** The field that identifies an entry. The default is `name`. */
  readonly key?: string;
}

export const ownEntriesAnnotation = 'ssvirt.io/own-entries';

type Entries = Readonly<Record<string, readonly string[]>>;

/** `ownEntries` returns the keys of our entries, list by list, in the form of the annotation. Undefined without such lists. */
export function ownEntries(desired: KubeObject, lists: readonly AtomicList[]): string | undefined {
  if (lists.length === 0) return undefined;
  const entries = lists.map((list) => [list.path, listAt(desired, list.path).map((entry) => keyOfEntry(entry, list))]);
  return JSON.stringify(Object.fromEntries(entries));
}

/**
 `withForeignEntries` * Adds the live object's foreign entries to the desired state. Each of those keeps its place, because a guest numbers
 * its devices by it; new entries of ours come last.
 */
export function withForeignEntries(
  desired: KubeObject,
  live: KubeObject | undefined,
  lists: readonly AtomicList[],
): KubeObject {
  if (live === undefined) return desired;
  const recorded = recordedEntries(live);
  return lists.reduce((object, list) => {
    const own = listAt(desired, list.path);
    const wanted = new Set(own.map((entry) => keyOfEntry(entry, list)));
    const dropped = new Set(recorded[list.path] ?? []);
    const there = listAt(live, list.path).filter((entry) => {
      const key = keyOfEntry(entry, list);
      return wanted.has(key) || !dropped.has(key);
    });
    const isForeign = (entry: unknown): boolean => !wanted.has(keyOfEntry(entry, list));
    if (!there.some(isForeign)) return object;
    // Our entries take, in our order, the places that ours have.
    const next = own.values();
    const kept = there.flatMap((entry) => (isForeign(entry) ? [entry] : valueOf(next.next())));
    return withValue(object, list.path.split('.'), [...kept, ...next]) as KubeObject;
  }, desired);
}

function valueOf<T>(result: IteratorResult<T>): readonly T[] {
  return result.done === true ? [] : [result.value];
}

/** `recordedEntries` returns the keys of our entries by the path of their list, as the annotation records them. */
export function recordedEntries({ metadata }: KubeObject): Entries {
  const text = metadata.annotations?.[ownEntriesAnnotation];
  if (text === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) ? (parsed as Entries) : {};
  } catch {
    // The annotation was edited. All live entries look foreign then, and none is lost.
    return {};
  }
}

function listAt(object: unknown, path: string): readonly unknown[] {
  let value = object;
  for (const field of path.split('.')) value = isJsonObject(value) ? value[field] : undefined;
  return Array.isArray(value) ? value : [];
}

function keyOfEntry(entry: unknown, { key = 'name' }: AtomicList): string {
  // An entry without a key is identified by its entire content.
  const value = isJsonObject(entry) ? entry[key] : undefined;
  return typeof value === 'string' ? value : JSON.stringify(entry);
}

function withValue(object: unknown, [field, ...rest]: readonly string[], value: unknown): unknown {
  if (field === undefined) return value;
  const parent: JsonObject = isJsonObject(object) ? object : {};
  return { ...parent, [field]: withValue(parent[field], rest, value) };
}
