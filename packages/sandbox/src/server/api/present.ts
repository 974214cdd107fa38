/** Presents stored entries in a version of the API: as single objects, list items or watch lines. */
import type { JsonObject, KubeObject, ObjectMeta } from '../../values/json.ts';
import { sortKeys } from '../../objects/schema/go/go-text.ts';
import { parseEntry, type Entry } from '../../store/entry.ts';
import type { StoreEvent } from '../../store/table.ts';
import type { Resource } from './resource.ts';

/** Whether the stored form is that of the version, so that its text can be sent unchanged. */
function isCurrent(resource: Resource, entry: Entry): boolean {
  return resource.apiVersion === resource.storageApiVersion && entry.revision > (resource.staleBefore ?? -1);
}

/** `readEntry` parses an entry and converts it to the resource's version. */
export function readEntry(resource: Resource, entry: Entry): KubeObject {
  const object = parseEntry(entry);
  return isCurrent(resource, entry) ? object : resource.fromStorage(object);
}

/** The fields of metadata in the order in which Go writes them. */
const META_ORDER = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;

/**
 * The stored form of an object: kind, apiVersion and metadata come first, so that texts can be cut without parsing. A
 * custom resource is a map in the server, and Go writes maps with sorted keys.
 */
export function canonical(object: KubeObject, custom: boolean): KubeObject {
  if (custom) return sortKeys(object) as KubeObject;
  const { apiVersion, kind, metadata, ...rest } = object;
  const ordered: ObjectMeta = {};
  for (const key of META_ORDER) if (metadata[key] !== undefined) (ordered as JsonObject)[key] = metadata[key];
  return { kind, apiVersion, metadata: ordered, ...rest };
}

export function entryText(resource: Resource, entry: Entry): string {
  if (isCurrent(resource, entry)) return entry.json;
  return JSON.stringify(canonical(readEntry(resource, entry), resource.custom));
}

/** List items of a built-in kind have no kind and apiVersion; those of a custom resource do. */
export function itemText(resource: Resource, entry: Entry): string {
  const text = entryText(resource, entry);
  if (resource.custom) return text;
  return `{${text.slice(typePrefix(resource).length)}`;
}

function typePrefix(resource: Resource): string {
  return `{"kind":"${resource.kind}","apiVersion":"${resource.apiVersion}",`;
}

export function watchLine(type: string, text: string): Buffer {
  return Buffer.from(`{"type":"${type}","object":${text}}\n`);
}

/** The line of a stored event for watches of a version without a selector; it is encoded once for all of them. */
export function eventLine(resource: Resource, event: StoreEvent): Buffer {
  let line = event.lines.get(resource.apiVersion);
  if (line === undefined) {
    line = watchLine(event.type, entryText(resource, event.entry));
    event.lines.set(resource.apiVersion, line);
  }
  return line;
}
