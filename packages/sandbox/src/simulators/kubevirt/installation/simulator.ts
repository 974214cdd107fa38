/**
 * KubeVirt and CDI as installations: their objects, workloads and roles, and the instance types and preferences that
 * KubeVirt installs.
 */
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { place, placeObjects, type Placed } from '../../place-objects.ts';
import type { Simulator } from '../../world.ts';
import { clusterInstancetypes, clusterPreferences, kubeVirts } from '../objects.ts';
import { commonInstancetypes } from './common-instancetypes.ts';
import { commonPreferences } from './common-preferences.ts';
import { operatorController } from './operator-controller.ts';
import { cdiStatus, kubevirtStatus } from './operator-status.ts';
import { cdiBindings, cdiRoles, kubevirtBindings, kubevirtRoles } from './roles.ts';
import { workloadController } from './workload-controller.ts';
import {
  cdiDeployments,
  daemonSetOf,
  daemonSets,
  deploymentOf,
  deployments,
  kubevirtDeployments,
  PRIORITY_CLASS,
  virtHandlers,
  type Workload,
} from './workloads.ts';

const of = (group: string, kind: string, plural: string, namespaced = false): ResourceType => ({
  group,
  version: group === 'cdi.kubevirt.io' ? 'v1beta1' : 'v1',
  kind,
  plural,
  namespaced,
});
const clusterRoles = of('rbac.authorization.k8s.io', 'ClusterRole', 'clusterroles');
const clusterRoleBindings = of('rbac.authorization.k8s.io', 'ClusterRoleBinding', 'clusterrolebindings');
const priorityClasses = of('scheduling.k8s.io', 'PriorityClass', 'priorityclasses');
const serviceAccounts = of('', 'ServiceAccount', 'serviceaccounts', true);
const services = of('', 'Service', 'services', true);
const cdis = of('cdi.kubevirt.io', 'CDI', 'cdis');

const priorityClass: Unstructured = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: PRIORITY_CLASS },
  value: 1_000_000_000,
  globalDefault: false,
  description: 'For what virtual machines cannot run without.',
};

function accountsOf(workloads: readonly Workload[]): readonly Placed[] {
  return place(
    serviceAccounts,
    workloads.map(({ namespace, serviceAccount, labels }) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace, name: serviceAccount, labels },
    })),
  );
}

const metricsService = (namespace: string): Unstructured => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'kubevirt-prometheus-metrics',
    namespace,
    labels: { 'kubevirt.io': '', 'prometheus.kubevirt.io': 'true' },
  },
  spec: {
    clusterIP: 'None',
    selector: { 'prometheus.kubevirt.io': 'true' },
    ports: [{ name: 'metrics', port: 443, targetPort: 'metrics', protocol: 'TCP' }],
  },
});

export const installation: Simulator = (world) => {
  const namespace = world.kubevirtNamespace;
  const workloads = kubevirtDeployments(namespace);
  const handlers = virtHandlers(namespace);
  const kubevirt: Unstructured = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace },
    // The same as OpenShift's setting: a VM that grows while it runs is migrated, and has the new size then.
    spec: { workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] } },
  };
  const placed = [
    ...place(priorityClasses, [priorityClass]),
    ...place(kubeVirts, [kubevirt]),
    ...accountsOf([...workloads, handlers]),
    ...place(deployments, workloads.map(deploymentOf)),
    ...place(daemonSets, [daemonSetOf(handlers)]),
    ...place(services, [metricsService(namespace)]),
    ...place(clusterRoles, kubevirtRoles),
    ...place(clusterRoleBindings, kubevirtBindings),
    ...place(clusterInstancetypes, commonInstancetypes()),
    ...place(clusterPreferences, commonPreferences()),
  ];
  return [
    placeObjects(world, 'kubevirt-installation', 'virt-operator', placed),
    workloadController(world, 'kubevirt-workloads', 'virt-operator', workloads, handlers),
    operatorController(world, {
      name: 'virt-operator',
      as: 'virt-operator',
      type: kubeVirts,
      key: { namespace, name: 'kubevirt' },
      workloads,
      daemons: handlers,
      status: kubevirtStatus,
    }),
  ];
};

export const cdiInstallation: Simulator = (world) => {
  const cdi: Unstructured = {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'CDI',
    metadata: { name: 'cdi' },
    spec: { config: { featureGates: ['HonorWaitForFirstConsumer'] }, imagePullPolicy: 'IfNotPresent' },
  };
  const placed = [
    ...place(priorityClasses, [priorityClass]),
    ...place(cdis, [cdi]),
    ...accountsOf(cdiDeployments),
    ...place(deployments, cdiDeployments.map(deploymentOf)),
    ...place(clusterRoles, cdiRoles),
    ...place(clusterRoleBindings, cdiBindings),
  ];
  return [
    placeObjects(world, 'cdi-installation', 'cdi-controller', placed),
    workloadController(world, 'cdi-workloads', 'cdi-controller', cdiDeployments),
    operatorController(world, {
      name: 'cdi-operator',
      as: 'cdi-controller',
      type: cdis,
      key: { name: 'cdi' },
      workloads: cdiDeployments,
      status: (object, { ready }, now) => cdiStatus(object, ready, now),
    }),
  ];
};
