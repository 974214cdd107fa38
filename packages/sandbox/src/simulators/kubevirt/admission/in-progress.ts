/** The changes that a running snapshot or restore forbids. */
import { jsonEqual, type JsonObject } from '../../../values/json.ts';
import { isSet, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import { notSupported, type Cause } from './cause.ts';

export function inProgressCauses(vm: JsonObject, old: JsonObject | undefined): Cause[] {
  if (old === undefined) return [];
  const [spec, oldSpec] = [objectAt(vm, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  const status = objectAt(vm, 'status');
  const snapshot = snapshotCauses(textAt(status, 'snapshotInProgress'), spec, oldSpec);
  return snapshot.length > 0 ? snapshot : restoreCauses(textAt(status, 'restoreInProgress'), spec, oldSpec);
}

function snapshotCauses(snapshot: string, spec: JsonObject, oldSpec: JsonObject): Cause[] {
  if (snapshot === '') return [];
  const until = `until snapshot ${JSON.stringify(snapshot)} completes`;
  if (!jsonEqual(volumesOf(spec), volumesOf(oldSpec)))
    return [notSupported(`Cannot update vm disks or volumes ${until}`, 'spec')];
  return sameRun(spec, oldSpec) ? [] : [notSupported(`Cannot update vm running state ${until}`, 'spec')];
}

function restoreCauses(restore: string, spec: JsonObject, oldSpec: JsonObject): Cause[] {
  if (restore === '' || sameRun(spec, oldSpec)) return [];
  return [notSupported(`Cannot update VM runStrategy until restore ${JSON.stringify(restore)} completes`, 'spec')];
}

const volumesOf = (spec: JsonObject): JsonObject => ({
  volumes: objectAt(objectAt(spec, 'template'), 'spec')?.['volumes'] ?? [],
});

function sameRun(spec: JsonObject, oldSpec: JsonObject): boolean {
  if (isSet(spec, 'running') && isSet(oldSpec, 'running')) return spec['running'] === oldSpec['running'];
  if (isSet(spec, 'runStrategy') && isSet(oldSpec, 'runStrategy'))
    return textAt(spec, 'runStrategy') === textAt(oldSpec, 'runStrategy');
  return false;
}
