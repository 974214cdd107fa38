import type { KubeObject, ManagedFieldsEntry } from '../json.ts';
import { jsonEqual } from '../json.ts';

/**
 * A write that would change nothing but the times in `managedFields` is not stored, so that resourceVersion stays. Entries are
 * compared by their place: a new time may have moved one, and that counts as a change.
 */
export function isNoOp(before: KubeObject, after: KubeObject): boolean {
  const { managedFields: oldEntries = [], ...oldMetadata } = before.metadata;
  const { managedFields: newEntries = [], ...newMetadata } = after.metadata;
  if (oldEntries.length !== newEntries.length) return false;
  return (
    oldEntries.every((entry, index) => equalButTime(entry, newEntries[index]!)) &&
    jsonEqual(oldMetadata, newMetadata) &&
    Object.keys({ ...before, ...after }).every((name) => name === 'metadata' || jsonEqual(before[name], after[name]))
  );
}

function equalButTime({ time: _, ...before }: ManagedFieldsEntry, { time: __, ...after }: ManagedFieldsEntry): boolean {
  return jsonEqual(before, after);
}
