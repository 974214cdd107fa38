/**
 * Priority: sets a pod's priority from its class, allows only one default class, and protects the two system classes.
 */
import { errors } from '../../server/api/status.ts';
import type { KubeObject } from '../../values/json.ts';
import { ensureObject, numberAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { refuse } from './refusal.ts';
import { isCore, stored, storedIn } from './stored.ts';

const TABLE = 'scheduling.k8s.io/priorityclasses';
const SYSTEM_CRITICAL = 2_000_000_000;

/** The classes that every cluster has from the start. */
export const SYSTEM_PRIORITY_CLASSES = [
  {
    name: 'system-node-critical',
    value: SYSTEM_CRITICAL + 1000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    name: 'system-cluster-critical',
    value: SYSTEM_CRITICAL,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
] as const;

export function priority(store: Store): AdmissionPlugin {
  return {
    name: 'Priority',
    mutate(request) {
      if (!isCore(request, 'pods') || request.object === undefined) return;
      if (request.operation === 'CREATE') setPriority(store, request, request.object);
      else if (request.oldObject !== undefined) keepPriority(request.object, request.oldObject);
    },
    validate(request) {
      const { resource, object, operation, subresource, name } = request;
      if (resource.plural !== 'priorityclasses' || resource.group !== 'scheduling.k8s.io' || subresource !== '') return;
      if (operation === 'DELETE' && SYSTEM_PRIORITY_CLASSES.some((known) => known.name === name)) {
        throw errors.forbidden(resource, name, 'this is a system priority class and cannot be deleted');
      }
      if (object?.['globalDefault'] !== true) return;
      const other = defaultClass(store)?.metadata.name;
      if (other === undefined || (operation === 'UPDATE' && other === name)) return;
      throw refuse(request, `PriorityClass ${other} is already marked as default. Only one default can exist`);
    },
  };
}

/** The one with the lowest value, if there are several. */
function defaultClass(store: Store): KubeObject | undefined {
  return storedIn(store, TABLE, '')
    .filter((known) => known['globalDefault'] === true)
    .reduce<KubeObject | undefined>(
      (low, known) => (low !== undefined && numberAt(low, 'value') <= numberAt(known, 'value') ? low : known),
      undefined,
    );
}

function setPriority(store: Store, request: AdmissionRequest, pod: KubeObject): void {
  const spec = ensureObject(pod, 'spec');
  const name = textAt(spec, 'priorityClassName');
  const found = name === '' ? defaultClass(store) : stored(store, TABLE, '', name);
  if (found === undefined && name !== '') throw refuse(request, `no PriorityClass with name ${name} was found`);
  const value = numberAt(found, 'value');
  const given = spec['priority'];
  if (typeof given === 'number' && given !== value) {
    const why = `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    throw refuse(request, why);
  }
  if (found !== undefined) spec['priorityClassName'] = found.metadata.name ?? '';
  spec['priority'] = value;
  const policy = textAt(found, 'preemptionPolicy') || 'PreemptLowerPriority';
  const asked = textAt(spec, 'preemptionPolicy');
  if (asked !== '' && asked !== policy) {
    const why = `the string value of PreemptionPolicy (${asked}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    throw refuse(request, why);
  }
  spec['preemptionPolicy'] = policy;
}

function keepPriority(pod: KubeObject, old: KubeObject): void {
  const before = objectAt(old, 'spec');
  const spec = ensureObject(pod, 'spec');
  for (const key of ['priority', 'preemptionPolicy']) {
    if (spec[key] === undefined && before?.[key] !== undefined) spec[key] = before[key];
  }
}
