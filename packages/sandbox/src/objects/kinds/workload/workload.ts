/** The common parts of Deployments, ReplicaSets, DaemonSets, StatefulSets and ReplicationControllers. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { nonNegativeFields } from '../errors.ts';
import { copyField, sortedByKey, ensureObject, isSet, numberAt, objectAt, textMapAt } from '../values/fields.ts';
import { keepGeneration, raiseGeneration } from '../values/generation.ts';
import { defaultPodSpec } from '../pod/pod-defaults.ts';
import { podTemplateErrors } from '../pod/pod-spec.ts';
import { isEmptySelector, selectorErrors, selectorMatches } from '../values/selector.ts';

export const specOf = (object: KubeObject): JsonObject => objectAt(object, 'spec') ?? {};

/** `defaultTemplate` sets the defaults of the template, which may be absent in old ReplicationControllers. */
export function defaultTemplate(spec: JsonObject): void {
  const template = objectAt(spec, 'template');
  if (template !== undefined) defaultPodSpec(ensureObject(template, 'spec'));
}

export function defaultNumber(parent: JsonObject, key: string, value: number): void {
  if (!isSet(parent, key)) parent[key] = value;
}

/**
 * The generation counts changes of the spec and, for historical reasons, of annotations if `alsoAnnotations` is set.
 */
export function prepareWorkloadUpdate(object: KubeObject, old: KubeObject, alsoAnnotations = false): void {
  copyField(object, old, 'status');
  const same =
    jsonEqual(object['spec'], old['spec']) &&
    (!alsoAnnotations || jsonEqual(object.metadata.annotations, old.metadata.annotations));
  if (same) keepGeneration(object, old);
  else raiseGeneration(object, old);
}

export function keepSpec(object: KubeObject, old: KubeObject): void {
  copyField(object, old, 'spec');
}

export function requiredSelectorErrors(spec: JsonObject, kind: string): FieldError[] {
  const selector = objectAt(spec, 'selector');
  if (selector === undefined) return [fieldError.required('spec.selector', '')];
  const errors = selectorErrors(selector, 'spec.selector');
  if (isEmptySelector(selector)) {
    errors.push(fieldError.invalid('spec.selector', selector, `empty selector is invalid for ${kind}`));
  }
  return errors;
}

/** The template must be valid, have the labels that the selector requires, and restart its containers. */
export function selectedTemplateErrors(
  spec: JsonObject,
  selector: JsonObject | undefined,
  kind: string,
  invalidSelector = 'invalid label selector',
): FieldError[] {
  const path = 'spec.template';
  const template = objectAt(spec, 'template');
  const labels = textMapAt(objectAt(template, 'metadata'), 'labels');
  const errors: FieldError[] = [];
  if (selectorErrors(selector, '').length > 0) {
    return [fieldError.invalid('spec.selector', selector, invalidSelector)];
  }
  // A missing selector matches nothing, an empty one everything.
  const matches = selector !== undefined && (isEmptySelector(selector) || selectorMatches(selector, labels));
  if (!matches) errors.push(labelMismatch(template));
  return [...errors, ...podTemplateErrors(template, path), ...restartErrors(template, kind)];
}

export function labelMismatch(template: JsonObject | undefined): FieldError {
  const labels = objectAt(objectAt(template, 'metadata'), 'labels');
  return fieldError.invalid(
    'spec.template.metadata.labels',
    labels === undefined ? null : sortedByKey(labels),
    '`selector` does not match template `labels`',
  );
}

export function restartErrors(template: JsonObject | undefined, kind: string): FieldError[] {
  const spec = objectAt(template, 'spec') ?? {};
  const errors: FieldError[] = [];
  if (spec['restartPolicy'] !== 'Always') {
    errors.push(fieldError.notSupported('spec.template.spec.restartPolicy', spec['restartPolicy'], ['Always']));
  }
  if (isSet(spec, 'activeDeadlineSeconds')) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(fieldError.forbidden('spec.template.spec.activeDeadlineSeconds', why));
  }
  return errors;
}

/** The counters in a status must not be negative, and those in `parts` must not exceed `replicas`. */
export function replicaStatusErrors(
  object: KubeObject,
  counters: string[],
  parts: string[],
  ready: string,
): FieldError[] {
  const status = objectAt(object, 'status') ?? {};
  const errors = nonNegativeFields(status, counters, 'status');
  for (const key of parts) {
    const value = numberAt(status, key);
    if (value > numberAt(status, 'replicas')) {
      errors.push(fieldError.invalid(`status.${key}`, value, 'cannot be greater than status.replicas'));
    }
  }
  const available = numberAt(status, 'availableReplicas');
  if (available > numberAt(status, 'readyReplicas')) {
    errors.push(fieldError.invalid('status.availableReplicas', available, `cannot be greater than ${ready}`));
  }
  return errors;
}
