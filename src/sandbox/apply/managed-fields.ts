/** Server-side apply and the tracking of field ownership: what the API server calls on every write. */
import type { KubeObject, ManagedFieldsEntry } from '../json.ts';
import { jsonEqual } from '../json.ts';
import type { Managers } from './managers.ts';
import { decodeManagers, encodeManagers, isReset } from './managers.ts';
import type { Write } from './ownership.ts';
import { onlyStored, track, withManagedFields } from './ownership.ts';
import { TypedError } from './typed.ts';
import { emptyObject } from './zero.ts';

export { applyConfiguration } from './apply-configuration.ts';
export type { ApplyInput } from './apply-configuration.ts';
export { managerName } from './manager-name.ts';

export interface TrackUpdateInput extends Write {
  /** The object to be stored: decoded, defaulted and patched, but before admission and the kind's own preparation. */
  readonly object: KubeObject;
}

/** A create, update or patch: the same object with its `managedFields` brought up to date. */
export function trackUpdate(request: TrackUpdateInput): KubeObject {
  const { apiVersion, kind } = request.object;
  const input = { ...onlyStored(request), apiVersion, kind };
  const bare = withManagedFields(input.object, []);
  const before = managersOfUpdate(input);
  // Whoever forgot all ownership is not tracked again before the next apply.
  if (before.size === 0 && input.live !== undefined) return bare;
  try {
    const live = withManagedFields(input.live ?? emptyObject(input.schema, input.apiVersion, input.kind), []);
    return withManagedFields(bare, encodeManagers(track(input, live, bare, before, input.manager)));
  } catch (error) {
    // An object that does not fit its schema is stored all the same, without ownership.
    if (error instanceof TypedError) return bare;
    throw error;
  }
}

/** A client may hand in ownership of its own, but not through a subresource and only when it is valid. */
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
