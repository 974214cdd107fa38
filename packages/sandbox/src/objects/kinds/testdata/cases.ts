/** Objects that are created and optionally changed on a real server. Its answers are in `observed.json`. */
import type { Json, JsonObject } from '../../../values/json.ts';

export interface Case {
  /** `group/plural`. */
  readonly on: string;
  /** Without apiVersion, kind and name, which the recorder adds. */
  readonly create: JsonObject;
  readonly name?: string;
  /** A merge patch for the created object, and one for its status. */
  readonly patch?: JsonObject;
  readonly status?: JsonObject;
}

const spec = (on: string, ...specs: Json[]): Case[] => specs.map((value) => ({ on, create: { spec: value } }));
const changed = (on: string, create: JsonObject, ...patches: JsonObject[]): Case[] =>
  patches.map((patch) => ({ on, create, patch }));
const statuses = (on: string, create: JsonObject, ...list: Json[]): Case[] =>
  list.map((status) => ({ on, create, status: { status } }));

const port = { port: 80 };
const services: Case[] = [
  ...spec(
    '/services',
    { ports: [port], selector: { a: 'b' } },
    { ports: [port], clusterIP: 'None' },
    { ports: [port], clusterIP: 'None', selector: { a: 'b' } },
    { clusterIP: 'None' },
    { externalName: 'a.b', type: 'ExternalName' },
    { externalName: 'a.b.', type: 'ExternalName', ports: [port] },
    {
      externalName: 'A',
      type: 'ExternalName',
      clusterIP: '10.96.0.9',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    },
    { ports: [{ port: 80, name: 'a', targetPort: 'http' }], type: 'LoadBalancer', sessionAffinity: 'ClientIP' },
    { ports: [port], type: 'LoadBalancer', clusterIP: 'None' },
    { ports: [port], type: 'NodePort', clusterIP: 'None' },
    { ports: [port], type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
    {
      ports: [port],
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      loadBalancerSourceRanges: ['10.0.0.0/8', 'x'],
    },
    { ports: [{ port: 80, name: 'a', protocol: 'UDP' }], type: 'NodePort' },
    {
      ports: [
        { port: 80, name: 'a', protocol: 'UDP' },
        { port: 80, name: 'b' },
      ],
      type: 'NodePort',
    },
    {
      ports: [
        { port: 80, name: 'a', nodePort: 30001 },
        { port: 81, name: 'b', nodePort: 30001 },
      ],
      type: 'NodePort',
    },
    { ports: [port], externalIPs: ['1.2.3.4'] },
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 80, name: 'b' },
      ],
    },
    { ports: [port, { port: 81 }] },
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 81, name: 'a' },
      ],
    },
    { ports: [{ port: 0, protocol: 'X', targetPort: 70000, name: 'A_', appProtocol: '_' }] },
    { ports: [port], type: 'X' },
    { ports: [port], sessionAffinity: 'X', internalTrafficPolicy: 'X', externalTrafficPolicy: 'Local' },
    { ports: [{ port: 80, nodePort: 3 }], clusterIP: 'x' },
    { ports: [{ port: 80, nodePort: 3 }] },
    { ports: [port], clusterIPs: ['1.2.3.4'] },
    { ports: [port], clusterIP: '1.2.3.4', clusterIPs: ['1.2.3.5'] },
    { ports: [port], clusterIP: 'None', clusterIPs: ['None', '1.2.3.5'] },
    { ports: [port], type: 'ExternalName' },
    { ports: [port], ipFamilies: ['IPv6'] },
    { ports: [port], ipFamilies: ['IPv4', 'IPv4'] },
    { ports: [port], ipFamilies: ['IPv4', 'IPv6'] },
    { ports: [port], ipFamilyPolicy: 'RequireDualStack' },
    { ports: [port], ipFamilyPolicy: 'PreferDualStack' },
    { ports: [port], ipFamilies: ['X'], ipFamilyPolicy: 'Y' },
    {
      ports: [port],
      externalIPs: ['a', '127.0.0.1', '0.0.0.0'],
      loadBalancerClass: 'x',
      loadBalancerSourceRanges: ['a'],
    },
    {
      ports: [port],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: -1 } },
      selector: { _: 'b' },
    },
    {
      ports: [{ port: 80, targetPort: 'waytoolongportname1' }],
      trafficDistribution: 'x',
      allocateLoadBalancerNodePorts: true,
    },
    { ports: [port], healthCheckNodePort: 5, sessionAffinityConfig: { clientIP: {} } },
    {},
  ),
  { on: '/services', name: '1a', create: { spec: { ports: [port] } } },
  ...changed(
    '/services',
    { spec: { ports: [{ port: 80, name: 'a' }], type: 'NodePort', selector: { a: 'b' } } },
    { spec: { type: 'ClusterIP' } },
    { spec: { type: 'ExternalName', externalName: 'a' } },
    { spec: { type: 'LoadBalancer' } },
    { spec: { clusterIP: '10.96.0.77' } },
    { spec: { clusterIP: 'None' } },
    { spec: { clusterIP: null, clusterIPs: null } },
    { spec: { ports: [{ port: 81, name: 'a' }] } },
    { spec: { ports: [{ port: 81, name: 'a', nodePort: 31234 }] } },
    { spec: { ipFamilies: ['IPv6'] } },
    { metadata: { labels: { a: 'b' } } },
  ),
  ...changed(
    '/services',
    { spec: { ports: [port], type: 'LoadBalancer', loadBalancerClass: 'a/b' } },
    { spec: { loadBalancerClass: 'a/c' } },
    { spec: { type: 'ClusterIP' } },
    { spec: { externalTrafficPolicy: 'Local' } },
  ),
  ...statuses(
    '/services',
    { spec: { ports: [port], type: 'LoadBalancer' } },
    { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    {
      loadBalancer: {
        ingress: [
          { hostname: '1.2.3.4' },
          { ip: 'x' },
          { hostname: 'a', ipMode: 'VIP' },
          { ip: '1.1.1.1', ipMode: 'Z' },
        ],
      },
    },
  ),
  ...statuses('/services', { spec: { ports: [port] } }, { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } }, {}),
];

const configuration: Case[] = [
  { on: '/namespaces', create: {} },
  { on: '/namespaces', create: { spec: { finalizers: ['foo', 'a.b/c'] }, status: { phase: 'Foo' } } },
  {
    on: '/namespaces',
    create: {},
    patch: { metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } }, spec: { finalizers: [] } },
  },
  ...statuses(
    '/namespaces',
    {},
    { phase: 'Terminating' },
    { phase: 'Active', conditions: [{ type: 'X', status: 'True' }] },
  ),
  { on: '/secrets', create: {} },
  { on: '/secrets', create: { data: { a: 'YQ==', b: null }, stringData: { a: 'x', c: 'y' } } },
  { on: '/secrets', create: { data: { 'a b': '' } } },
  ...['tls', 'basic-auth', 'ssh-auth', 'dockerconfigjson', 'dockercfg', 'service-account-token'].map((type) => ({
    on: '/secrets',
    create: { type: `kubernetes.io/${type}` },
  })),
  { on: '/secrets', create: { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } } },
  { on: '/secrets', create: { type: 'kubernetes.io/dockercfg', stringData: { '.dockercfg': '[]' } } },
  { on: '/secrets', create: { type: 'kubernetes.io/basic-auth', stringData: { password: '' } } },
  ...changed(
    '/secrets',
    { immutable: true, stringData: { a: 'b' } },
    { type: 'foo' },
    { immutable: false },
    { data: { a: 'YWE=' } },
    { metadata: { labels: { a: 'b' } } },
  ),
  { on: '/configmaps', create: {} },
  { on: '/configmaps', create: { data: { a: 'b' }, binaryData: { b: 'YQ==' }, immutable: false } },
  { on: '/configmaps', create: { data: { a: 'x' }, binaryData: { a: 'YQ==', '..': 'YQ==' } } },
  ...changed(
    '/configmaps',
    { immutable: true, data: { a: 'b' } },
    { immutable: null },
    { data: { a: 'c' }, binaryData: { x: 'YQ==' } },
  ),
  {
    on: '/serviceaccounts',
    create: { secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }], automountServiceAccountToken: false },
  },
];

const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const volume = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } };
const storage: Case[] = [
  ...spec(
    '/persistentvolumeclaims',
    claim,
    {},
    {
      accessModes: ['X', 'ReadWriteOncePod', 'ReadWriteMany'],
      volumeMode: 'Z',
      storageClassName: 'A_',
      resources: { requests: { storage: '0' } },
      dataSource: { kind: 'Foo', name: '' },
    },
    { ...claim, dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' } },
    { ...claim, dataSource: { kind: 'PersistentVolumeClaim', name: 'b' } },
    { ...claim, dataSource: { kind: 'VolumeSnapshot', apiGroup: 'snapshot.storage.k8s.io', name: 'b' } },
    { ...claim, dataSourceRef: { kind: 'DataVolume', apiGroup: 'cdi.kubevirt.io', name: 'b' } },
    { ...claim, dataSourceRef: { kind: 'DataVolume', name: 'b' } },
    { ...claim, selector: { matchLabels: { a: 'b c' } }, volumeAttributesClassName: '_' },
    { ...claim, volumeMode: 'Block', storageClassName: '' },
  ),
  ...changed(
    '/persistentvolumeclaims',
    { spec: claim },
    { spec: { resources: { requests: { storage: '2Gi' } } } },
    { spec: { accessModes: ['ReadWriteMany'] } },
    { spec: { volumeMode: 'Block' } },
    { spec: { storageClassName: 'a', volumeName: 'v' } },
    { spec: { resources: { requests: { storage: '1Mi', cpu: '1' } }, selector: { matchLabels: { a: 'b' } } } },
    { status: { phase: 'Bound' } },
  ),
  ...statuses(
    '/persistentvolumeclaims',
    { spec: claim },
    { phase: 'Bound', capacity: { storage: '1024Mi' } },
    { capacity: { storage: '-1' } },
  ),
  ...spec(
    '/persistentvolumes',
    volume,
    {},
    { ...volume, capacity: { storage: '1Gi', cpu: '1' }, nfs: { path: 'a', server: '' } },
    {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      local: { path: '/a' },
      persistentVolumeReclaimPolicy: 'X',
    },
    { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, csi: { driver: '', volumeHandle: '' } },
    { ...volume, hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' },
    { ...volume, accessModes: ['X'], volumeMode: 'Y', storageClassName: '_', capacity: { storage: '0' } },
    { ...volume, nodeAffinity: { required: { nodeSelectorTerms: [] } } },
    { ...volume, hostPath: { path: '/a/../b', type: 'Foo' } },
    {
      accessModes: ['ReadWriteMany'],
      capacity: { storage: '1Gi' },
      nfs: { path: '/a', server: 'b' },
      mountOptions: ['x'],
    },
  ),
  ...changed(
    '/persistentvolumes',
    { spec: volume },
    { spec: { hostPath: { path: '/b' } } },
    { spec: { volumeMode: 'Block' } },
    {
      spec: { claimRef: { name: 'a', namespace: 'default' }, capacity: { storage: '2Gi' } },
    },
  ),
  { on: 'storage.k8s.io/storageclasses', create: { provisioner: 'a' } },
  { on: 'storage.k8s.io/storageclasses', create: {} },
  {
    on: 'storage.k8s.io/storageclasses',
    create: { provisioner: 'a b', reclaimPolicy: 'X', volumeBindingMode: 'Y', parameters: { '': 'x' } },
  },
  ...changed(
    'storage.k8s.io/storageclasses',
    { provisioner: 'A.b/c' },
    { provisioner: 'b', parameters: { a: 'b' }, reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' },
    { allowVolumeExpansion: true, mountOptions: ['a'] },
  ),
];

const limits: Case[] = [
  ...spec(
    '/resourcequotas',
    { hard: { configmaps: '100', 'requests.cpu': 1.5, 'count/foo.bar': 1 } },
    { hard: { pods: '1.5' } },
    { hard: { foo: '1' } },
    { hard: { cpu: '-1' } },
    { hard: { 'requests.nvidia.com/gpu': '1', 'limits.memory': '1Gi' } },
    { hard: { services: '1' }, scopes: ['BestEffort', 'NotBestEffort', 'X'] },
    { hard: { pods: '1' }, scopes: ['Terminating', 'NotTerminating'] },
    {
      hard: { pods: '1' },
      scopeSelector: {
        matchExpressions: [
          { scopeName: 'PriorityClass', operator: 'In' },
          { scopeName: 'BestEffort', operator: 'In', values: ['a'] },
        ],
      },
    },
    { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'X', operator: 'Y' }] } },
    {},
  ),
  ...changed(
    '/resourcequotas',
    { spec: { hard: { pods: '1' } } },
    { spec: { scopes: ['BestEffort'] } },
    { spec: { hard: { pods: '2' } } },
  ),
  ...statuses(
    '/resourcequotas',
    { spec: { hard: { pods: '1' } } },
    { hard: { pods: '1' }, used: { pods: '0' } },
    { used: { pods: '1.5' } },
  ),
  ...spec(
    '/limitranges',
    { limits: [{ type: 'Container', max: { cpu: '2' }, default: { memory: '1Gi' }, min: { memory: '1Mi' } }] },
    { limits: [{ type: 'Foo' }, { type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }, { type: 'Container' }] },
    { limits: [{ type: 'Pod', default: { cpu: '2' }, max: { foo: '1' } }, { type: 'PersistentVolumeClaim' }] },
    { limits: [{ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' }, maxLimitRequestRatio: { cpu: '0.5' } }] },
    { limits: [{ type: 'Pod', max: { cpu: '4' }, min: { cpu: '1' }, maxLimitRequestRatio: { cpu: '8' } }] },
    {
      limits: [
        { type: 'a.b/C', max: { storage: '4' } },
        { type: 'PersistentVolumeClaim', max: { storage: '4Gi' } },
      ],
    },
    { limits: [{ type: 'Container', default: { 'a.b/gpu': '2' }, defaultRequest: { 'a.b/gpu': '1' } }] },
    {},
  ),
  ...spec(
    'policy/poddisruptionbudgets',
    { minAvailable: 1, selector: {} },
    { minAvailable: 1, maxUnavailable: 1, selector: {} },
    { minAvailable: -1, unhealthyPodEvictionPolicy: 'X' },
    { minAvailable: '110%' },
    { maxUnavailable: 'foo', selector: { matchExpressions: [{ key: 'a', operator: 'X' }] } },
    {},
  ),
  ...changed(
    'policy/poddisruptionbudgets',
    { spec: { minAvailable: 1 } },
    { spec: { minAvailable: 0 } },
    { metadata: { labels: { a: 'b' } } },
  ),
  ...statuses(
    'policy/poddisruptionbudgets',
    { spec: {} },
    { currentHealthy: -1 },
    { expectedPods: 5, observedGeneration: 1 },
  ),
  { on: 'scheduling.k8s.io/priorityclasses', create: { value: 5 } },
  { on: 'scheduling.k8s.io/priorityclasses', create: { value: 2000000000, preemptionPolicy: 'X' } },
  { on: 'scheduling.k8s.io/priorityclasses', name: 'system-x', create: { value: 20 } },
  ...changed(
    'scheduling.k8s.io/priorityclasses',
    { value: 5 },
    { value: 9, preemptionPolicy: 'Never' },
    { description: 'x' },
  ),
];

const rules = (...list: JsonObject[]): JsonObject => ({ rules: list });
const cluster: Case[] = [
  ...spec(
    'coordination.k8s.io/leases',
    {},
    { holderIdentity: '', leaseDurationSeconds: 15, renewTime: '2020-01-01T00:00:00.000000Z' },
    { leaseDurationSeconds: 0, leaseTransitions: -1, preferredHolder: 'x', strategy: 'y' },
  ),
  ...spec(
    'networking.k8s.io/networkpolicies',
    { podSelector: {}, egress: [{ ports: [port] }] },
    { podSelector: {}, ingress: [], egress: [] },
    { podSelector: {}, ingress: [{}], policyTypes: ['Egress', 'Ingress', 'Egress'] },
    {
      podSelector: {
        matchLabels: { 'a b': 'c' },
        matchExpressions: [
          { key: 'a', operator: 'In' },
          { key: 'b', operator: 'X' },
          { key: '', operator: 'Exists', values: ['a'] },
        ],
      },
    },
    {
      podSelector: {},
      ingress: [
        {
          from: [
            {},
            { ipBlock: { cidr: 'x' }, podSelector: {} },
            { ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/8', 'y', '10.1.0.0/16'] } },
            { ipBlock: {} },
          ],
          ports: [{ port: 0, protocol: 'X' }, { port: 'A', endPort: 1 }, { endPort: 5 }, { port: 80, endPort: 70 }],
        },
      ],
      policyTypes: ['X'],
    },
  ),
  ...changed(
    'networking.k8s.io/networkpolicies',
    { spec: {} },
    { spec: { ingress: [{}] } },
    { metadata: { labels: { a: 'b' } } },
  ),
  {
    on: 'rbac.authorization.k8s.io/roles',
    create: rules({ verbs: [] }, { verbs: ['get'], nonResourceURLs: ['/a'] }, { verbs: ['get'], apiGroups: [''] }),
  },
  {
    on: 'rbac.authorization.k8s.io/roles',
    create: rules({ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [] }),
  },
  { on: 'rbac.authorization.k8s.io/clusterroles', create: {} },
  {
    on: 'rbac.authorization.k8s.io/clusterroles',
    create: { ...rules({ verbs: ['get'], nonResourceURLs: ['/a'], resources: ['x'] }), aggregationRule: {} },
  },
  {
    on: 'rbac.authorization.k8s.io/rolebindings',
    create: {
      roleRef: { kind: 'X', name: '' },
      subjects: [
        { kind: 'X', name: '' },
        { kind: 'ServiceAccount', name: 'A' },
        { kind: 'User', name: 'a', apiGroup: 'x' },
      ],
    },
  },
  ...changed(
    'rbac.authorization.k8s.io/rolebindings',
    { roleRef: { kind: 'Role', name: 'x' } },
    { roleRef: { name: 'z' } },
  ),
  {
    on: 'rbac.authorization.k8s.io/clusterrolebindings',
    create: {
      roleRef: { kind: 'ClusterRole', name: 'x' },
      subjects: [
        { kind: 'Group', name: 'a' },
        { kind: 'ServiceAccount', name: 'a', namespace: 'default' },
      ],
    },
  },
  {
    on: 'rbac.authorization.k8s.io/clusterrolebindings',
    create: { roleRef: { kind: 'Role', name: 'a/b' }, subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
  },
  { on: '/nodes', create: {} },
  { on: '/nodes', create: { spec: { podCIDR: '10.0.0.0/24' }, status: { capacity: { cpu: '4', pods: '110' } } } },
  {
    on: '/nodes',
    create: {
      spec: {
        podCIDR: 'x',
        taints: [
          { key: 'a', effect: 'Foo' },
          { key: 'b', effect: 'NoSchedule' },
          { key: 'b', effect: 'NoSchedule' },
          { key: '', value: '_', effect: '' },
        ],
      },
      status: { capacity: { pods: '1.5', cpu: '-1' } },
    },
  },
  ...changed(
    '/nodes',
    { spec: { podCIDR: '10.0.0.0/24', providerID: 'a' } },
    { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'], providerID: 'b' } },
    { spec: { unschedulable: true, taints: [{ key: 'a', effect: 'NoExecute', timeAdded: '2020-01-01T00:00:00Z' }] } },
  ),
  ...statuses(
    '/nodes',
    {},
    {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [
        { type: 'InternalIP', address: '1.2.3.4' },
        { type: 'InternalIP', address: '1.2.3.4' },
      ],
    },
  ),
  { on: 'apps/controllerrevisions', create: {} },
  ...changed(
    'apps/controllerrevisions',
    { data: { a: {} }, revision: 1 },
    { data: { b: 1 } },
    { revision: 5 },
    { revision: -1 },
  ),
  { on: '/endpoints', create: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [port] }] } },
  {
    on: '/endpoints',
    create: {
      subsets: [
        {},
        {
          addresses: [{ ip: 'x', hostname: 'A' }],
          notReadyAddresses: [{ ip: '127.0.0.1', nodeName: '_' }],
          ports: [{ port: 0 }, { port: 1, name: 'X', protocol: 'Y' }],
        },
      ],
    },
  },
  {
    on: 'discovery.k8s.io/endpointslices',
    create: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [port] },
  },
  {
    on: 'discovery.k8s.io/endpointslices',
    create: {
      addressType: 'IPv4',
      endpoints: [{ addresses: [] }, { addresses: ['::1', 'x'], nodeName: '_', hostname: 'A' }],
      ports: [{ name: 'a' }, { name: 'a', protocol: 'X' }],
    },
  },
  { on: 'discovery.k8s.io/endpointslices', create: { addressType: 'X', endpoints: [] } },
  ...changed(
    'discovery.k8s.io/endpointslices',
    { addressType: 'IPv4', endpoints: [] },
    { addressType: 'IPv6' },
    { endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }] },
    { metadata: { labels: { a: 'b' } } },
    { metadata: { annotations: { a: 'b' } } },
  ),
  {
    on: '/events',
    create: {
      involvedObject: { namespace: 'default', kind: 'Pod', name: 'a' },
      reason: 'r',
      message: 'm',
      type: 'Normal',
    },
  },
  { on: '/events', create: { involvedObject: { namespace: 'other' } } },
  { on: '/events', create: { involvedObject: {}, eventTime: '2020-01-01T00:00:00.000000Z' } },
  {
    on: 'events.k8s.io/events',
    create: {
      regarding: { namespace: 'default', kind: 'Pod', name: 'a' },
      reason: 'r',
      note: 'm',
      type: 'Normal',
      eventTime: '2020-01-01T00:00:00.000000Z',
      reportingController: 'a.b/c',
      reportingInstance: 'i',
      action: 'A',
    },
  },
  { on: 'events.k8s.io/events', create: { deprecatedCount: 1, deprecatedSource: { host: 'a' }, series: { count: 1 } } },
];

const hook = {
  name: 'a.b.c',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://a/b' },
  rules: [{ operations: ['CREATE'], apiGroups: ['foo.x'], apiVersions: ['v1'], resources: ['zzz'] }],
};
const hooks = (...list: JsonObject[]): JsonObject => ({ webhooks: list.map((item) => ({ ...hook, ...item })) });
const webhookConfigurations = 'admissionregistration.k8s.io/validatingwebhookconfigurations';
const registration: Case[] = [
  ...[
    hooks({}),
    hooks({ clientConfig: { service: { name: 'a', namespace: 'b' } }, rules: [] }),
    hooks({ clientConfig: { service: {} } }),
    hooks({ clientConfig: { service: { name: 'a', namespace: 'b', port: 0, path: 'x//y' } } }),
    hooks({ clientConfig: {} }),
    hooks({ clientConfig: { url: 'http://u@/x?y#z' } }),
    hooks({}, {}),
    hooks({ name: 'a', admissionReviewVersions: [], sideEffects: null, timeoutSeconds: 31 }),
    hooks({
      name: '',
      admissionReviewVersions: ['v2', 'v2', 'V'],
      sideEffects: 'Some',
      failurePolicy: 'X',
      matchPolicy: 'Y',
    }),
    hooks({
      rules: [
        {},
        {
          operations: ['*', 'X'],
          apiGroups: ['*', 'a'],
          apiVersions: ['*', ''],
          resources: ['*', 'a', 'a/*', 'a/b', ''],
          scope: 'Z',
        },
      ],
    }),
    hooks({ namespaceSelector: { matchLabels: { '': '' } }, matchConditions: [{ name: '', expression: '' }] }),
    {},
  ].map((create) => ({ on: webhookConfigurations, create })),
  { on: 'admissionregistration.k8s.io/mutatingwebhookconfigurations', create: hooks({}) },
  { on: 'admissionregistration.k8s.io/mutatingwebhookconfigurations', create: hooks({ reinvocationPolicy: 'X' }) },
  ...changed(webhookConfigurations, hooks({}), { webhooks: [] }, { metadata: { labels: { a: 'b' } } }),
  ...[
    {
      group: 'foo.example',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { name: 'a', namespace: 'default' },
      insecureSkipTLSVerify: true,
    },
    { group: 'foo.example', version: 'v1' },
    {
      group: 'foo.example',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      caBundle: 'YQ==',
    },
    {
      group: 'Foo',
      version: '1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { port: 0 },
      insecureSkipTLSVerify: true,
      caBundle: 'YQ==',
    },
    { version: 'v2', groupPriorityMinimum: 100, versionPriority: 10 },
  ].map((value) => ({ on: 'apiregistration.k8s.io/apiservices', name: 'v1.foo.example', create: { spec: value } })),
];

const container = { name: 'a', image: 'nginx' };
const pod = (value: JsonObject): JsonObject => ({ containers: [container], ...value });
const one = (value: JsonObject): JsonObject => ({ containers: [{ ...container, ...value }] });
const pods: Case[] = [
  ...spec(
    '/pods',
    pod({}),
    {},
    { containers: [] },
    one({ image: 'nginx:1.2', name: 'A' }),
    one({ image: 'reg:5000/a/b:latest' }),
    one({ image: 'reg:5000/a/b' }),
    one({ image: 'a@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }),
    one({ image: ' x' }),
    { containers: [{}, container, container] },
    one({
      ports: [
        { containerPort: 80 },
        { containerPort: 0, name: 'A' },
        { containerPort: 99999, hostPort: -1, protocol: 'X' },
      ],
    }),
    one({
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 81, hostPort: 80, name: 'a' },
        { containerPort: 82, name: 'a' },
      ],
    }),
    one({
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { grpc: { port: 5 } },
      startupProbe: { exec: { command: ['a'] } },
    }),
    one({
      livenessProbe: {},
      readinessProbe: { exec: {}, tcpSocket: { port: 'A' } },
      startupProbe: { httpGet: { port: 0, scheme: 'X', httpHeaders: [{ name: 'a b' }] } },
    }),
    one({
      livenessProbe: {
        exec: { command: ['a'] },
        successThreshold: 2,
        timeoutSeconds: -1,
        terminationGracePeriodSeconds: 0,
      },
    }),
    one({ lifecycle: { preStop: { httpGet: { port: 'http' } }, postStart: { sleep: { seconds: 60 } } } }),
    one({ resources: { limits: { cpu: '1', memory: '1Gi' } } }),
    one({ resources: { limits: { cpu: '1' }, requests: { cpu: '2', memory: '1Gi' } } }),
    one({ resources: { requests: { 'a.b/gpu': '1' } } }),
    one({ resources: { limits: { foo: '1' } } }),
    one({ resources: { limits: { memory: '-1' } } }),
    one({ resources: { limits: { 'hugepages-2Mi': '2Mi' } } }),
    one({ resources: { limits: { 'a.b/gpu': '1.5' } } }),
    one({ resources: { limits: { 'a.b/gpu': '2' }, requests: { 'a.b/gpu': '1' } } }),
    {
      ...one({ resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1' } } }),
      initContainers: [{ name: 'i', image: 'x' }],
    },
    one({
      env: [
        { name: '', value: 'a' },
        { name: 'a=b' },
        { name: 'X', valueFrom: {} },
        { name: 'Y', value: 'y', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
    }),
    one({
      env: [
        { name: 'A', valueFrom: { fieldRef: { fieldPath: 'foo' } } },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
        { name: 'C', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } },
      ],
    }),
    one({
      env: [
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        { name: 'B', valueFrom: { resourceFieldRef: { resource: 'x' } } },
        { name: 'C', valueFrom: { resourceFieldRef: {} } },
      ],
    }),
    one({
      env: [
        { name: 'A', valueFrom: { configMapKeyRef: { name: '', key: '' } } },
        { name: 'B', valueFrom: { secretKeyRef: { name: 'a', key: 'b c' } } },
      ],
    }),
    one({ envFrom: [{}, { configMapRef: {} }, { secretRef: { name: 'A' }, configMapRef: { name: 'b' } }] }),
    one({
      volumeMounts: [
        { name: 'x', mountPath: '/a' },
        { name: '', mountPath: '' },
      ],
    }),
    {
      ...one({
        volumeMounts: [
          { name: 'v', mountPath: '/a', subPath: '/x' },
          { name: 'v', mountPath: '/a', subPath: '../y', mountPropagation: 'Bidirectional' },
        ],
      }),
      volumes: [{ name: 'v', emptyDir: {} }],
    },
    {
      ...one({
        volumeDevices: [
          { name: 'v', devicePath: '/a' },
          { name: 'w', devicePath: '/a/../b' },
        ],
      }),
      volumes: [{ name: 'v', emptyDir: {} }],
    },
    one({
      imagePullPolicy: 'X',
      terminationMessagePolicy: 'Y',
      securityContext: { privileged: true, allowPrivilegeEscalation: false, runAsUser: -1 },
    }),
    one({
      securityContext: { privileged: true, capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] } },
      stdin: true,
      tty: true,
      workingDir: '/x',
      command: ['a'],
      args: ['b'],
    }),
    pod({
      initContainers: [
        { name: 'a', image: 'x' },
        { name: 'b', image: 'x', livenessProbe: { exec: { command: ['a'] } }, lifecycle: {} },
        { name: 'c', image: 'x', restartPolicy: 'Always' },
      ],
    }),
    pod({ ephemeralContainers: [{ name: 'e', image: 'x' }] }),
    pod({
      hostNetwork: true,
      containers: [{ ...container, ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 82 }] }],
    }),
    pod({ restartPolicy: 'X', dnsPolicy: 'Y', nodeSelector: { 'a b': 'c' }, schedulerName: 's' }),
    pod({ dnsPolicy: 'None' }),
    pod({ dnsPolicy: 'None', dnsConfig: { nameservers: ['1.2.3.4', 'x', '1.1.1.1', '2.2.2.2'], options: [{}] } }),
    pod({
      serviceAccountName: 'A',
      nodeName: 'B',
      hostname: 'C',
      subdomain: 'D',
      priorityClassName: 'E',
      runtimeClassName: 'F',
      activeDeadlineSeconds: 0,
    }),
    pod({
      serviceAccount: 'old',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 0,
      shareProcessNamespace: true,
    }),
    pod({
      tolerations: [
        {},
        { key: 'a', operator: 'Exists', value: 'x' },
        { key: 'a', operator: 'X', effect: 'Y' },
        { operator: 'Exists', tolerationSeconds: 5 },
        { key: 'a b', value: 'c d' },
      ],
    }),
    pod({
      hostAliases: [{ ip: 'x', hostnames: ['A'] }],
      readinessGates: [{ conditionType: 'a b' }],
      schedulingGates: [{ name: 'a' }, { name: 'a' }],
      nodeName: 'n',
    }),
    pod({ schedulingGates: [{ name: 'a.b/c' }] }),
    pod({
      topologySpreadConstraints: [
        { maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'X' },
        { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
        { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    }),
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 0,
              preference: {
                matchExpressions: [
                  { key: 'a', operator: 'In' },
                  { key: 'b', operator: 'Gt' },
                  { key: 'c', operator: 'X' },
                ],
              },
            },
          ],
        },
      },
    }),
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchFields: [
                  { key: 'x', operator: 'In', values: ['a', 'b'] },
                  { key: 'metadata.name', operator: 'Exists' },
                ],
                matchExpressions: [{ key: 'a', operator: 'Exists', values: ['a b'] }],
              },
            ],
          },
        },
      },
    }),
    pod({
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: '', namespaces: ['A'], labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
          ],
        },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, podAffinityTerm: { topologyKey: 'a' } }],
        },
      },
    }),
    pod({
      securityContext: {
        runAsUser: -1,
        fsGroup: 9999999999,
        fsGroupChangePolicy: 'X',
        seccompProfile: { type: 'Localhost' },
        runAsNonRoot: true,
      },
      hostPID: true,
      shareProcessNamespace: true,
    }),
    pod({ imagePullSecrets: [{ name: 'a' }], preemptionPolicy: 'X', priority: 5 }),
    pod({
      volumes: [
        { name: 'e', emptyDir: { sizeLimit: 5 } },
        { name: 'n' },
        { name: 's', secret: { secretName: 'x' } },
        { name: 'c', configMap: { name: 'x', items: [{ key: 'a', path: 'b' }] } },
        {
          name: 'd',
          downwardAPI: {
            items: [
              { path: 'a', fieldRef: { fieldPath: 'metadata.labels' } },
              { path: 'b', resourceFieldRef: { resource: 'limits.cpu', containerName: 'a' } },
            ],
          },
        },
        {
          name: 'p',
          projected: {
            sources: [{ downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } }],
          },
        },
        { name: 'h', hostPath: { path: '/x' } },
        { name: 'ep', ephemeral: { volumeClaimTemplate: { spec: claim } } },
        { name: 'isc', iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:s', lun: 0 } },
        { name: 'img', image: { reference: 'x' } },
        { name: 'pvc', persistentVolumeClaim: { claimName: 'x' } },
        { name: 'csi', csi: { driver: 'a.b' } },
        { name: 'nfs', nfs: { server: 'a', path: '/b' } },
      ],
    }),
    pod({
      volumes: [
        { name: 'A', emptyDir: {} },
        { name: 'b', emptyDir: {}, hostPath: { path: '/' } },
        { name: 'b', secret: {} },
        {
          name: 'c',
          configMap: {
            defaultMode: 512,
            items: [
              { key: '', path: '/a' },
              { key: 'a', path: '..b', mode: -1 },
            ],
          },
        },
        { name: 'd', downwardAPI: { items: [{ path: '' }, { path: 'a', fieldRef: { fieldPath: 'spec.nodeName' } }] } },
        {
          name: 'e',
          projected: {
            sources: [
              {},
              { serviceAccountToken: { path: '', expirationSeconds: 5 } },
              { secret: {}, configMap: { name: 'x' } },
            ],
          },
        },
        { name: 'f', hostPath: { path: '../x', type: 'Y' } },
        { name: 'g', persistentVolumeClaim: { claimName: '' } },
        { name: 'h', nfs: { server: '', path: 'a' } },
        { name: 'i', ephemeral: {} },
        { name: '', emptyDir: {} },
      ],
    }),
  ),
  ...changed(
    '/pods',
    { spec: pod({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }] }) },
    { spec: { containers: [{ ...container, image: 'x' }] } },
    { spec: { containers: [{ ...container, name: 'b' }] } },
    { spec: { containers: [container, { name: 'b', image: 'x' }] } },
    { spec: { activeDeadlineSeconds: 5 } },
    { spec: { activeDeadlineSeconds: -5 } },
    { spec: { tolerations: [] } },
    {
      spec: {
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 9 }, { key: 'b' }],
      },
    },
    { spec: { schedulingGates: [{ name: 'a' }] } },
    { spec: { nodeName: 'n', serviceAccountName: 'x' } },
    { spec: { volumes: [{ name: 'v' }], hostNetwork: true, nodeSelector: { b: 'c', a: 'b' } } },
    {
      spec: {
        containers: [
          { ...container, resources: { limits: { memory: '1Gi', cpu: '1' } }, env: [{ name: 'X', value: 'y' }] },
        ],
      },
    },
    { metadata: { labels: { a: 'b' } }, status: { phase: 'Running' } },
  ),
  ...statuses(
    '/pods',
    { spec: pod({}) },
    { phase: 'Running', podIP: '1.2.3.4', conditions: [{ type: 'Ready', status: 'True' }] },
    { qosClass: 'Guaranteed' },
    {
      qosClass: null,
      phase: 'Succeeded',
      containerStatuses: [
        { name: 'a', state: { terminated: { exitCode: 0 } }, ready: false, restartCount: 0, image: '', imageID: '' },
      ],
    },
  ),
];

const warned: Case[] = [
  { on: '/pods', name: 'a.b', create: { spec: pod({}) } },
  ...spec(
    '/pods',
    pod({
      nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
      terminationGracePeriodSeconds: -1,
      imagePullSecrets: [{}, { name: 'a' }, { name: 'a' }],
    }),
    one({
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
        { name: 'A', value: '$(A)3' },
      ],
      resources: { limits: { memory: '100m' } },
    }),
    one({
      ports: [
        { containerPort: 80, name: 'a' },
        { containerPort: 80, name: 'b' },
        { containerPort: 80, hostPort: 80 },
      ],
    }),
    pod({
      volumes: [
        { name: 'r', rbd: { image: 'a', monitors: ['b'] } },
        { name: 's', storageos: { volumeName: 'x' } },
      ],
    }),
    pod({
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway' }],
      hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }],
    }),
    pod({
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'a' } }],
        },
      },
    }),
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{}, { matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Exists' }] }],
          },
        },
      },
    }),
    {
      ...pod({}),
      initContainers: [{ name: 'i', image: 'x', ports: [{ containerPort: 1, name: 'n' }] }],
      containers: [{ ...container, ports: [{ containerPort: 2, name: 'n' }] }],
    },
  ),
  { on: '/secrets', create: { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'a', 'tls.key': 'b' } } },
  ...spec('/resourcequotas', {
    hard: { cpu: '2', 'limits.cpu': '1', 'requests.memory': '2Gi', 'limits.memory': '1Gi' },
  }),
  ...spec('/persistentvolumeclaims', { ...claim, resources: { requests: { storage: '1500m' } } }),
  {
    on: '/persistentvolumes',
    create: {
      metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } },
      spec: { ...volume, persistentVolumeReclaimPolicy: 'Recycle' },
    },
  },
  {
    on: '/services',
    create: {
      metadata: { annotations: { 'service.kubernetes.io/topology-aware-hints': 'a' } },
      spec: { ports: [port], externalName: 'x', externalIPs: ['1.2.3.4'] },
    },
  },
  ...spec('/services', {
    ports: [port],
    clusterIP: 'None',
    selector: { a: 'b' },
    sessionAffinity: 'ClientIP',
    externalIPs: ['1.2.3.4'],
    loadBalancerIP: '1.2.3.4',
  }),
  ...spec('/services', { externalName: 'x', type: 'ExternalName', externalIPs: ['1.2.3.4'] }),
];

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
const selected = { selector: { matchLabels: { a: 'b' } }, template };
const replicated = ['apps/deployments', 'apps/replicasets', 'apps/daemonsets', 'apps/statefulsets'];
const workloads: Case[] = [
  ...replicated.flatMap((on) => [
    ...spec(
      on,
      selected,
      {},
      { selector: {}, template },
      { selector: { matchLabels: { a: 'c' } }, template },
      { selector: { matchExpressions: [{ key: 'a', operator: 'X' }] }, template },
      { ...selected, replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1 },
      {
        ...selected,
        template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } },
      },
      {
        ...selected,
        template: {
          metadata: { labels: { a: 'b', 'c d': 'e' }, annotations: { 'x y': 'z' } },
          spec: { containers: [] },
        },
      },
    ),
    ...changed(
      on,
      { spec: selected },
      { spec: { selector: { matchLabels: { a: 'c' } }, template: { metadata: { labels: { a: 'c' } } } } },
      { spec: { template: { metadata: { labels: { x: 'y' } } } } },
      { metadata: { annotations: { a: 'b' } } },
      { spec: { template: { spec: { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } } } },
      { spec: { minReadySeconds: 5 }, status: { replicas: 7 } },
    ),
  ]),
  ...spec(
    'apps/deployments',
    { ...selected, replicas: 0, strategy: { type: 'Recreate' }, paused: true },
    { ...selected, strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
    { ...selected, strategy: { type: 'X' } },
    { ...selected, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } },
    { ...selected, strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '101%' } } },
    { ...selected, progressDeadlineSeconds: 5, minReadySeconds: 10 },
  ),
  ...statuses(
    'apps/deployments',
    { spec: selected },
    { replicas: 1, readyReplicas: 2, availableReplicas: 3, updatedReplicas: -1 },
    {
      replicas: 3,
      readyReplicas: 3,
      observedGeneration: 1,
    },
  ),
  ...statuses('apps/replicasets', { spec: selected }, { replicas: 1, fullyLabeledReplicas: 2, availableReplicas: 1 }),
  ...statuses('apps/statefulsets', { spec: selected }, { replicas: 1, currentReplicas: 2, availableReplicas: 1 }),
  ...statuses(
    'apps/daemonsets',
    { spec: selected },
    { numberReady: -1 },
    { numberReady: 2, desiredNumberScheduled: 2 },
  ),
  ...spec(
    'apps/daemonsets',
    { ...selected, updateStrategy: { type: 'OnDelete' } },
    { ...selected, updateStrategy: { type: 'X' } },
    { ...selected, updateStrategy: { rollingUpdate: { maxSurge: 1 } } },
    { ...selected, updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
  ),
  ...spec(
    'apps/statefulsets',
    { ...selected, serviceName: 's', volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: claim }] },
    {
      ...selected,
      serviceName: 'A',
      volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: {} }],
      podManagementPolicy: 'X',
    },
    { ...selected, updateStrategy: { type: 'OnDelete' } },
    { ...selected, updateStrategy: { type: 'RollingUpdate' } },
    { ...selected, updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
    {
      ...selected,
      updateStrategy: { type: 'X' },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Y' },
      ordinals: { start: -1 },
    },
  ),
  ...changed('apps/statefulsets', { spec: selected }, { spec: { serviceName: 'x' } }, { spec: { replicas: 5 } }),
  ...spec(
    '/replicationcontrollers',
    { template },
    {},
    { selector: { a: 'c' }, template },
    {
      replicas: -1,
      selector: { a: 'b' },
      template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
    },
  ),
];

export const cases: readonly Case[] = [
  ...services,
  ...configuration,
  ...storage,
  ...limits,
  ...cluster,
  ...registration,
  ...pods,
  ...warned,
  ...workloads,
];
