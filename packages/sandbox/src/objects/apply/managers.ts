/** `metadata.managedFields` in the form for computing ownership: field sets by manager identity. */
import type { Json, JsonObject, ManagedFieldsEntry } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import type { FieldSet } from './fieldset.ts';
import { EMPTY, union } from './fieldset.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';
import { goJson } from '../schema/go/go-text.ts';

export type ManagerOperation = 'Apply' | 'Update';

export interface Manager {
  readonly name: string;
  readonly operation: ManagerOperation;
  readonly subresource: string;
  readonly apiVersion: string;
  readonly set: FieldSet;
  /** RFC 3339, in seconds. */
  readonly time: string | undefined;
}

export type Managers = ReadonlyMap<string, Manager>;
export type ManagerId = Pick<Manager, 'name' | 'operation' | 'subresource' | 'apiVersion'>;

/** An applier keeps its identity in another API version; an updater does not. */
export function identityOf({ name, operation, subresource, apiVersion }: ManagerId): string {
  return goJson({
    ...(name === '' ? {} : { manager: name }),
    operation,
    ...(operation === 'Apply' || apiVersion === '' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  });
}

/** `decodeManagers` throws SyntaxError with Kubernetes' text when an entry is not valid. */
export function decodeManagers(entries: readonly ManagedFieldsEntry[]): Map<string, Manager> {
  const managers = new Map<string, Manager>();
  for (const [index, entry] of entries.entries()) {
    const manager = decodeEntry(entry, index);
    managers.set(identityOf(manager), manager);
  }
  return managers;
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): Manager {
  const { operation, apiVersion, fieldsType, fieldsV1 } = entry;
  if (operation !== 'Apply' && operation !== 'Update') throw new SyntaxError('operation must be `Apply` or `Update`');
  if (!apiVersion) throw new SyntaxError('apiVersion must not be empty');
  if (!fieldsType) throw new SyntaxError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') {
    throw new SyntaxError(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
  }
  return {
    name: entry.manager ?? '',
    operation,
    subresource: entry.subresource ?? '',
    apiVersion,
    set: isObject(fieldsV1) ? decodeFieldsV1(fieldsV1) : EMPTY,
    time: inSeconds(entry.time),
  };
}

/** Go accepts any offset and fraction, and writes whole seconds in UTC. */
function inSeconds(time: Json | undefined): string | undefined {
  if (typeof time !== 'string') return undefined;
  if (time.length === 20 && time.endsWith('Z')) return time;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) throw new SyntaxError(`cannot parse ${JSON.stringify(time)} as a time`);
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()].sort(compareManagers).map(encodeManager);
}

function encodeManager({ name, operation, apiVersion, time, set, subresource }: Manager): ManagedFieldsEntry {
  return {
    ...(name === '' ? {} : { manager: name }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldsV1(set),
    ...(subresource === '' ? {} : { subresource }),
  };
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Appliers come before updaters, then older before newer. */
function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

const MAX_UPDATERS = 10;

/** `capUpdaters` limits the number of updaters: merges the oldest ones of each API version under one name. */
export function capUpdaters(managers: Map<string, Manager>): void {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  let count = updaters.length;
  if (count <= MAX_UPDATERS) return;
  updaters.sort(([idA, a], [idB, b]) => compareText(a.time ?? '', b.time ?? '') || compareText(idA, idB));
  const firstOfVersion = new Map<string, string>();
  for (const [id, updater] of updaters) {
    if (count <= MAX_UPDATERS) return;
    const { apiVersion } = updater;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id);
      continue;
    }
    const bucketId = { name: 'ancient-changes', operation: 'Update', subresource: '', apiVersion } as const;
    const bucket = identityOf(bucketId);
    const oldest = managers.get(bucket) ?? managers.get(first);
    if (!managers.has(bucket)) managers.delete(first);
    managers.delete(id);
    managers.set(bucket, { ...bucketId, set: union(updater.set, oldest?.set ?? EMPTY), time: updater.time });
    count--;
  }
}

/** An empty list, or one empty entry, resets all ownership. */
export function isReset(entries: readonly JsonObject[] | undefined): boolean {
  if (entries === undefined || entries === null) return false;
  if (entries.length > 1) return false;
  return entries.every((entry) =>
    Object.values(entry).every((value) => value === undefined || value === null || value === ''),
  );
}
