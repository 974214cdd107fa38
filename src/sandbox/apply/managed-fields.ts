/** Server-side apply and the tracking of field ownership: what the API server calls on every write. */
import { errors, StatusError } from '../api/status.ts';
import type { Json, KubeObject, ManagedFieldsEntry, ObjectMeta } from '../json.ts';
import { cloneJson, isObject, jsonEqual } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { atomOf } from './atom.ts';
import { ConflictsError } from './conflicts.ts';
import type { FieldSet } from './fieldset.ts';
import { difference, fieldSetOf, isEmpty, union } from './fieldset.ts';
import { MIGRATING_MANAGER, updateLastApplied, withoutLastApplied } from './last-applied.ts';
import type { Manager, ManagerId, Managers } from './managers.ts';
import { capUpdaters, decodeManagers, encodeManagers, identityOf, isReset } from './managers.ts';
import { TypedError } from './typed.ts';
import type { ApplyResult, Versions } from './updater.ts';
import { Updater } from './updater.ts';
import { validate } from './validate.ts';
import { emptyObject } from './zero.ts';

interface Write {
  /** The stored object in the version of the request; undefined, or without a uid, when it is created. */
  readonly live: KubeObject | undefined;
  /** Undefined for a kind without a schema. */
  readonly schema: Schema | undefined;
  readonly manager: string;
  /** '' for the main resource. */
  readonly subresource: string;
  /** RFC 3339, in seconds. */
  readonly now: string;
  /** Fields that this endpoint does not let a client write: `status` on the main resource, `spec` and `metadata` on status. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  readonly versions?: Versions | undefined;
}

export interface TrackUpdateInput extends Write {
  /** The object to be stored: decoded, defaulted and patched, but before admission and the kind's own preparation. */
  readonly object: KubeObject;
}

export interface ApplyInput extends Write {
  /** The type that the request's path names. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The body as parsed, not decoded into the kind and without defaults. */
  readonly applied: KubeObject;
  readonly force: boolean;
}

/** A write with what can be told from the object itself. */
interface TypedWrite extends Write {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Fields that are never anybody's. */
const STRIPPED = fieldSetOf([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['metadata', name]),
]);

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

const onlyStored = <T extends Write>(input: T): T => (input.live?.metadata.uid ? input : { ...input, live: undefined });

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

function track(
  input: TypedWrite,
  live: KubeObject,
  object: KubeObject,
  before: Managers,
  name: string,
): Map<string, Manager> {
  const { atom, updater } = engine(input);
  validate(object, atom, { allowDuplicates: true });
  const { managers, own } = updater.update(live, object, before);
  const set = difference(own, STRIPPED);
  if (!isEmpty(set)) {
    const id = managerId(input, name, 'Update');
    const identity = identityOf(id);
    const previous = managers.get(identity);
    managers.set(identity, { ...id, set: previous === undefined ? set : union(set, previous.set), time: input.now });
  }
  capUpdaters(managers);
  return managers;
}

const managerId = (
  { subresource, apiVersion }: TypedWrite,
  name: string,
  operation: 'Apply' | 'Update',
): ManagerId => ({
  name: name === '' ? 'unknown' : name,
  operation,
  subresource,
  apiVersion,
});

function engine({ schema, apiVersion, versions, resetFields }: TypedWrite): {
  atom: ReturnType<typeof atomOf>;
  updater: Updater;
} {
  const atom = atomOf(schema);
  return { atom, updater: new Updater({ apiVersion, atom, versions, resetFields: resetSet(resetFields) }) };
}

const resetSets = new WeakMap<readonly (readonly string[])[], FieldSet>();

function resetSet(paths: Write['resetFields']): FieldSet | undefined {
  if (paths === undefined || paths.length === 0) return undefined;
  let set = resetSets.get(paths);
  if (set === undefined) resetSets.set(paths, (set = fieldSetOf(paths)));
  return set;
}

/**
 * Server-side apply: the object that results, before defaults, with its `managedFields`. It shares nothing with the live object.
 * On create it is the applied configuration itself. Throws StatusError.
 */
export function applyConfiguration(request: ApplyInput): KubeObject {
  const input = onlyStored(request);
  const before = managersOfApply(input);
  checkBody(input);
  const live = withManagedFields(input.live ?? emptyObject(input.schema, input.apiVersion, input.kind), []);
  const { managers, value } = mergeOrFail(input, live, before);
  const result = cloneJson(input.live === undefined ? input.applied : ((value ?? live) as KubeObject));
  result.metadata ??= {};
  if (input.manager === MIGRATING_MANAGER) updateLastApplied(result, input.applied);
  return withManagedFields(result, encodeManagers(managers));
}

function managersOfApply({ live }: ApplyInput): Managers {
  try {
    return decodeManagers(live?.metadata.managedFields ?? []);
  } catch (error) {
    if (error instanceof SyntaxError) throw unknownError(`failed to decode managed fields: ${error.message}`);
    throw error;
  }
}

function checkBody({ applied, apiVersion, kind }: ApplyInput): void {
  if (applied.apiVersion !== apiVersion || applied.kind !== kind) {
    throw errors.badRequest(`invalid object type: ${typeText(applied.apiVersion, applied.kind)}`);
  }
  if (Array.isArray(applied.metadata?.managedFields)) throw errors.badRequest('metadata.managedFields must be nil');
}

function mergeOrFail(input: ApplyInput, live: KubeObject, before: Managers): ApplyResult {
  try {
    return merged(input, live, before, input.force);
  } catch (error) {
    if (!(error instanceof ConflictsError)) throw error;
    if (input.manager !== MIGRATING_MANAGER) throw error.toStatusError();
    const conflicts = withoutLastApplied(error.conflicts, live, atomOf(input.schema));
    if (conflicts.length > 0) throw new ConflictsError(conflicts).toStatusError();
    return merged(input, live, before, true);
  }
}

function merged(input: ApplyInput, live: KubeObject, before: Managers, force: boolean): ApplyResult {
  const { atom, updater } = engine(input);
  const managersBefore = before.size === 0 ? beforeFirstApply(input, live) : before;
  typed('patch', input.applied, () => validate(input.applied, atom, { allowDuplicates: false }));
  typed('live', live, () => validate(live, atom, { allowDuplicates: true }));
  const id = managerId(input, input.manager, 'Apply');
  const result = updater.apply(live, input.applied, managersBefore, id, input.now, force);
  const identity = identityOf(id);
  const own = result.managers.get(identity);
  if (own !== undefined) {
    const set = difference(own.set, STRIPPED);
    if (isEmpty(set)) result.managers.delete(identity);
    else result.managers.set(identity, { ...own, set });
  }
  return result;
}

/** What an object without any ownership holds already belongs to a manager of that name, so that applying can conflict with it. */
function beforeFirstApply(input: ApplyInput, live: KubeObject): Managers {
  if (input.live === undefined) return new Map();
  try {
    return track(input, emptyObject(input.schema, input.apiVersion, input.kind), live, new Map(), 'before-first-apply');
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    const reason = `failed to convert new object (${objectText(live)}) to smd typed: ${error.message}`;
    throw unknownError(`failed to create manager for existing fields: ${reason}`);
  }
}

function typed(what: 'patch' | 'live', object: KubeObject, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw unknownError(`failed to create typed ${what} object (${objectText(object)}): ${error.message}`);
  }
}

/** Errors that are no Status in Kubernetes reach the client as a 500 without a reason. */
const unknownError = (message: string): StatusError => new StatusError(500, '', message);

const objectText = ({ metadata, apiVersion, kind }: KubeObject): string =>
  `${text(metadata?.namespace)}/${text(metadata?.name)}; ${typeText(apiVersion, kind)}`;

function typeText(apiVersion: Json | undefined, kind: Json | undefined): string {
  const version = text(apiVersion);
  return `${version.includes('/') ? version : `/${version}`}, Kind=${text(kind)}`;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function withManagedFields(object: KubeObject, managedFields: ManagedFieldsEntry[]): KubeObject {
  const present = isObject(object.metadata) ? object.metadata : {};
  if (managedFields.length === 0 && present.managedFields === undefined) return object;
  const { managedFields: _, ...rest } = present;
  const metadata: ObjectMeta = managedFields.length === 0 ? rest : { ...rest, managedFields };
  return { ...object, metadata };
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
