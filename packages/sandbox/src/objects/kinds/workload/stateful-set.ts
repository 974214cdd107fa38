import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { label, nonNegative, nonNegativeFields, oneOf } from '../errors.ts';
import { copyField, ensureObject, isSet, listAt, numberAt, objectAt, setDefault, textAt } from '../values/fields.ts';
import { isZero, notMoreThan100Percent, positiveIntOrPercent } from '../values/int-or-percent.ts';
import type { KindBehaviour } from '../kind.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import { claimSpecErrors, defaultClaim } from '../storage/persistent-volume-claim.ts';
import { selectorErrors } from '../values/selector.ts';
import {
  defaultNumber,
  defaultTemplate,
  keepSpec,
  prepareWorkloadUpdate,
  replicaStatusErrors,
  requiredSelectorErrors,
  restartErrors,
  selectedTemplateErrors,
  specOf,
} from './workload.ts';

const CHANGEABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
];
const FIXED =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
const COUNTERS = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
];
const PARTS = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

function specErrors(spec: JsonObject, isNew: boolean): FieldError[] {
  const errors = [...policyErrors(spec), ...strategyErrors(spec)];
  const retention = objectAt(spec, 'persistentVolumeClaimRetentionPolicy') ?? {};
  for (const key of ['whenDeleted', 'whenScaled']) {
    errors.push(...oneOf(retention, key, 'spec.persistentVolumeClaimRetentionPolicy', ['Retain', 'Delete']));
  }
  if (isNew) {
    listAt(spec, 'volumeClaimTemplates').forEach((claim, i) => {
      errors.push(...claimSpecErrors(objectAt(claim, 'spec') ?? {}, `spec.volumeClaimTemplates[${i}].spec`));
    });
  }
  errors.push(...nonNegativeFields(spec, ['replicas', 'minReadySeconds'], 'spec'));
  errors.push(...nonNegative(numberAt(objectAt(spec, 'ordinals'), 'start'), 'spec.ordinals.start'));
  const service = textAt(spec, 'serviceName');
  if (isNew && service !== '') errors.push(...label(service, 'spec.serviceName'));
  errors.push(...requiredSelectorErrors(spec, 'statefulset'));
  // With an invalid selector, only this part of the template is validated.
  const unreadable = selectorErrors(objectAt(spec, 'selector'), '').length > 0;
  const restart = unreadable ? restartErrors(objectAt(spec, 'template'), 'StatefulSet') : [];
  return [
    ...errors,
    ...selectedTemplateErrors(withClaims(spec), objectAt(spec, 'selector'), 'StatefulSet', ''),
    ...restart,
  ];
}

/** Each claim template is also a volume that containers may mount. */
function withClaims(spec: JsonObject): JsonObject {
  const claims = listAt(spec, 'volumeClaimTemplates').map((claim) => textAt(objectAt(claim, 'metadata'), 'name'));
  const template = objectAt(spec, 'template');
  if (claims.length === 0 || template === undefined) return spec;
  const podSpec = objectAt(template, 'spec') ?? {};
  const own = listAt(podSpec, 'volumes').filter((volume) => !claims.includes(textAt(volume, 'name')));
  const added = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...spec, template: { ...template, spec: { ...podSpec, volumes: [...added, ...own] } } };
}

function policyErrors(spec: JsonObject): FieldError[] {
  const policy = textAt(spec, 'podManagementPolicy');
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [fieldError.invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")];
}

function strategyErrors(spec: JsonObject): FieldError[] {
  const strategy = objectAt(spec, 'updateStrategy') ?? {};
  const rolling = objectAt(strategy, 'rollingUpdate');
  const path = 'spec.updateStrategy.rollingUpdate';
  const type = textAt(strategy, 'type');
  if (type === 'OnDelete') {
    if (rolling === undefined) return [];
    const shown = { Partition: numberAt(rolling, 'partition'), MaxUnavailable: rolling['maxUnavailable'] ?? null };
    return [fieldError.invalid(path, shown, "only allowed for updateStrategy 'RollingUpdate'")];
  }
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: null };
    return [fieldError.invalid('spec.updateStrategy', shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  const errors = nonNegativeFields(rolling ?? {}, ['partition'], path);
  const unavailable = rolling?.['maxUnavailable'];
  if (unavailable === undefined) return errors;
  errors.push(...positiveIntOrPercent(unavailable, `${path}.maxUnavailable`));
  if (isZero(unavailable)) errors.push(fieldError.invalid(`${path}.maxUnavailable`, unavailable, 'cannot be 0'));
  return [...errors, ...notMoreThan100Percent(unavailable, `${path}.maxUnavailable`)];
}

function updateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const errors = specErrors(specOf(object), false);
  const munged = { ...specOf(object) };
  for (const key of CHANGEABLE) copyField(munged, specOf(old), key);
  return jsonEqual(munged, specOf(old)) ? errors : [...errors, fieldError.forbidden('spec', FIXED)];
}

export const statefulSet: KindBehaviour = {
  hasGeneration: true,
  warnings: (object, old) => templateWarnings(object, old, false),
  nameRule: 'dns1123label',
  default(object) {
    const spec = ensureObject(object, 'spec');
    setDefault(spec, 'podManagementPolicy', 'OrderedReady');
    const strategy = ensureObject(spec, 'updateStrategy');
    if (textAt(strategy, 'type') === '') {
      strategy['type'] = 'RollingUpdate';
      ensureObject(strategy, 'rollingUpdate');
    }
    const rolling = objectAt(strategy, 'rollingUpdate');
    if (strategy['type'] === 'RollingUpdate' && rolling !== undefined) defaultNumber(rolling, 'partition', 0);
    const retention = ensureObject(spec, 'persistentVolumeClaimRetentionPolicy');
    setDefault(retention, 'whenDeleted', 'Retain');
    setDefault(retention, 'whenScaled', 'Retain');
    defaultNumber(spec, 'replicas', 1);
    defaultNumber(spec, 'revisionHistoryLimit', 10);
    if (!isSet(spec, 'serviceName')) spec['serviceName'] = '';
    for (const claim of listAt(spec, 'volumeClaimTemplates')) {
      claim['apiVersion'] = 'v1';
      claim['kind'] = 'PersistentVolumeClaim';
      defaultClaim(claim);
    }
    defaultTemplate(spec);
  },
  prepareForCreate(object) {
    object['status'] = { replicas: 0, availableReplicas: 0 };
  },
  prepareForUpdate: (object, old) => prepareWorkloadUpdate(object, old),
  prepareForStatusUpdate: keepSpec,
  validate: (object) => specErrors(specOf(object), true),
  validateUpdate: updateErrors,
  validateStatusUpdate: (object) => replicaStatusErrors(object, COUNTERS, PARTS, 'status.readyReplicas'),
};
