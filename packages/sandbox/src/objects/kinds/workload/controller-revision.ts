import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import { isObject } from '../../../values/json.ts';
import { immutable, nonNegative } from '../errors.ts';
import { numberAt } from '../values/fields.ts';
import type { KindBehaviour } from '../kind.ts';

export const controllerRevision: KindBehaviour = {
  validate(object) {
    const errors: FieldError[] = nonNegative(numberAt(object, 'revision'), 'revision');
    const { data } = object;
    if (data === undefined || data === null) errors.push(fieldError.required('data', 'data is mandatory'));
    else if (!isObject(data)) errors.push(fieldError.required('data', 'data must be a valid JSON object'));
    return errors;
  },
  validateUpdate: (object, old) => [
    ...nonNegative(numberAt(object, 'revision'), 'revision'),
    ...immutable(object['data'], old['data'], 'data'),
  ],
};
