/** ReplicaSets, and ReplicationControllers, which are the same with a plain map as selector. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { KubeObject } from '../../../values/json.ts';
import { immutable, nonNegativeFields } from '../errors.ts';
import { ensureObject, numberAt, objectAt, textMapAt } from '../values/fields.ts';
import type { KindBehaviour } from '../kind.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import {
  defaultNumber,
  defaultTemplate,
  keepSpec,
  prepareWorkloadUpdate,
  replicaStatusErrors,
  requiredSelectorErrors,
  selectedTemplateErrors,
  specOf,
} from './workload.ts';

const COUNTERS = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'];
const PARTS = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

function validate(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  return [
    ...nonNegativeFields(spec, ['replicas', 'minReadySeconds'], 'spec'),
    ...requiredSelectorErrors(spec, 'deployment'),
    ...selectedTemplateErrors(spec, objectAt(spec, 'selector'), 'ReplicaSet'),
  ];
}

const shared: KindBehaviour = {
  hasGeneration: true,
  warnings: (object, old) => templateWarnings(object, old, true),
  prepareForCreate(object) {
    object['status'] = { replicas: 0 };
  },
  prepareForUpdate: (object, old) => prepareWorkloadUpdate(object, old),
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (object) => replicaStatusErrors(object, COUNTERS, PARTS, 'readyReplicas'),
};

export const replicaSet: KindBehaviour = {
  ...shared,
  default(object) {
    const spec = ensureObject(object, 'spec');
    defaultNumber(spec, 'replicas', 1);
    defaultTemplate(spec);
  },
  validate,
  validateUpdate: (object, old) => [
    ...validate(object),
    ...immutable(specOf(object)['selector'], specOf(old)['selector'], 'spec.selector'),
  ],
};

export const replicationController: KindBehaviour = {
  ...shared,
  selectableFields: (object) => ({
    'status.replicas': String(numberAt(objectAt(object, 'status'), 'replicas')),
  }),
  default(object) {
    const spec = ensureObject(object, 'spec');
    defaultNumber(spec, 'replicas', 1);
    const template = objectAt(spec, 'template');
    const labels = textMapAt(objectAt(template, 'metadata'), 'labels');
    if (Object.keys(labels).length > 0) {
      if (Object.keys(textMapAt(spec, 'selector')).length === 0) spec['selector'] = { ...labels };
      if (Object.keys(object.metadata.labels ?? {}).length === 0) object.metadata.labels = { ...labels };
    }
    if (template !== undefined && template['metadata'] === undefined) template['metadata'] = {};
    defaultTemplate(spec);
  },
  validate(object) {
    const spec = specOf(object);
    const labels = textMapAt(spec, 'selector');
    const errors = nonNegativeFields(spec, ['minReadySeconds'], 'spec');
    if (Object.keys(labels).length === 0) errors.push(fieldError.required('spec.selector', ''));
    errors.push(...nonNegativeFields(spec, ['replicas'], 'spec'));
    if (objectAt(spec, 'template') === undefined) return [...errors, fieldError.required('spec.template', '')];
    return [...errors, ...selectedTemplateErrors(spec, { matchLabels: labels }, 'ReplicationController')];
  },
};
