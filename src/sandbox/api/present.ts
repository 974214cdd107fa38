/** Stored entries as a version of the API shows them: alone, as an item of a list, as a line of a watch. */
import type { JsonObject, KubeObject, ObjectMeta } from '../json.ts';
import { sortKeys } from '../schema/go-text.ts';
import { parseEntry, type Entry } from '../store/entry.ts';
import type { StoreEvent } from '../store/table.ts';
import type { Resource } from './resource.ts';

/** The stored form is the version's own, so its text can be sent as it is. */
function isCurrent(resource: Resource, entry: Entry): boolean {
  return resource.apiVersion === resource.storageApiVersion && entry.revision > (resource.staleBefore ?? -1);
}

/** Parses an entry and converts it to the resource's version. */
export function readEntry(resource: Resource, entry: Entry): KubeObject {
  const object = parseEntry(entry);
  return isCurrent(resource, entry) ? object : resource.fromStorage(object);
}

/** metadata's fields in the order in which Go writes them. */
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
 * An object as it is stored: kind and apiVersion first and metadata next, so that texts can be cut without parsing them. A custom
 * resource is a map to the server, and Go writes maps with their keys sorted.
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

/** Items of a built-in kind's list carry no kind and apiVersion, those of a custom resource do. */
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

/** The line of a stored event for those who watch a version without a selector; encoded once for all of them. */
export function eventLine(resource: Resource, event: StoreEvent): Buffer {
  let line = event.lines.get(resource.apiVersion);
  if (line === undefined) {
    line = watchLine(event.type, entryText(resource, event.entry));
    event.lines.set(resource.apiVersion, line);
  }
  return line;
}
