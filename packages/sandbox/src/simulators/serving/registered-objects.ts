/**
 * The objects that register the simulators' server with an API server: APIServices with Services that point to this
 * host, and webhook configurations with a URL. Pure functions without requests.
 */
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { AggregatedApi, ServedWebhook } from './contracts.ts';

export interface RegisteredAddress {
  readonly port: number;
  /** PEM. */
  readonly authority: string;
  /** The namespace of the Services. */
  readonly namespace: string;
}

/** The priorities by which clients order groups; those of KubeVirt's own APIServices. */
const PRIORITY = { group: 1000, version: 15 };
const LABELS = { 'app.kubernetes.io/managed-by': 'ssvirt-simulators' };

const registration = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };

export const services: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
};

export interface ApiService extends KubeObject {
  readonly spec?: {
    readonly group?: string;
    readonly version?: string;
    readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number };
    readonly caBundle?: string;
  };
  readonly status?: { readonly conditions?: readonly ApiServiceCondition[] };
}

export interface ApiServiceCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export const apiServices: ResourceType<ApiService> = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
};

export const configurations: Readonly<Record<ServedWebhook['kind'], ResourceType>> = {
  Mutating: { ...registration, kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations' },
  Validating: { ...registration, kind: 'ValidatingWebhookConfiguration', plural: 'validatingwebhookconfigurations' },
};

/**
 * KubeVirt's group uses KubeVirt's own Service name, because users look for it in the APIServices; other groups use a
 * plain name.
 */
export function serviceName(group: string): string {
  return group === 'subresources.kubevirt.io' ? 'virt-api' : group.replaceAll('.', '-');
}

/** The names by which the API server calls the server, and which the certificate must contain. */
export function serverNames(apis: readonly AggregatedApi[], namespace: string): readonly string[] {
  return groupsOf(apis).map((group) => `${serviceName(group)}.${namespace}.svc`);
}

export function groupsOf(apis: readonly AggregatedApi[]): readonly string[] {
  return [...new Set(apis.map(({ group }) => group))];
}

/** `serviceOf` returns an ExternalName of `localhost`, because no cluster network reaches a process beside the API server. */
export function serviceOf(group: string, { namespace }: RegisteredAddress): Unstructured {
  return {
    metadata: { name: serviceName(group), namespace, labels: LABELS },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  };
}

export function apiServiceNameOf({ group, version }: AggregatedApi): string {
  return `${version}.${group}`;
}

/** True for objects of the simulators, from this start or an earlier one. */
export function isOurs({ metadata }: KubeObject): boolean {
  return Object.entries(LABELS).every(([label, value]) => metadata.labels?.[label] === value);
}

/** `foreignServer` returns the Service of an APIService that does not belong to the simulators. */
export function foreignServer(apiService: ApiService): string | undefined {
  const service = apiService.spec?.service;
  if (isOurs(apiService) || service === undefined) return undefined;
  return `${service.namespace ?? ''}/${service.name ?? ''}`;
}

export function apiServiceOf(api: AggregatedApi, { port, authority, namespace }: RegisteredAddress): Unstructured {
  const { group, version, priority = PRIORITY } = api;
  return {
    metadata: { name: apiServiceNameOf(api), labels: LABELS },
    spec: {
      group,
      version,
      groupPriorityMinimum: priority.group,
      versionPriority: priority.version,
      service: { name: serviceName(group), namespace, port },
      caBundle: base64(authority),
    },
  };
}

export interface Configuration {
  readonly type: ResourceType;
  readonly object: Unstructured;
}

/** One object for all webhooks of one kind and configuration name. */
export function configurationsOf(
  webhooks: readonly ServedWebhook[],
  address: RegisteredAddress,
): readonly Configuration[] {
  const groups = Map.groupBy(webhooks, ({ kind, configuration }) => `${kind} ${configuration}`);
  return [...groups.values()].flatMap((members) =>
    members.slice(0, 1).map(({ kind, configuration }) => ({
      type: configurations[kind],
      object: {
        metadata: { name: configuration, labels: LABELS },
        webhooks: members.map((webhook) => entryOf(webhook, address)),
      },
    })),
  );
}

function entryOf(
  { name, path, rules, conditions = {}, failurePolicy = 'Fail' }: ServedWebhook,
  { port, authority }: RegisteredAddress,
): object {
  return {
    name,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 10,
    failurePolicy,
    clientConfig: { url: `https://localhost:${port}${path}`, caBundle: base64(authority) },
    rules: rules.map(({ groups, versions, resources, operations }) => ({
      apiGroups: groups,
      apiVersions: versions,
      resources,
      operations,
      scope: '*',
    })),
    matchConditions: Object.entries(conditions).map(([title, expression]) => ({ name: title, expression })),
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
