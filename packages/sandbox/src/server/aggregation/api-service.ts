/** Reads an APIService and sets its condition. */
import { timestamp } from '../api/write/write.ts';
import { isObject, type Json, type JsonObject, type KubeObject } from '../../values/json.ts';

export const API_SERVICES = 'apiregistration.k8s.io/apiservices';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface RemoteService {
  /** VERSION.GROUP, the name of the APIService. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  readonly service: ServiceReference;
  readonly insecureSkipTLSVerify: boolean;
  /** PEM; empty means the authorities that the operating system trusts. */
  readonly caBundle: string;
  readonly available: boolean;
}

export interface AggregatedCondition {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export const LOCALLY_AVAILABLE: AggregatedCondition = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

export const PASSED: AggregatedCondition = { status: 'True', reason: 'Passed', message: 'all checks passed' };

export function apiServiceName(group: string, version: string): string {
  return `${version}.${group}`;
}

/** Undefined when the APIService has no Service: then this server serves the group and version itself. */
export function remoteService(object: KubeObject): RemoteService | undefined {
  const spec = object['spec'];
  if (!isObject(spec) || !isObject(spec['service'])) return undefined;
  const { service } = spec;
  return {
    name: object.metadata.name ?? '',
    group: text(spec['group']),
    version: text(spec['version']),
    groupPriorityMinimum: Number(spec['groupPriorityMinimum'] ?? 0),
    versionPriority: Number(spec['versionPriority'] ?? 0),
    service: {
      namespace: text(service['namespace']),
      name: text(service['name']),
      port: Number(service['port'] ?? 443),
    },
    insecureSkipTLSVerify: spec['insecureSkipTLSVerify'] === true,
    caBundle: Buffer.from(text(spec['caBundle']), 'base64').toString(),
    available: conditions(object).some(({ type, status }) => type === 'Available' && status === 'True'),
  };
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The DNS name of the Service. Certificates must be valid for it, whatever the address. */
export function serverName({ name, namespace }: ServiceReference): string {
  return `${name}.${namespace}.svc`;
}

/** `setAvailable` sets the condition Available in place; the transition time changes only with the status. */
export function setAvailable(object: KubeObject, condition: AggregatedCondition): boolean {
  const list = conditions(object);
  const old = list.find(({ type }) => type === 'Available');
  if (
    old !== undefined &&
    old['status'] === condition.status &&
    old['reason'] === condition.reason &&
    old['message'] === condition.message
  )
    return false;
  const { status, reason, message } = condition;
  const lastTransitionTime = old?.['status'] === status ? (old['lastTransitionTime'] as string) : timestamp();
  const changed: JsonObject = { type: 'Available', status, lastTransitionTime, reason, message };
  const merged = old === undefined ? [...list, changed] : list.map((entry) => (entry === old ? changed : entry));
  object['status'] = { ...(isObject(object['status']) ? object['status'] : {}), conditions: merged };
  return true;
}

function conditions(object: KubeObject): JsonObject[] {
  const status = object['status'];
  return isObject(status) && Array.isArray(status['conditions']) ? status['conditions'].filter(isObject) : [];
}
