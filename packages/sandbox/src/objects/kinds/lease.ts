import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import { NON_NEGATIVE } from './errors.ts';
import { isSet, numberAt, objectAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';

export const lease: KindBehaviour = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  // `strategy` and `preferredHolder` belong to a feature gate that is off.
  prepareForCreate: dropCoordination,
  prepareForUpdate: dropCoordination,
  validate(object) {
    const spec = objectAt(object, 'spec');
    const duration = numberAt(spec, 'leaseDurationSeconds');
    const transitions = numberAt(spec, 'leaseTransitions');
    const errors: FieldError[] = [];
    if (isSet(spec, 'leaseDurationSeconds') && duration <= 0) {
      errors.push(fieldError.invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
    }
    if (transitions < 0) errors.push(fieldError.invalid('spec.leaseTransitions', transitions, NON_NEGATIVE));
    return errors;
  },
};

function dropCoordination(object: Parameters<NonNullable<KindBehaviour['prepareForCreate']>>[0]): void {
  const spec = objectAt(object, 'spec');
  if (spec === undefined) return;
  delete spec['strategy'];
  delete spec['preferredHolder'];
}
