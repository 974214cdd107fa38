/** Server-side apply and tracking of field ownership: the functions that the API server calls on every write. */
import type { KubeObject, ManagedFieldsEntry } from '../../values/json.ts';
import { jsonEqual } from '../../values/json.ts';
import type { Managers } from './managers.ts';
import { decodeManagers, encodeManagers, isReset } from './managers.ts';
import type { OwnershipWrite } from './ownership.ts';
import { onlyStored, track, withManagedFields } from './ownership.ts';
import { TypedError } from './typed.ts';
import { emptyObject } from './zero.ts';

export { applyConfiguration } from './apply-configuration.ts';
export type { ApplyInput } from './apply-configuration.ts';
export { managerName } from './manager-name.ts';

export interface TrackUpdateInput extends OwnershipWrite {
  /** The object to be stored: decoded, defaulted and patched, but before admission and the kind's own preparation. */
  readonly object: KubeObject;
}

/** For a create, update or patch: returns the same object with updated `managedFields`. */
export function trackUpdate(request: TrackUpdateInput): KubeObject {
  const { apiVersion, kind } = request.object;
  const input = { ...onlyStored(request), apiVersion, kind };
  const bare = withManagedFields(input.object, []);
  const before = managersOfUpdate(input);
  // After a client has reset all ownership, the object is not tracked before the next apply.
  if (before.size === 0 && input.live !== undefined) return bare;
  try {
    const live = withManagedFields(input.live ?? emptyObject(input.schema, input.apiVersion, input.kind), []);
    return withManagedFields(bare, encodeManagers(track(input, live, bare, before, input.manager)));
  } catch (error) {
    // An object that does not match its schema is stored nevertheless, without ownership.
    if (error instanceof TypedError) return bare;
    throw error;
  }
}

/** A client may send its own managedFields, but not through a subresource, and only valid ones count. */
function managersOfUpdate({ live, object, subresource }: TrackUpdateInput): Managers {
  const ofLive = (): Managers => decodeOrNone(live?.metadata.managedFields) ?? new Map();
  if (subresource !== '') return ofLive();
  const given = object.metadata.managedFields;
  if (isReset(given)) return new Map();
  const managers = decodeOrNone(given);
  return managers === undefined || managers.size === 0 ? ofLive() : managers;
}

function decodeOrNone(entries: readonly ManagedFieldsEntry[] | undefined): Managers | undefined {
  try {
    return decodeManagers(entries ?? []);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * A write that changes only the times in `managedFields` is not stored, so that resourceVersion does not change.
 * Entries are compared by position: a new time can move one, and that counts as a change.
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
