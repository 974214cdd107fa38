import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { immutable, nonNegativeFields } from '../errors.ts';
import { copyField, ensureObject, isSet, numberAt, objectAt, setDefault, textAt } from '../values/fields.ts';
import { shownStrategy, isZero, notMoreThan100Percent, positiveIntOrPercent } from '../values/int-or-percent.ts';
import type { KindBehaviour } from '../kind.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import {
  defaultNumber,
  defaultTemplate,
  prepareWorkloadUpdate,
  replicaStatusErrors,
  requiredSelectorErrors,
  selectedTemplateErrors,
  specOf,
} from './workload.ts';

const STRATEGIES = ['Recreate', 'RollingUpdate'];

function strategyErrors(spec: JsonObject): FieldError[] {
  const strategy = objectAt(spec, 'strategy') ?? {};
  const rolling = objectAt(strategy, 'rollingUpdate');
  const path = 'spec.strategy.rollingUpdate';
  switch (textAt(strategy, 'type')) {
    case 'Recreate':
      if (rolling === undefined) return [];
      return [fieldError.forbidden(path, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      return rollingErrors(rolling ?? {}, path);
    default:
      return [fieldError.notSupported('spec.strategy', shownStrategy(textAt(strategy, 'type'), rolling), STRATEGIES)];
  }
}

function rollingErrors(rolling: JsonObject, path: string): FieldError[] {
  const { maxUnavailable, maxSurge } = rolling;
  const field = `${path}.maxUnavailable`;
  const errors = [
    ...positiveIntOrPercent(maxUnavailable, field),
    ...positiveIntOrPercent(maxSurge, `${path}.maxSurge`),
  ];
  if (isZero(maxUnavailable) && isZero(maxSurge)) {
    errors.push(fieldError.invalid(field, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  return [...errors, ...notMoreThan100Percent(maxUnavailable, field)];
}

function validate(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  const late = isSet(spec, 'progressDeadlineSeconds') && deadline <= numberAt(spec, 'minReadySeconds');
  return [
    ...nonNegativeFields(spec, ['replicas'], 'spec'),
    ...requiredSelectorErrors(spec, 'deployment'),
    ...selectedTemplateErrors(spec, objectAt(spec, 'selector'), 'ReplicaSet'),
    ...strategyErrors(spec),
    ...nonNegativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], 'spec'),
    ...(late
      ? [fieldError.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

const COUNTERS = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
];

export const deployment: KindBehaviour = {
  hasGeneration: true,
  warnings: (object, old) => templateWarnings(object, old, true),
  default(object) {
    const spec = ensureObject(object, 'spec');
    defaultNumber(spec, 'replicas', 1);
    const strategy = ensureObject(spec, 'strategy');
    setDefault(strategy, 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = ensureObject(strategy, 'rollingUpdate');
      if (!isSet(rolling, 'maxUnavailable')) rolling['maxUnavailable'] = '25%';
      if (!isSet(rolling, 'maxSurge')) rolling['maxSurge'] = '25%';
    }
    defaultNumber(spec, 'revisionHistoryLimit', 10);
    defaultNumber(spec, 'progressDeadlineSeconds', 600);
    defaultTemplate(spec);
  },
  prepareForCreate(object) {
    object['status'] = {};
  },
  prepareForUpdate: (object, old) => prepareWorkloadUpdate(object, old, true),
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
    copyField(object.metadata, old.metadata, 'labels');
  },
  validate,
  validateUpdate: (object, old) => [
    ...validate(object),
    ...immutable(specOf(object)['selector'], specOf(old)['selector'], 'spec.selector'),
  ],
  validateStatusUpdate: (object) =>
    replicaStatusErrors(object, COUNTERS, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas'),
};
