/** The number of pods that a PodDisruptionBudget should cover, according to the controllers that own them. */
import { groupOf, type Resource } from '../../server/api/resource.ts';
import type { Json, JsonObject, KubeObject, OwnerReference } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import { isSet, objectAt } from '../../objects/kinds/values/fields.ts';
import type { LocalClient } from './client.ts';

export interface ExpectedPods {
  readonly count: number;
  readonly desiredHealthy: number;
}

/** Why the number is unknown, in the disruption controller's words. */
export class UnknownScale extends Error {}

const BUILTIN_REPLICAS = ['spec', 'replicas'];

export function expectedPods(client: LocalClient, budget: KubeObject, pods: readonly KubeObject[]): ExpectedPods {
  const spec = objectAt(budget, 'spec');
  if (isSet(spec, 'maxUnavailable')) {
    const count = totalScale(client, pods);
    return { count, desiredHealthy: Math.max(0, count - scaled(spec?.['maxUnavailable'], count)) };
  }
  const least = spec?.['minAvailable'];
  if (typeof least === 'number') return { count: pods.length, desiredHealthy: least };
  if (typeof least !== 'string') return { count: 0, desiredHealthy: 0 };
  const count = totalScale(client, pods);
  return { count, desiredHealthy: scaled(least, count) };
}

function scaled(value: Json | undefined, total: number): number {
  if (typeof value !== 'string') return typeof value === 'number' ? value : 0;
  return Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

/** Pods without a controller do not count, so a budget of only such pods allows no disruption. */
function totalScale(client: LocalClient, pods: readonly KubeObject[]): number {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined || scales.has(owner.uid)) continue;
    const scale = scaleOf(client, owner, pod.metadata.namespace ?? '');
    if (scale === undefined)
      throw new UnknownScale(`found no controllers for pod ${JSON.stringify(pod.metadata.name ?? '')}`);
    scales.set(scale.uid, scale.replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  (object.metadata.ownerReferences ?? []).find((owner) => owner['controller'] === true);

interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

/** Undefined when the controller does not exist. For the pods of a ReplicaSet it is the Deployment, if there is one. */
function scaleOf(client: LocalClient, owner: OwnerReference, namespace: string): Scale | undefined {
  const resource = client.resource(owner.apiVersion, owner.kind);
  if (resource === undefined) {
    throw new UnknownScale(
      `no matches for kind ${JSON.stringify(owner.kind)} in version ${JSON.stringify(owner.apiVersion)}`,
    );
  }
  const path = replicasPath(resource);
  const object = client.get(resource, namespace, owner.name);
  if (object === undefined || object.metadata.uid !== owner.uid) return undefined;
  const above = owner.kind === 'ReplicaSet' && groupOf(owner.apiVersion) === 'apps' ? controllerOf(object) : undefined;
  const deployment = above?.kind === 'Deployment' ? deploymentScale(client, above, namespace) : undefined;
  return deployment ?? { uid: owner.uid, replicas: replicasAt(object, path) };
}

function deploymentScale(client: LocalClient, owner: OwnerReference, namespace: string): Scale | undefined {
  const deployment = client.get(client.builtin('apps', 'v1', 'deployments'), namespace, owner.name);
  if (deployment === undefined || deployment.metadata.uid !== owner.uid) return undefined;
  return { uid: owner.uid, replicas: replicasAt(deployment, BUILTIN_REPLICAS) };
}

function replicasPath(resource: Resource): readonly string[] {
  if (resource.custom && resource.scale !== undefined) return resource.scale.spec;
  if (resource.subresources.some(({ name }) => name === 'scale')) return BUILTIN_REPLICAS;
  const name = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  throw new UnknownScale(`${name} does not implement the scale subresource`);
}

function replicasAt(object: JsonObject, path: readonly string[]): number {
  let value: Json | undefined = object;
  for (const part of path) value = isObject(value) ? value[part] : undefined;
  return typeof value === 'number' ? value : 0;
}
