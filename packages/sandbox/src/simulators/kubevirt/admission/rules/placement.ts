/** Where the launcher pod may run: virt-api checks affinity and spreading as kube-apiserver checks those of pods. */
import type { JsonObject } from '../../../../values/json.ts';
import { affinityErrors, labelName } from '../../../../objects/kinds/pod/pod-scheduling.ts';
import { listAt, numberAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { selectorErrors } from '../../../../objects/kinds/values/selector.ts';
import { fieldError, type FieldError } from '../../../../server/api/status.ts';
import { invalid, type Cause } from '../cause.ts';

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];

/** KubeVirt leaves `affinity` out of the paths, and leaves the values of node labels to kube-apiserver. */
export function placementCauses(field: string, spec: JsonObject): Cause[] {
  const errors = [
    ...affinityErrors(objectAt(spec, 'affinity'), field, true),
    ...spreadErrors(`${field}.topologySpreadConstraints`, listAt(spec, 'topologySpreadConstraints')),
  ];
  return errors.map(({ field: at, detail }) => invalid(`${at}: ${detail}`, at));
}

/** Unlike in pods, the topology key is checked as a label, and the path of a selector does not say which entry it is. */
function spreadErrors(path: string, constraints: readonly JsonObject[]): FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const at = `${path}[${index}]`;
    const skew = numberAt(constraint, 'maxSkew');
    const key = textAt(constraint, 'topologyKey');
    const action = textAt(constraint, 'whenUnsatisfiable');
    const errors: FieldError[] = [];
    if (skew <= 0) errors.push(fieldError.invalid(`${at}.maxSkew`, skew, 'must be greater than zero'));
    if (key === '') errors.push(fieldError.required(`${at}.topologyKey`, 'can not be empty'));
    else errors.push(...labelName(key, `${at}.topologyKey`));
    if (!ACTIONS.includes(action)) errors.push(fieldError.notSupported(`${at}.whenUnsatisfiable`, action, ACTIONS));
    errors.push(...selectorErrors(objectAt(constraint, 'labelSelector'), `${path}.labelSelector`));
    const same = (other: JsonObject): boolean =>
      textAt(other, 'topologyKey') === key && textAt(other, 'whenUnsatisfiable') === action;
    if (constraints.slice(index + 1).some(same))
      errors.push(fieldError.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${key}, ${action}}`));
    return errors;
  });
}
