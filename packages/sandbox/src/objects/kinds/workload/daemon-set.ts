import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { immutable, nonNegativeFields } from '../errors.ts';
import { copyField, ensureObject, isSet, objectAt, setDefault, textAt, textMapAt } from '../values/fields.ts';
import { keepGeneration, raiseGeneration } from '../values/generation.ts';
import { shownStrategy, isZero, notMoreThan100Percent, positiveIntOrPercent } from '../values/int-or-percent.ts';
import type { KindBehaviour } from '../kind.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import { podTemplateErrors } from '../pod/pod-spec.ts';
import { isEmptySelector, selectorErrors, selectorMatches } from '../values/selector.ts';
import { defaultNumber, defaultTemplate, labelMismatch, keepSpec, restartErrors, specOf } from './workload.ts';

/** A field of the spec in the internal type; apps/v1 has only the annotation. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
const STATUS = {
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
};
const COUNTERS = [
  ...Object.keys(STATUS),
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

function annotate(object: KubeObject, generation: number): void {
  object.metadata.annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

const templateGeneration = (object: KubeObject): number =>
  Number(object.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);

function validate(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const selector = objectAt(spec, 'selector');
  const template = objectAt(spec, 'template');
  const errors = selectorErrors(selector, 'spec.selector');
  const labels = textMapAt(objectAt(template, 'metadata'), 'labels');
  // A missing selector matches nothing.
  const matches = selector !== undefined && selectorMatches(selector, labels);
  if (errors.length === 0 && !matches) errors.push(labelMismatch(template));
  if (selector !== undefined && isEmptySelector(selector)) {
    errors.push(fieldError.invalid('spec.selector', selector, 'empty selector is invalid for daemonset'));
  }
  return [
    ...errors,
    ...podTemplateErrors(template, 'spec.template'),
    ...restartErrors(template, 'DaemonSet'),
    ...nonNegativeFields(spec, ['minReadySeconds'], 'spec'),
    ...strategyErrors(spec),
    ...nonNegativeFields(spec, ['revisionHistoryLimit'], 'spec'),
  ];
}

function strategyErrors(spec: JsonObject): FieldError[] {
  const strategy = objectAt(spec, 'updateStrategy') ?? {};
  const type = textAt(strategy, 'type');
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    return [
      fieldError.notSupported('spec.updateStrategy', shownStrategy(type, objectAt(strategy, 'rollingUpdate')), [
        'RollingUpdate',
        'OnDelete',
      ]),
    ];
  }
  const { maxUnavailable, maxSurge } = objectAt(strategy, 'rollingUpdate') ?? {};
  const [unavailable, surge] = ['maxUnavailable', 'maxSurge'].map((key) => `spec.updateStrategy.rollingUpdate.${key}`);
  const errors = [
    ...positiveIntOrPercent(maxUnavailable, unavailable ?? ''),
    ...positiveIntOrPercent(maxSurge, surge ?? ''),
    ...notMoreThan100Percent(maxUnavailable, unavailable ?? ''),
    ...notMoreThan100Percent(maxSurge, surge ?? ''),
  ];
  if (!isZero(maxUnavailable) && !isZero(maxSurge)) {
    errors.push(fieldError.invalid(surge ?? '', maxSurge, 'may not be set when maxUnavailable is non-zero'));
  } else if (isZero(maxUnavailable) && isZero(maxSurge)) {
    errors.push(fieldError.required(unavailable ?? '', 'cannot be 0 when maxSurge is 0'));
  }
  return errors;
}

export const daemonSet: KindBehaviour = {
  hasGeneration: true,
  warnings: (object, old) => templateWarnings(object, old, false),
  default(object) {
    annotate(object, templateGeneration(object));
    const spec = ensureObject(object, 'spec');
    const strategy = ensureObject(spec, 'updateStrategy');
    setDefault(strategy, 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = ensureObject(strategy, 'rollingUpdate');
      for (const [key, value] of [
        ['maxUnavailable', 1],
        ['maxSurge', 0],
      ] as const) {
        if (!isSet(rolling, key)) rolling[key] = value;
      }
    }
    defaultNumber(spec, 'revisionHistoryLimit', 10);
    defaultTemplate(spec);
  },
  prepareForCreate(object) {
    object['status'] = { ...STATUS };
    annotate(object, Math.max(1, templateGeneration(object)));
  },
  prepareForUpdate(object, old) {
    copyField(object, old, 'status');
    const before = templateGeneration(old);
    const sameTemplate = jsonEqual(specOf(object)['template'], specOf(old)['template']);
    annotate(object, sameTemplate ? before : before + 1);
    if (jsonEqual(object['spec'], old['spec'])) keepGeneration(object, old);
    else raiseGeneration(object, old);
  },
  prepareForStatusUpdate: keepSpec,
  validate,
  validateUpdate: (object, old) => [
    ...immutable(specOf(object)['selector'], specOf(old)['selector'], 'spec.selector'),
    ...validate(object),
  ],
  validateStatusUpdate: (object) => nonNegativeFields(objectAt(object, 'status') ?? {}, COUNTERS, 'status'),
};
