/** Lookups of plug-ins in the store. Objects are parsed once per revision and must not be modified. */
import type { KubeObject } from '../../values/json.ts';
import { entryKey, parseEntry, type Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionRequest } from './admission.ts';

const parsed = new WeakMap<Entry, KubeObject>();

/** `peek` returns the object of an entry. It is shared by all callers and must not be modified. */
export function peek(entry: Entry): KubeObject {
  let object = parsed.get(entry);
  if (object === undefined) parsed.set(entry, (object = parseEntry(entry)));
  return object;
}

export function stored(store: Store, table: string, namespace: string, name: string): KubeObject | undefined {
  const entry = store.table(table).get(entryKey(namespace, name));
  return entry === undefined ? undefined : peek(entry);
}

/** `storedIn` returns the objects of one namespace, or of a cluster-scoped resource when the namespace is empty. */
export function storedIn(store: Store, table: string, namespace: string): KubeObject[] {
  const of = store.table(table);
  if (of.size === 0) return [];
  return Array.from(of.range(namespace === '' ? '' : `${namespace}/`), peek);
}

/** `isCore` returns whether a request is about a resource of the core group, and not about a subresource. */
export function isCore(request: AdmissionRequest, plural: string): boolean {
  return request.resource.plural === plural && request.resource.group === '' && request.subresource === '';
}
