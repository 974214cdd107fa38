/**
 * The objects by which an API server learns of the simulators' server: APIServices behind Services that stand for this machine, and webhook
 * configurations with a URL. No state, no requests.
 */
import type { KubeObject, Unstructured } from '../../../kube/object.ts';
import type { ResourceType } from '../../../kube/resource-type.ts';
import type { AggregatedApi, Webhook } from './contracts.ts';

export interface Address {
  readonly port: number;
  /** PEM. */
  readonly authority: string;
  /** Where the Services stand. */
  readonly namespace: string;
}

/** How often and in which order clients try a group among others; KubeVirt's own APIServices have these. */
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

export const configurations: Readonly<Record<Webhook['kind'], ResourceType>> = {
  Mutating: { ...registration, kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations' },
  Validating: { ...registration, kind: 'ValidatingWebhookConfiguration', plural: 'validatingwebhookconfigurations' },
};

/** KubeVirt's own name for its server, for whoever looks at the APIServices; a plain one for the others. */
export function serviceName(group: string): string {
  return group === 'subresources.kubevirt.io' ? 'virt-api' : group.replaceAll('.', '-');
}

/** As the API server calls it, and checks its certificate: the names that the certificate must have. */
export function serverNames(apis: readonly AggregatedApi[], namespace: string): readonly string[] {
  return groupsOf(apis).map((group) => `${serviceName(group)}.${namespace}.svc`);
}

export function groupsOf(apis: readonly AggregatedApi[]): readonly string[] {
  return [...new Set(apis.map(({ group }) => group))];
}

/** No cluster network leads to a process beside the API server; the name of this machine does. */
export function serviceOf(group: string, { namespace }: Address): Unstructured {
  return {
    metadata: { name: serviceName(group), namespace, labels: LABELS },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  };
}

export function apiServiceNameOf({ group, version }: AggregatedApi): string {
  return `${version}.${group}`;
}

/** Whether it is the simulators' own, of this start or of one before. */
export function isOurs({ metadata }: KubeObject): boolean {
  return Object.entries(LABELS).every(([label, value]) => metadata.labels?.[label] === value);
}

/** The server that another than the simulators has put behind an APIService, by its Service. */
export function foreignServer(apiService: ApiService): string | undefined {
  const service = apiService.spec?.service;
  if (isOurs(apiService) || service === undefined) return undefined;
  return `${service.namespace ?? ''}/${service.name ?? ''}`;
}

export function apiServiceOf(api: AggregatedApi, { port, authority, namespace }: Address): Unstructured {
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
export function configurationsOf(webhooks: readonly Webhook[], address: Address): readonly Configuration[] {
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
  { name, path, rules, conditions = {}, failurePolicy = 'Fail' }: Webhook,
  { port, authority }: Address,
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
