import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { inclusiveRangeError } from '../../schema/names.ts';
import { oneOf } from '../errors.ts';
import { isSet, numberAt, objectAt, textAt } from '../values/fields.ts';

const MAX_INT32 = 2147483647;

export function userIDErrors(parent: JsonObject, key: string, path: string): FieldError[] {
  const id = numberAt(parent, key);
  if (!isSet(parent, key) || (id >= 0 && id <= MAX_INT32)) return [];
  return [fieldError.invalid(`${path}.${key}`, id, inclusiveRangeError(0, MAX_INT32))];
}

function seccompErrors(context: JsonObject, path: string): FieldError[] {
  const profile = objectAt(context, 'seccompProfile');
  if (profile === undefined) return [];
  const errors = oneOf(profile, 'type', `${path}.seccompProfile`, ['Localhost', 'RuntimeDefault', 'Unconfined']);
  const local = textAt(profile, 'localhostProfile');
  const field = `${path}.seccompProfile.localhostProfile`;
  if (profile['type'] === 'Localhost' && local === '') {
    errors.push(fieldError.required(field, 'must be set when seccomp type is Localhost'));
  } else if (profile['type'] !== 'Localhost' && isSet(profile, 'localhostProfile')) {
    errors.push(fieldError.invalid(field, local, 'can only be set when seccomp type is Localhost'));
  }
  return errors;
}

export function podSecurityErrors(spec: JsonObject, path: string): FieldError[] {
  const context = objectAt(spec, 'securityContext');
  if (context === undefined) return [];
  const errors = ['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((key) => userIDErrors(context, key, path));
  if (spec['hostPID'] === true && spec['shareProcessNamespace'] === true) {
    const why = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(fieldError.invalid(`${path}.shareProcessNamespace`, true, why));
  }
  errors.push(...oneOf(context, 'fsGroupChangePolicy', path, ['Always', 'OnRootMismatch'], false));
  return [...errors, ...seccompErrors(context, path)];
}
