import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { Json, JsonObject, KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { inclusiveRangeError, isDNS1123Subdomain } from '../../schema/names.ts';
import { immutable } from '../errors.ts';
import { copyField, ensureObject, isSet, listAt, numberAt, objectAt, textAt } from '../values/fields.ts';
import { generationOnSpecChange } from '../values/generation.ts';
import { internalPodSpec } from '../values/internal.ts';
import type { KindBehaviour } from '../kind.ts';
import { defaultPod } from './pod-defaults.ts';
import { qosClass } from './pod-qos.ts';
import { tolerationErrors } from './pod-scheduling.ts';
import { podSpecErrors } from './pod-spec.ts';
import { hostnameWarnings, podWarnings } from './pod-warnings.ts';
import { structDiff } from '../values/struct-diff.ts';

const MAX_INT32 = 2147483647;
const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

const specOf = (pod: KubeObject): JsonObject => objectAt(pod, 'spec') ?? {};

function validate(pod: KubeObject): FieldError[] {
  const spec = specOf(pod);
  return [...podSpecErrors(spec, 'spec', true), ...tokenErrors(spec), ...imageErrors(spec)];
}

function tokenErrors(spec: JsonObject): FieldError[] {
  if (textAt(spec, 'serviceAccountName') !== '') return [];
  return listAt(spec, 'volumes').flatMap((volume, i) =>
    listAt(objectAt(volume, 'projected'), 'sources').flatMap((source, j) => {
      const field = `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      const why = 'must not be specified when serviceAccountName is not set';
      return isSet(source, 'serviceAccountToken') ? [fieldError.forbidden(field, why)] : [];
    }),
  );
}

function imageErrors(spec: JsonObject): FieldError[] {
  const why = 'must not have leading or trailing whitespace';
  return ['containers', 'initContainers'].flatMap((key) =>
    listAt(spec, key).flatMap((container, i) => {
      const image = textAt(container, 'image');
      return image === image.trim() ? [] : [fieldError.invalid(`spec.${key}[${i}].image`, image, why)];
    }),
  );
}

function createErrors(pod: KubeObject): FieldError[] {
  const spec = specOf(pod);
  const errors = validate(pod);
  if (listAt(spec, 'ephemeralContainers').length > 0) {
    errors.push(fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (textAt(spec, 'nodeName') !== '' && listAt(spec, 'schedulingGates').length > 0) {
    errors.push(fieldError.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return errors;
}

function updateErrors(pod: KubeObject, old: KubeObject): FieldError[] {
  const spec = specOf(pod);
  const before = specOf(old);
  const errors = validate(pod);
  for (const key of ['containers', 'initContainers']) {
    if (listAt(spec, key).length === listAt(before, key).length) continue;
    return [...errors, fieldError.forbidden(`spec.${key}`, 'pod updates may not add or remove containers')];
  }
  errors.push(...deadlineErrors(spec, before));
  errors.push(...addedTolerations(listAt(spec, 'tolerations'), listAt(before, 'tolerations')));
  errors.push(...removedGates(listAt(spec, 'schedulingGates'), listAt(before, 'schedulingGates')));
  const munged = munge(spec, before);
  if (jsonEqual(munged, before)) return errors;
  const diff = structDiff(internalPodSpec(before), internalPodSpec(munged));
  const why = `pod updates may not change fields other than ${UPDATABLE}\n${diff}`;
  return [...errors, fieldError.forbidden('spec', why)];
}

function deadlineErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  const value = numberAt(spec, 'activeDeadlineSeconds');
  if (!isSet(spec, 'activeDeadlineSeconds')) {
    const why = 'must not update from a positive integer to nil value';
    return isSet(old, 'activeDeadlineSeconds') ? [fieldError.invalid(field, null, why)] : [];
  }
  if (value < 0 || value > MAX_INT32) return [fieldError.invalid(field, value, inclusiveRangeError(0, MAX_INT32))];
  const raised = isSet(old, 'activeDeadlineSeconds') && numberAt(old, 'activeDeadlineSeconds') < value;
  return raised ? [fieldError.invalid(field, value, 'must be less than or equal to previous value')] : [];
}

function addedTolerations(tolerations: JsonObject[], old: JsonObject[]): FieldError[] {
  const bare = ({ tolerationSeconds: _, ...rest }: JsonObject): JsonObject => rest;
  const kept = old.every((before) => tolerations.some((toleration) => jsonEqual(bare(toleration), bare(before))));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  if (!kept) return [fieldError.forbidden('spec.tolerations', why)];
  return tolerationErrors(tolerations, 'spec.tolerations');
}

function removedGates(gates: JsonObject[], old: JsonObject[]): FieldError[] {
  const known = new Set(old.map((gate) => textAt(gate, 'name')));
  return gates.flatMap((gate, i) => {
    const name = textAt(gate, 'name');
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return known.has(name) ? [] : [fieldError.forbidden(`spec.schedulingGates[${i}].name`, why)];
  });
}

/** The new spec with all mutable fields reset: the rest must be equal. */
function munge(spec: JsonObject, old: JsonObject): JsonObject {
  const munged = { ...spec };
  for (const key of ['containers', 'initContainers']) {
    const before = listAt(old, key);
    if (!isSet(munged, key)) continue;
    munged[key] = listAt(spec, key).map((container, i) => ({ ...container, image: before[i]?.['image'] ?? '' }));
  }
  for (const key of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) copyField(munged, old, key);
  const stuck = numberAt(old, 'terminationGracePeriodSeconds') < 0;
  if (stuck && numberAt(munged, 'terminationGracePeriodSeconds') === 1)
    copyField(munged, old, 'terminationGracePeriodSeconds');
  if (listAt(old, 'schedulingGates').length === 0) return munged;
  // A pod with scheduling gates may be restricted to fewer nodes.
  copyField(munged, old, 'nodeSelector');
  const affinity = { ...objectAt(munged, 'affinity') };
  copyField(affinity, objectAt(old, 'affinity') ?? {}, 'nodeAffinity');
  if (isSet(old, 'affinity') || Object.keys(affinity).length > 0) munged['affinity'] = affinity;
  else delete munged['affinity'];
  return munged;
}

function statusErrors(pod: KubeObject, old: KubeObject): FieldError[] {
  const status = objectAt(pod, 'status') ?? {};
  const before = objectAt(old, 'status') ?? {};
  const nominated = textAt(status, 'nominatedNodeName');
  const errors: FieldError[] = [];
  if (nominated !== textAt(before, 'nominatedNodeName') && nominated !== '') {
    const field = 'status.nominatedNodeName';
    errors.push(...isDNS1123Subdomain(nominated).map((why) => fieldError.invalid(field, nominated, why)));
  }
  errors.push(...immutable(status['qosClass'], before['qosClass'], 'status.qosClass'));
  if (textAt(specOf(old), 'restartPolicy') !== 'Always') {
    errors.push(...revivedErrors(status, before, textAt(specOf(old), 'restartPolicy')));
  }
  return errors;
}

/** A container that has ended for good must not run again. */
function revivedErrors(status: JsonObject, old: JsonObject, policy: string): FieldError[] {
  const statuses = listAt(status, 'containerStatuses');
  return listAt(old, 'containerStatuses').flatMap((before) => {
    const ended = objectAt(objectAt(before, 'state'), 'terminated');
    if (ended === undefined || (policy === 'OnFailure' && numberAt(ended, 'exitCode') !== 0)) return [];
    const i = statuses.findIndex((now) => textAt(now, 'name') === textAt(before, 'name'));
    if (i === -1 || isSet(objectAt(statuses[i], 'state'), 'terminated')) return [];
    return [
      fieldError.forbidden(`status.containerStatuses[${i}].state`, 'may not be transitioned to non-terminated state'),
    ];
  });
}

const GATED: Json = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

/** Old kubelets write only one address; the list must contain it. */
function alignAddresses(status: JsonObject): void {
  const address = textAt(status, 'podIP');
  const [first] = listAt(status, 'podIPs');
  if (address !== '' && textAt(first, 'ip') !== address) status['podIPs'] = [{ ip: address }];
  if (address === '' && first !== undefined) status['podIP'] = textAt(first, 'ip');
}

export const pod: KindBehaviour = {
  hasGeneration: true,
  default(object) {
    defaultPod(object);
    const status = objectAt(object, 'status');
    if (status !== undefined) alignAddresses(status);
  },
  prepareForCreate(object) {
    const gated = listAt(specOf(object), 'schedulingGates').length > 0;
    object.metadata.generation = 1;
    object['status'] = { phase: 'Pending', ...(gated ? { conditions: [GATED] } : {}), qosClass: qosClass(object) };
  },
  prepareForUpdate(object, old) {
    copyField(object, old, 'status');
    generationOnSpecChange(object, old);
  },
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
    copyField(object.metadata, old.metadata, 'ownerReferences');
    copyField(object.metadata, old.metadata, 'deletionTimestamp');
    const status = ensureObject(object, 'status');
    if (textAt(status, 'qosClass') === '') copyField(status, objectAt(old, 'status') ?? {}, 'qosClass');
  },
  validate: createErrors,
  validateUpdate: updateErrors,
  validateStatusUpdate: statusErrors,
  // Only on create: controllers update pods often, people rarely.
  warnings: (object, old) =>
    old === undefined ? [...hostnameWarnings(object, "the Pod's hostname"), ...podWarnings(object, '')] : [],
  selectableFields(object) {
    const spec = specOf(object);
    const status = objectAt(object, 'status');
    const [first] = listAt(status, 'podIPs');
    return {
      'spec.nodeName': textAt(spec, 'nodeName'),
      'spec.restartPolicy': textAt(spec, 'restartPolicy'),
      'spec.schedulerName': textAt(spec, 'schedulerName'),
      'spec.serviceAccountName': textAt(spec, 'serviceAccountName'),
      'spec.hostNetwork': String(spec['hostNetwork'] === true),
      'status.phase': textAt(status, 'phase'),
      'status.podIP': textAt(first, 'ip'),
      'status.podIPs': listAt(status, 'podIPs')
        .map((entry) => textAt(entry, 'ip'))
        .join(','),
      'status.nominatedNodeName': textAt(status, 'nominatedNodeName'),
    };
  },
  defaultGracePeriodSeconds(object) {
    const spec = specOf(object);
    const phase = textAt(objectAt(object, 'status'), 'phase');
    // There is nothing to stop: the pod has no node yet, or has already ended.
    if (textAt(spec, 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
    const seconds = numberAt(spec, 'terminationGracePeriodSeconds');
    return seconds < 0 ? 1 : seconds;
  },
};
