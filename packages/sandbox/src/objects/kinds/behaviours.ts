/** The behavior of each built-in kind, by group and resource. */
import { apiService } from './api-service.ts';
import { configMap } from './config-map.ts';
import { controllerRevision } from './workload/controller-revision.ts';
import { daemonSet } from './workload/daemon-set.ts';
import { deployment } from './workload/deployment.ts';
import { endpoints, endpointSlice } from './service/endpoints.ts';
import { event, eventsV1Event } from './event.ts';
import type { KindBehaviour } from './kind.ts';
import { lease } from './lease.ts';
import { limitRange } from './limit-range.ts';
import { namespace } from './namespace.ts';
import { networkPolicy } from './service/network-policy.ts';
import { node } from './node.ts';
import { persistentVolumeClaim } from './storage/persistent-volume-claim.ts';
import { persistentVolume } from './storage/persistent-volume.ts';
import { podDisruptionBudget } from './workload/pod-disruption-budget.ts';
import { pod } from './pod/pod.ts';
import { priorityClass } from './priority-class.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding } from './rbac.ts';
import { replicaSet, replicationController } from './workload/replica-set.ts';
import { resourceQuota } from './resource-quota.ts';
import { binding, localSubjectAccessReview, selfSubjectAccessReview, subjectAccessReview } from './reviews.ts';
import { secret } from './secret.ts';
import { service } from './service/service.ts';
import { statefulSet } from './workload/stateful-set.ts';
import { storageClass } from './storage/storage-class.ts';
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from './webhook-configuration.ts';

const BEHAVIOURS: { readonly [resource: string]: KindBehaviour } = {
  '/bindings': binding,
  '/configmaps': configMap,
  '/endpoints': endpoints,
  '/events': event,
  '/limitranges': limitRange,
  '/namespaces': namespace,
  '/nodes': node,
  '/persistentvolumeclaims': persistentVolumeClaim,
  '/persistentvolumes': persistentVolume,
  '/pods': pod,
  '/replicationcontrollers': replicationController,
  '/resourcequotas': resourceQuota,
  '/secrets': secret,
  '/serviceaccounts': {},
  '/services': service,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': mutatingWebhookConfiguration,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': validatingWebhookConfiguration,
  'apiregistration.k8s.io/apiservices': apiService,
  'apps/controllerrevisions': controllerRevision,
  'apps/daemonsets': daemonSet,
  'apps/deployments': deployment,
  'apps/replicasets': replicaSet,
  'apps/statefulsets': statefulSet,
  'authorization.k8s.io/localsubjectaccessreviews': localSubjectAccessReview,
  'authorization.k8s.io/selfsubjectaccessreviews': selfSubjectAccessReview,
  'authorization.k8s.io/subjectaccessreviews': subjectAccessReview,
  'coordination.k8s.io/leases': lease,
  'discovery.k8s.io/endpointslices': endpointSlice,
  'events.k8s.io/events': eventsV1Event,
  'networking.k8s.io/networkpolicies': networkPolicy,
  'policy/poddisruptionbudgets': podDisruptionBudget,
  'rbac.authorization.k8s.io/clusterrolebindings': clusterRoleBinding,
  'rbac.authorization.k8s.io/clusterroles': clusterRole,
  'rbac.authorization.k8s.io/rolebindings': roleBinding,
  'rbac.authorization.k8s.io/roles': role,
  'scheduling.k8s.io/priorityclasses': priorityClass,
  'storage.k8s.io/storageclasses': storageClass,
};

/** `behaviourOf` returns the behavior of a kind beyond its schema; empty for kinds without special behavior. */
export function behaviourOf(group: string, resource: string): KindBehaviour {
  const behaviour = BEHAVIOURS[`${group}/${resource}`] ?? {};
  const { validate } = behaviour;
  if (validate === undefined || behaviour.validateUpdate !== undefined) return behaviour;
  return { ...behaviour, validateUpdate: (object) => validate(object) };
}
