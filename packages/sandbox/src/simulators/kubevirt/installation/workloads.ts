/** The workloads that KubeVirt and CDI consist of, as their operators deploy them. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { JsonObject } from '../../../values/json.ts';

export const KUBEVIRT_VERSION = 'v1.9.0';
export const CDI_VERSION = 'v1.66.0';
export const CDI_NAMESPACE = 'cdi';
export const PRIORITY_CLASS = 'kubevirt-cluster-critical';

export interface Workload {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: Readonly<Record<string, string>>;
  readonly replicas: number;
  readonly serviceAccount: string;
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly priorityClass?: string;
}

export const deployments: ResourceType = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
export const replicaSets: ResourceType = { ...deployments, kind: 'ReplicaSet', plural: 'replicasets' };
export const daemonSets: ResourceType = { ...deployments, kind: 'DaemonSet', plural: 'daemonsets' };

export const VIRT_HANDLER = 'virt-handler';

const virt = (namespace: string, name: string, account: string, cpu: string, memory: string): Workload => ({
  name,
  namespace,
  image: `kubevirt/${name}:${KUBEVIRT_VERSION}`,
  labels: {
    'kubevirt.io': name,
    'app.kubernetes.io/component': 'kubevirt',
    ...(name === 'virt-operator' ? {} : { 'app.kubernetes.io/managed-by': 'virt-operator' }),
  },
  selector: { 'kubevirt.io': name },
  replicas: 2,
  serviceAccount: account,
  requests: { cpu, memory },
  priorityClass: PRIORITY_CLASS,
});

export const kubevirtDeployments = (namespace: string): readonly Workload[] => [
  virt(namespace, 'virt-operator', 'kubevirt-operator', '10m', '450Mi'),
  virt(namespace, 'virt-api', 'kubevirt-apiserver', '5m', '500Mi'),
  virt(namespace, 'virt-controller', 'kubevirt-controller', '10m', '275Mi'),
];

export const virtHandlers = (namespace: string): Workload =>
  virt(namespace, VIRT_HANDLER, 'kubevirt-handler', '10m', '325Mi');

const cdi = (name: string, account: string, marker: Readonly<Record<string, string>>): Workload => ({
  name,
  namespace: CDI_NAMESPACE,
  image: `kubevirt/${name === 'cdi-deployment' ? 'cdi-controller' : name}:${CDI_VERSION}`,
  labels: {
    ...marker,
    'app.kubernetes.io/component': 'storage',
    ...(name === 'cdi-operator' ? {} : { 'app.kubernetes.io/managed-by': 'cdi-operator' }),
  },
  selector: marker,
  replicas: 1,
  serviceAccount: account,
  requests: { cpu: '10m', memory: '150Mi' },
  priorityClass: PRIORITY_CLASS,
});

export const cdiDeployments: readonly Workload[] = [
  cdi('cdi-operator', 'cdi-operator', { name: 'cdi-operator' }),
  cdi('cdi-apiserver', 'cdi-apiserver', { 'cdi.kubevirt.io': 'cdi-apiserver' }),
  cdi('cdi-deployment', 'cdi-sa', { 'cdi.kubevirt.io': '', app: 'containerized-data-importer' }),
  cdi('cdi-uploadproxy', 'cdi-uploadproxy', { 'cdi.kubevirt.io': 'cdi-uploadproxy' }),
];

function podTemplate(workload: Workload): JsonObject {
  const { name, image, labels, serviceAccount, requests, priorityClass } = workload;
  return {
    metadata: { labels: { ...labels } },
    spec: {
      serviceAccountName: serviceAccount,
      ...(priorityClass === undefined ? {} : { priorityClassName: priorityClass }),
      tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
      containers: [{ name, image, imagePullPolicy: 'IfNotPresent', resources: { requests } }],
    },
  };
}

export function deploymentOf(workload: Workload): Unstructured {
  const { name, namespace, labels, selector, replicas } = workload;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: { replicas, selector: { matchLabels: { ...selector } }, template: podTemplate(workload) },
  };
}

export function daemonSetOf(workload: Workload): Unstructured {
  const { name, namespace, labels, selector } = workload;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: { ...selector } },
      template: podTemplate(workload),
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
    },
  };
}
