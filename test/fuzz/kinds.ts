/** Valid objects of many kinds, which the random requests then break. */
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { gadgetDefinition, type Harness } from './harness.ts';

export interface Kind {
  /** The path of its group and version, such as `/api/v1`. */
  readonly base: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly subresources: readonly string[];
  readonly example: JsonObject;
  /** Writes are sent with dryRun only, since they would change how all later requests are served. */
  readonly careful?: boolean;
  /** It is answered and not stored. */
  readonly createOnly?: boolean;
}

const pod = {
  containers: [
    { name: 'c', image: 'img', resources: { requests: { cpu: '100m', memory: '1Gi' }, limits: { cpu: 1 } } },
  ],
};
const template = { metadata: { labels: { app: 'a' } }, spec: pod };
const hook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://127.0.0.1:1/x' },
  rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'], scope: '*' }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  matchConditions: [{ name: 'm', expression: 'object.metadata.name != "x"' }],
};
const review = { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } };

function core(plural: string, kind: string, fields: JsonObject, more: Partial<Kind> = {}): Kind {
  return {
    base: '/api/v1',
    plural,
    namespaced: true,
    subresources: [],
    example: { apiVersion: 'v1', kind, ...fields },
    ...more,
  };
}

function grouped(apiVersion: string, plural: string, kind: string, fields: JsonObject, more: Partial<Kind> = {}): Kind {
  return {
    base: `/apis/${apiVersion}`,
    plural,
    namespaced: true,
    subresources: [],
    example: { apiVersion, kind, ...fields },
    ...more,
  };
}

export function kindsOf({ group, namespaces }: Harness): readonly Kind[] {
  const cluster = { namespaced: false };
  const gadget = {
    spec: {
      size: 3,
      color: 'red',
      amount: '1Gi',
      memory: '2Mi',
      tags: ['a', 'b'],
      ports: [{ name: 'http', number: 80 }],
      labels: { a: 'b' },
      free: { x: [1] },
    },
  };
  const withScale = { subresources: ['status', 'scale'] };
  return [
    core('configmaps', 'ConfigMap', { data: { key: 'value' }, binaryData: { b: 'AAAA' } }),
    core('secrets', 'Secret', { type: 'Opaque', data: { key: 'dmFsdWU=' }, stringData: { more: 'text' } }),
    core(
      'services',
      'Service',
      { spec: { selector: { app: 'a' }, ports: [{ name: 'http', port: 80, targetPort: 'web', protocol: 'TCP' }] } },
      { subresources: ['status'] },
    ),
    core('serviceaccounts', 'ServiceAccount', { secrets: [{ name: 's' }] }, { subresources: ['token'] }),
    core(
      'pods',
      'Pod',
      { spec: pod },
      { subresources: ['status', 'binding', 'eviction', 'ephemeralcontainers', 'resize', 'log', 'exec'] },
    ),
    core(
      'persistentvolumeclaims',
      'PersistentVolumeClaim',
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      { subresources: ['status'] },
    ),
    core('events', 'Event', {
      involvedObject: { kind: 'Pod', namespace: namespaces[0] as string, name: 'a' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
    }),
    core(
      'resourcequotas',
      'ResourceQuota',
      { spec: { hard: { pods: '100', 'requests.cpu': '50' } } },
      { subresources: ['status'] },
    ),
    core('limitranges', 'LimitRange', {
      spec: { limits: [{ type: 'Container', max: { cpu: '2' }, default: { cpu: '500m' } }] },
    }),
    core('endpoints', 'Endpoints', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }),
    core('namespaces', 'Namespace', {}, { ...cluster, subresources: ['status', 'finalize'] }),
    core('nodes', 'Node', { spec: { podCIDR: '10.1.0.0/24' } }, { ...cluster, subresources: ['status'] }),
    core(
      'persistentvolumes',
      'PersistentVolume',
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
      { ...cluster, subresources: ['status'] },
    ),
    grouped(
      'apps/v1',
      'deployments',
      'Deployment',
      { spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template } },
      withScale,
    ),
    grouped(
      'apps/v1',
      'daemonsets',
      'DaemonSet',
      { spec: { selector: { matchLabels: { app: 'a' } }, template } },
      { subresources: ['status'] },
    ),
    grouped('apps/v1', 'controllerrevisions', 'ControllerRevision', { revision: 1, data: { a: 1 } }),
    grouped('coordination.k8s.io/v1', 'leases', 'Lease', {
      spec: { holderIdentity: 'me', leaseDurationSeconds: 10, renewTime: '2024-01-01T00:00:00.000000Z' },
    }),
    grouped('networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy', {
      spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] },
    }),
    grouped(
      'policy/v1',
      'poddisruptionbudgets',
      'PodDisruptionBudget',
      { spec: { minAvailable: '50%', selector: { matchLabels: { app: 'a' } } } },
      { subresources: ['status'] },
    ),
    grouped('events.k8s.io/v1', 'events', 'Event', {
      eventTime: '2024-01-01T00:00:00.000000Z',
      reportingController: 'x',
      reportingInstance: 'y',
      action: 'A',
      reason: 'R',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace: namespaces[0] as string },
    }),
    grouped(
      'storage.k8s.io/v1',
      'storageclasses',
      'StorageClass',
      { provisioner: 'x.example.com', parameters: { a: 'b' } },
      cluster,
    ),
    grouped('rbac.authorization.k8s.io/v1', 'roles', 'Role', {
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    }),
    grouped(
      'rbac.authorization.k8s.io/v1',
      'clusterroles',
      'ClusterRole',
      { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
      { ...cluster, createOnly: true },
    ),
    grouped('rbac.authorization.k8s.io/v1', 'rolebindings', 'RoleBinding', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
      subjects: [{ kind: 'User', name: 'u' }],
    }),
    grouped(
      'scheduling.k8s.io/v1',
      'priorityclasses',
      'PriorityClass',
      { value: 10 },
      { ...cluster, createOnly: true },
    ),
    grouped(
      'admissionregistration.k8s.io/v1',
      'validatingwebhookconfigurations',
      'ValidatingWebhookConfiguration',
      { webhooks: [hook] },
      { ...cluster, careful: true },
    ),
    grouped(
      'admissionregistration.k8s.io/v1',
      'mutatingwebhookconfigurations',
      'MutatingWebhookConfiguration',
      { webhooks: [hook] },
      { ...cluster, careful: true },
    ),
    grouped(
      'apiregistration.k8s.io/v1',
      'apiservices',
      'APIService',
      {
        spec: {
          group: 'agg.example.com',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          service: { name: 's', namespace: 'default' },
        },
      },
      { ...cluster, careful: true },
    ),
    grouped(
      'apiextensions.k8s.io/v1',
      'customresourcedefinitions',
      'CustomResourceDefinition',
      { spec: gadgetDefinition(group)['spec'] },
      { ...cluster, subresources: ['status'] },
    ),
    grouped(`${group}/v1`, 'gadgets', 'Gadget', gadget, withScale),
    grouped(`${group}/v1beta1`, 'gadgets', 'Gadget', gadget, withScale),
    grouped(
      'authorization.k8s.io/v1',
      'subjectaccessreviews',
      'SubjectAccessReview',
      { spec: { ...review, user: 'u' } },
      { ...cluster, createOnly: true },
    ),
    grouped(
      'authorization.k8s.io/v1',
      'selfsubjectaccessreviews',
      'SelfSubjectAccessReview',
      { spec: review },
      { ...cluster, createOnly: true },
    ),
    grouped(
      'authentication.k8s.io/v1',
      'tokenreviews',
      'TokenReview',
      { spec: { token: 'x' } },
      { ...cluster, createOnly: true },
    ),
    grouped(
      'authentication.k8s.io/v1',
      'selfsubjectreviews',
      'SelfSubjectReview',
      {},
      { ...cluster, createOnly: true },
    ),
  ];
}
