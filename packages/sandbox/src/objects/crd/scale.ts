/** Validates the types of the fields that the scale subresource reads and writes. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { isObject } from '../../values/json.ts';
import type { Json, KubeObject } from '../../values/json.ts';
import { goPrinted, goType } from '../schema/go/go-print.ts';
import { isInt64 } from '../schema/go/go-text.ts';
import type { ScalePaths } from './types.ts';

const maxReplicas = 2 ** 31 - 1;

export function scaleSpecErrors(scale: ScalePaths | undefined, object: KubeObject): FieldError[] {
  return scale === undefined ? [] : replicasErrors(object, scale.specReplicasPath);
}

export function scaleStatusErrors(scale: ScalePaths | undefined, object: KubeObject): FieldError[] {
  if (scale === undefined) return [];
  const errors = replicasErrors(object, scale.statusReplicasPath);
  const path = scale.labelSelectorPath;
  if (path === undefined) return errors;
  const found = lookUp(object, path, 'string', (value) => typeof value === 'string');
  return found.error === undefined ? errors : [...errors, fieldError.invalid(path, '', found.error)];
}

function replicasErrors(object: KubeObject, path: string): FieldError[] {
  const found = lookUp(object, path, 'int64', (value) => typeof value === 'number' && isInt64(value));
  if (found.error !== undefined) return [fieldError.invalid(path, 0, found.error)];
  const replicas = typeof found.value === 'number' ? found.value : 0;
  if (replicas < 0) return [fieldError.invalid(path, replicas, 'should be a non-negative integer')];
  if (replicas <= maxReplicas) return [];
  return [fieldError.invalid(path, replicas, `should be less than or equal to ${maxReplicas}`)];
}

type LookUp = { readonly value?: Json; readonly error?: undefined } | { readonly error: string };

function lookUp(object: KubeObject, path: string, type: string, fits: (value: Json) => boolean): LookUp {
  const keys = path.replace(/^\./, '').split('.');
  let value: Json = object;
  for (const [i, key] of keys.entries()) {
    if (value === null) return {};
    if (!isObject(value)) return { error: accessorError(keys.slice(0, i + 1), value, 'map[string]interface{}') };
    const next: Json | undefined = Object.hasOwn(value, key) ? value[key] : undefined;
    if (next === undefined) return {};
    value = next;
  }
  return fits(value) ? { value } : { error: accessorError(keys, value, type) };
}

const accessorError = (keys: readonly string[], value: Json, expected: string): string =>
  `.${keys.join('.')} accessor error: ${goPrinted(value)} is of the type ${goType(value)}, expected ${expected}`;
