/**
 * Migration from client-side to server-side apply. The manager `kubectl` may take over the fields in the annotation of
 * client-side apply, and updates that annotation so that older clients keep working.
 */
import type { Json, KubeObject } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import type { Atom } from './atom.ts';
import { compare } from './compare.ts';
import type { Conflict } from './conflicts.ts';
import type { FieldSet } from './fieldset.ts';
import { difference, has } from './fieldset.ts';
import { goJson, sortKeys } from '../schema/go/go-text.ts';
import { toFieldSet } from './own.ts';
import { TypedError } from './typed.ts';
import { validate } from './validate.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

export const MIGRATING_MANAGER = 'kubectl';

/**
 * The conflicts that remain after `kubectl` gets the fields that it applied client-side and that have not changed
 * since.
 */
export function withoutLastApplied(conflicts: readonly Conflict[], live: KubeObject, atom: Atom): readonly Conflict[] {
  const allowed = lastAppliedSet(live, atom);
  return allowed === undefined ? conflicts : conflicts.filter(({ path }) => !has(allowed, path));
}

function lastAppliedSet(live: KubeObject, atom: Atom): FieldSet | undefined {
  const lastApplied = parse(live.metadata.annotations?.[ANNOTATION]);
  if (lastApplied === undefined || lastApplied.apiVersion !== live.apiVersion) return undefined;
  try {
    validate(live, atom, { allowDuplicates: false });
    validate(lastApplied, atom, { allowDuplicates: false });
    const { modified, added, removed } = compare(lastApplied, live, atom);
    return [modified, added, removed].reduce(difference, toFieldSet({ value: lastApplied, atom }));
  } catch (error) {
    if (error instanceof TypedError) return undefined;
    throw error;
  }
}

function parse(text: string | undefined): KubeObject | undefined {
  if (!text) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) && typeof value['kind'] === 'string' ? (value as KubeObject) : undefined;
  } catch {
    // The annotation belongs to the client: one that is not JSON grants nothing.
    return undefined;
  }
}

/** `updateLastApplied` writes the applied configuration to the annotation in place, if the object has the annotation. */
export function updateLastApplied(object: KubeObject, applied: KubeObject): void {
  const { annotations } = object.metadata;
  if (!annotations?.[ANNOTATION]) return;
  const { [ANNOTATION]: _, ...others } = annotations;
  const updated = { ...others, [ANNOTATION]: `${goJson(sortKeys(withoutAnnotation(applied)))}\n` };
  let size = 0;
  for (const [name, value] of Object.entries(updated)) size += Buffer.byteLength(name) + Buffer.byteLength(value);
  object.metadata.annotations = size > MAX_ANNOTATIONS_BYTES ? others : updated;
}

function withoutAnnotation(applied: KubeObject): KubeObject {
  if (applied.metadata?.annotations === undefined) return applied;
  const { [ANNOTATION]: _, ...annotations } = applied.metadata.annotations;
  return { ...applied, metadata: { ...applied.metadata, annotations } };
}
