/** A pod's quality of service class, from the requests and limits of its containers. */
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { listAt, objectAt, textMapAt } from '../values/fields.ts';
import { compare } from '../values/quantities.ts';

const COMPUTE = ['cpu', 'memory'];

export function qosClass(pod: KubeObject): string {
  const spec = objectAt(pod, 'spec');
  const own = objectAt(spec, 'resources');
  const holders =
    own === undefined ? [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')] : [{ resources: own }];
  const resources = holders.map((holder) => objectAt(holder, 'resources'));
  const amounts = (of: JsonObject | undefined, key: string): [string, string][] =>
    Object.entries(textMapAt(of, key)).filter(([name, value]) => COMPUTE.includes(name) && compare(value, '0') > 0);
  const used = resources.some((of) => amounts(of, 'requests').length + amounts(of, 'limits').length > 0);
  if (!used) return 'BestEffort';
  const guaranteed = resources.every((of) => {
    const limits = Object.fromEntries(amounts(of, 'limits'));
    const requests = Object.fromEntries(amounts(of, 'requests'));
    return COMPUTE.every(
      (name) => limits[name] !== undefined && compare(limits[name], requests[name] ?? limits[name]) === 0,
    );
  });
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
