/** Which created objects are waited for, and when each is ready. A VirtualMachine is not waited for. */
import type { Json, JsonObject } from '../../../values/json.ts';
import { isObject } from '../../../values/json.ts';
import type { ObjectReference } from '../kinds.ts';

export const WAIT_ANNOTATION = 'template.alpha.openshift.io/wait-for-ready';

export type InstanceReadiness = 'ready' | 'waiting' | 'failed';

const checks: Readonly<Record<string, (object: JsonObject) => InstanceReadiness>> = {
  'apps/v1 Deployment': deployment,
  'apps/v1 StatefulSet': statefulSet,
  'batch/v1 Job': job,
  'build.openshift.io/v1 Build': build,
  'apps.openshift.io/v1 DeploymentConfig': deployment,
  'route.openshift.io/v1 Route': route,
};

export function isWaitedFor({ apiVersion, kind }: ObjectReference): boolean {
  return Object.hasOwn(checks, `${apiVersion} ${kind}`);
}

export function readinessOf({ apiVersion, kind }: ObjectReference, object: JsonObject): InstanceReadiness {
  const annotations = partOf(partOf(object, 'metadata'), 'annotations');
  if (String(annotations[WAIT_ANNOTATION] ?? '').toLowerCase() !== 'true') return 'ready';
  return checks[`${apiVersion} ${kind}`]?.(object) ?? 'ready';
}

function deployment(object: JsonObject): InstanceReadiness {
  const status = partOf(object, 'status');
  const [progressing, available] = [conditionOf(status, 'Progressing'), conditionOf(status, 'Available')];
  if (status['observedGeneration'] !== partOf(object, 'metadata')['generation'] || progressing === undefined)
    return 'waiting';
  if (progressing['status'] === 'False') return 'failed';
  const rolledOut = ['NewReplicaSetAvailable', 'NewReplicationControllerAvailable'];
  return progressing['status'] === 'True' &&
    rolledOut.includes(String(progressing['reason'])) &&
    available?.['status'] === 'True'
    ? 'ready'
    : 'waiting';
}

function statefulSet(object: JsonObject): InstanceReadiness {
  const status = partOf(object, 'status');
  const isSynced = status['observedGeneration'] === partOf(object, 'metadata')['generation'];
  return isSynced && (status['readyReplicas'] ?? 0) === partOf(object, 'spec')['replicas'] ? 'ready' : 'waiting';
}

function job(object: JsonObject): InstanceReadiness {
  const { completionTime, failed } = partOf(object, 'status');
  if (typeof failed === 'number' && failed > 0) return 'failed';
  return completionTime === undefined ? 'waiting' : 'ready';
}

function build(object: JsonObject): InstanceReadiness {
  const { phase } = partOf(object, 'status');
  if (phase === 'Complete') return 'ready';
  return ['Failed', 'Error', 'Cancelled'].includes(String(phase)) ? 'failed' : 'waiting';
}

function route(object: JsonObject): InstanceReadiness {
  return String(partOf(object, 'spec')['host'] ?? '') === '' ? 'waiting' : 'ready';
}

function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  const conditions: Json = status['conditions'] ?? [];
  return Array.isArray(conditions) ? conditions.filter(isObject).find((one) => one['type'] === type) : undefined;
}

function partOf(object: JsonObject, name: string): JsonObject {
  const part = object[name];
  return isObject(part) ? part : {};
}
