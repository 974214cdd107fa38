/** The requests and limits of a whole pod, from its containers, its own resources and its overhead. */
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { qosClass } from '../../objects/kinds/pod/pod-qos.ts';
import type { Quantity } from '../../objects/schema/quantity.ts';
import { accumulate, amountsAt, isZero, plus, raise, type Amounts } from './quota/amounts.ts';

export interface PodResourceOptions {
  /** Use the amount that the kubelet has allocated where it exceeds the spec, as quotas do. */
  readonly withStatus: boolean;
  readonly withOverhead: boolean;
}

type Which = 'requests' | 'limits';

/** The resources that can be set for the pod as a whole. Huge pages are recognized by their prefix. */
const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

export function podRequests(pod: KubeObject, options: PodResourceOptions): Map<string, Quantity> {
  const total = ofPod(pod, 'requests', options);
  if (options.withOverhead) accumulate(total, amountsAt(objectAt(pod, 'spec'), 'overhead'));
  return total;
}

export function podLimits(pod: KubeObject, options: PodResourceOptions): Map<string, Quantity> {
  const total = ofPod(pod, 'limits', options);
  if (!options.withOverhead) return total;
  // Overhead is added only to resources that have a limit.
  const overhead = amountsAt(objectAt(pod, 'spec'), 'overhead');
  for (const [name, amount] of overhead) {
    const limit = total.get(name);
    if (limit !== undefined && !isZero(limit)) accumulate(total, new Map([[name, amount]]));
  }
  return total;
}

export function hasPodLevelResources(pod: KubeObject): boolean {
  const own = objectAt(objectAt(pod, 'spec'), 'resources');
  return [...amountsAt(own, 'requests').keys(), ...amountsAt(own, 'limits').keys()].some(isPodLevel);
}

function ofPod(pod: KubeObject, which: Which, options: PodResourceOptions): Map<string, Quantity> {
  const spec = objectAt(pod, 'spec');
  const total = ofContainers(pod, which, options);
  for (const [name, amount] of amountsAt(objectAt(spec, 'resources'), which))
    if (isPodLevel(name)) total.set(name, amount);
  return total;
}

/**
 * Init containers run in sequence, beside the sidecars that started before them: the pod needs the maximum over time.
 */
function ofContainers(pod: KubeObject, which: Which, options: PodResourceOptions): Map<string, Quantity> {
  const spec = objectAt(pod, 'spec');
  const total = new Map<string, Quantity>();
  for (const container of listAt(spec, 'containers')) accumulate(total, ofContainer(pod, container, which, options));
  const staying = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of listAt(spec, 'initContainers')) {
    const sidecar = textAt(container, 'restartPolicy') === 'Always';
    const own = ofContainer(pod, container, which, { ...options, withStatus: options.withStatus && sidecar });
    if (sidecar) {
      accumulate(total, own);
      accumulate(staying, own);
      raise(starting, staying);
    } else raise(starting, plus(own, staying));
  }
  raise(total, starting);
  return total;
}

function ofContainer(pod: KubeObject, container: JsonObject, which: Which, options: PodResourceOptions): Amounts {
  const asked = amountsAt(objectAt(container, 'resources'), which);
  if (!options.withStatus) return asked;
  const status = objectAt(pod, 'status');
  const name = textAt(container, 'name');
  const own = [...listAt(status, 'containerStatuses'), ...listAt(status, 'initContainerStatuses')].find(
    (item) => textAt(item, 'name') === name,
  );
  const actual = objectAt(own, 'resources');
  if (own === undefined || actual === undefined) return asked;
  const effective = isResizeInfeasible(pod) ? new Map<string, Quantity>() : asked;
  raise(effective, amountsAt(actual, which));
  if (which === 'requests') raise(effective, amountsAt(own, 'allocatedResources'));
  return effective;
}

function isResizeInfeasible(pod: KubeObject): boolean {
  const conditions = listAt(objectAt(pod, 'status'), 'conditions');
  return (
    textAt(
      conditions.find((item) => textAt(item, 'type') === 'PodResizePending'),
      'reason',
    ) === 'Infeasible'
  );
}

/** `isBestEffort` returns whether the pod has no request and no limit of cpu or memory. */
export function isBestEffort(pod: KubeObject): boolean {
  const known = textAt(objectAt(pod, 'status'), 'qosClass');
  return (known === '' ? qosClass(pod) : known) === 'BestEffort';
}
