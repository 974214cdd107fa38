import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { KubeObject } from '../../values/json.ts';
import { jsonEqual } from '../../values/json.ts';
import { configKey } from './errors.ts';
import { textMapAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';
import { decodedLength, FROZEN, MAX_SIZE } from './secret.ts';

function validate(object: KubeObject): FieldError[] {
  const data = textMapAt(object, 'data');
  const binary = textMapAt(object, 'binaryData');
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...configKey(key, `data[${key}]`));
    if (Object.hasOwn(binary, key)) {
      errors.push(fieldError.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binary)) {
    errors.push(...configKey(key, `binaryData[${key}]`));
    size += decodedLength(value);
  }
  // In an error about the whole object, the field is [].
  if (size > MAX_SIZE) errors.push(fieldError.tooLong('[]', MAX_SIZE));
  return errors;
}

export const configMap: KindBehaviour = {
  validate,
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    if (old['immutable'] === true) {
      if (object['immutable'] !== true) errors.push(fieldError.forbidden('immutable', FROZEN));
      for (const key of ['data', 'binaryData']) {
        if (!jsonEqual(object[key], old[key])) errors.push(fieldError.forbidden(key, FROZEN));
      }
    }
    return [...errors, ...validate(object)];
  },
};
