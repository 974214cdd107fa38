import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { KubeObject } from '../../../values/json.ts';
import { nonNegativeFields, oneOf } from '../errors.ts';
import { copyField, isSet, objectAt } from '../values/fields.ts';
import { generationOnSpecChange } from '../values/generation.ts';
import { notMoreThan100Percent, positiveIntOrPercent } from '../values/int-or-percent.ts';
import type { KindBehaviour } from '../kind.ts';
import { selectorErrors } from '../values/selector.ts';

const NO_STATUS = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

function validate(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const errors: FieldError[] = [];
  if (isSet(spec, 'minAvailable') && isSet(spec, 'maxUnavailable')) {
    // Kubernetes prints its internal struct.
    const shown = {
      MinAvailable: spec['minAvailable'],
      Selector: spec['selector'] ?? null,
      MaxUnavailable: spec['maxUnavailable'],
      UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
    };
    errors.push(fieldError.invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const key of ['minAvailable', 'maxUnavailable']) {
    if (!isSet(spec, key)) continue;
    errors.push(...positiveIntOrPercent(spec[key], `spec.${key}`), ...notMoreThan100Percent(spec[key], `spec.${key}`));
  }
  errors.push(...selectorErrors(objectAt(spec, 'selector'), 'spec.selector'));
  return [...errors, ...oneOf(spec, 'unhealthyPodEvictionPolicy', 'spec', ['AlwaysAllow', 'IfHealthyBudget'], false)];
}

export const podDisruptionBudget: KindBehaviour = {
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  prepareForCreate(object) {
    object['status'] = { ...NO_STATUS };
  },
  prepareForUpdate(object, old) {
    copyField(object, old, 'status');
    generationOnSpecChange(object, old);
  },
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
  },
  validate,
  validateStatusUpdate: (object) =>
    nonNegativeFields(objectAt(object, 'status') ?? {}, Object.keys(NO_STATUS), 'status'),
};
