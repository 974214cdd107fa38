/** Server-side apply. */
import { errors, StatusError } from '../../server/api/status.ts';
import type { Json, KubeObject } from '../../values/json.ts';
import { cloneJson } from '../../values/json.ts';
import { atomOf } from './atom.ts';
import { ConflictsError } from './conflicts.ts';
import { difference, isEmpty } from './fieldset.ts';
import { MIGRATING_MANAGER, updateLastApplied, withoutLastApplied } from './last-applied.ts';
import type { Managers } from './managers.ts';
import { decodeManagers, encodeManagers, identityOf } from './managers.ts';
import type { TypedWrite } from './ownership.ts';
import { engine, managerId, onlyStored, STRIPPED, track, withManagedFields } from './ownership.ts';
import { TypedError } from './typed.ts';
import type { ApplyResult } from './updater.ts';
import { validate } from './validate.ts';
import { emptyObject } from './zero.ts';

/** `apiVersion` and `kind` are those of the request's path. */
export interface ApplyInput extends TypedWrite {
  /** The parsed body, neither decoded to the kind nor defaulted. */
  readonly applied: KubeObject;
  readonly force: boolean;
}

/**
 * Returns the resulting object, before defaulting, with its `managedFields`. It shares nothing with the live object. On
 * create it is the applied configuration itself. Throws StatusError.
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

/**
 * The content of an object without any ownership belongs to the manager `before-first-apply`, so that an apply can
 * conflict with it.
 */
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

/** Kubernetes returns errors that are not a Status as a 500 without a reason. */
const unknownError = (message: string): StatusError => new StatusError(500, '', message);

const objectText = ({ metadata, apiVersion, kind }: KubeObject): string =>
  `${text(metadata?.namespace)}/${text(metadata?.name)}; ${typeText(apiVersion, kind)}`;

function typeText(apiVersion: Json | undefined, kind: Json | undefined): string {
  const version = text(apiVersion);
  return `${version.includes('/') ? version : `/${version}`}, Kind=${text(kind)}`;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
