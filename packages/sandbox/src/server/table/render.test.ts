/** The cells in this file are the recorded answers of kube-apiserver 1.36.3 for the same objects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import { parseIncludeObject, renderTable } from './render.ts';

const created = '2026-01-01T00:00:00Z';
const now = new Date('2026-01-01T00:10:00Z');

const built = (fields: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  ...fields,
  metadata: { name: 'x', creationTimestamp: created, ...(fields['metadata'] as JsonObject | undefined) },
});

const template = {
  spec: {
    nodeSelector: { z: '1', k: '2' },
    containers: [
      { name: 'c1', image: 'i1' },
      { name: 'c2', image: 'i2' },
    ],
  },
};
const selector = { matchLabels: { a: 'b' } };
const deleted = { deletionTimestamp: created, finalizers: ['x.io/a'] };

const rows: { kind: string; object: JsonObject; cells: Json[] }[] = [
  { kind: 'ConfigMap', object: { data: { a: '1', b: '2' }, binaryData: { c: 'AA==' } }, cells: ['x', 3, '10m'] },
  { kind: 'Secret', object: { type: 'x.io/y', data: { a: 'MQ==' } }, cells: ['x', 'x.io/y', 1, '10m'] },
  { kind: 'ServiceAccount', object: {}, cells: ['x', '10m'] },
  { kind: 'Namespace', object: { status: { phase: 'Active' } }, cells: ['x', 'Active', '10m'] },
  { kind: 'LimitRange', object: {}, cells: ['x', created] },
  { kind: 'rbac.authorization.k8s.io/ClusterRole', object: {}, cells: ['x', created] },
  { kind: 'apiextensions.k8s.io/CustomResourceDefinition', object: {}, cells: ['x', created] },
  {
    kind: 'Node',
    object: {},
    cells: ['x', 'Unknown', '<none>', '10m', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  },
  {
    kind: 'Node',
    object: {
      metadata: {
        labels: {
          'node-role.kubernetes.io/worker': '',
          'node-role.kubernetes.io/control-plane': '',
          'kubernetes.io/role': 'old',
        },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'DiskPressure', status: 'False' },
        ],
        addresses: [
          { type: 'Hostname', address: 'h' },
          { type: 'InternalIP', address: '1.2.3.4' },
          { type: 'ExternalIP', address: '5.6.7.8' },
        ],
        nodeInfo: {
          kernelVersion: '6.1',
          osImage: 'Debian',
          containerRuntimeVersion: 'containerd://2',
          kubeletVersion: 'v1.36.3',
          architecture: 'amd64',
        },
      },
    },
    cells: [
      'x',
      'Ready,SchedulingDisabled',
      'control-plane,old,worker',
      '10m',
      'v1.36.3',
      '1.2.3.4',
      '5.6.7.8',
      'Debian',
      '6.1 (amd64)',
      'containerd://2',
    ],
  },
  {
    kind: 'Service',
    object: {
      spec: {
        type: 'ClusterIP',
        clusterIPs: ['10.0.0.2'],
        externalIPs: ['1.1.1.1', '2.2.2.2'],
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
        selector: { b: '2', a: '1' },
      },
    },
    cells: ['x', 'ClusterIP', '10.0.0.2', '1.1.1.1,2.2.2.2', '80/TCP,53/UDP', '10m', 'a=1,b=2'],
  },
  {
    kind: 'Service',
    object: { spec: { type: 'ClusterIP', clusterIPs: ['None'] } },
    cells: ['x', 'ClusterIP', 'None', '<none>', '<none>', '10m', '<none>'],
  },
  {
    kind: 'Service',
    object: { spec: { type: 'ExternalName', externalName: 'x.example.com' } },
    cells: ['x', 'ExternalName', '<none>', 'x.example.com', '<none>', '10m', '<none>'],
  },
  {
    kind: 'Service',
    object: {
      spec: { type: 'LoadBalancer', clusterIPs: ['10.0.0.2'], ports: [{ port: 80, nodePort: 30081, protocol: 'TCP' }] },
    },
    cells: ['x', 'LoadBalancer', '10.0.0.2', '<pending>', '80:30081/TCP', '10m', '<none>'],
  },
  {
    kind: 'Service',
    object: {
      spec: { type: 'LoadBalancer', clusterIPs: ['10.0.0.2'], externalIPs: ['9.9.9.9'] },
      status: {
        loadBalancer: {
          ingress: [
            { ip: '8.8.8.8' },
            { hostname: 'a.very.long.name.example.com' },
            { ip: '3.3.3.3' },
            { ip: '8.8.8.8' },
          ],
        },
      },
    },
    cells: [
      'x',
      'LoadBalancer',
      '10.0.0.2',
      '3.3.3.3,8.8.8.8,a.very.long.name.example.com,9.9.9.9',
      '<none>',
      '10m',
      '<none>',
    ],
  },
  { kind: 'Endpoints', object: {}, cells: ['x', '<none>', '10m'] },
  {
    kind: 'Endpoints',
    object: { subsets: [{ notReadyAddresses: [{ ip: '1.1.1.2' }], ports: [{ port: 80 }] }] },
    cells: ['x', '', '10m'],
  },
  {
    kind: 'Endpoints',
    object: {
      subsets: [
        { addresses: [{ ip: '2001:db8::1' }, { ip: '1.1.1.2' }], ports: [{ port: 80 }] },
        { addresses: [{ ip: '3.3.3.3' }] },
      ],
    },
    cells: ['x', '[2001:db8::1]:80,1.1.1.2:80,3.3.3.3', '10m'],
  },
  {
    kind: 'Endpoints',
    object: {
      subsets: [
        { addresses: [{ ip: '1.1.1.1' }, { ip: '1.1.1.2' }], ports: [{ port: 80 }, { port: 443 }] },
        { addresses: [{ ip: '2001:db8::1' }], ports: [{ port: 1 }] },
      ],
    },
    cells: ['x', '1.1.1.1:80,1.1.1.2:80,1.1.1.1:443 + 2 more...', '10m'],
  },
  {
    kind: 'discovery.k8s.io/EndpointSlice',
    object: { addressType: 'IPv4', endpoints: [] },
    cells: ['x', 'IPv4', '<unset>', '<unset>', '10m'],
  },
  {
    kind: 'discovery.k8s.io/EndpointSlice',
    object: {
      addressType: 'IPv4',
      endpoints: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'].map((ip) => ({ addresses: [ip] })),
      ports: [1, 2, 3, 4, 5].map((port) => ({ port })),
    },
    cells: ['x', 'IPv4', '1,2,3 + 2 more...', '1.1.1.1,1.1.1.2,1.1.1.3 + 1 more...', '10m'],
  },
  {
    kind: 'networking.k8s.io/NetworkPolicy',
    object: {
      spec: {
        podSelector: {
          matchLabels: { z: '1', a: '2' },
          matchExpressions: [
            { key: 'm', operator: 'In', values: ['y', 'x'] },
            { key: 'b', operator: 'NotIn', values: ['q'] },
            { key: 'e', operator: 'Exists' },
            { key: 'd', operator: 'DoesNotExist' },
          ],
        },
      },
    },
    cells: ['x', 'a=2,b notin (q),!d,e,m in (x,y),z=1', '10m'],
  },
  { kind: 'networking.k8s.io/NetworkPolicy', object: { spec: { podSelector: {} } }, cells: ['x', '<none>', '10m'] },
  {
    kind: 'PersistentVolumeClaim',
    object: { spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
    cells: ['x', 'Pending', '', '', '', '', '<unset>', '10m', 'Filesystem'],
  },
  {
    kind: 'PersistentVolumeClaim',
    object: {
      spec: { volumeMode: 'Block', volumeName: 'pv1', storageClassName: 'fast' },
      status: { phase: 'Bound', accessModes: ['ReadWriteMany', 'ReadWriteOnce'], capacity: { storage: '2048Mi' } },
    },
    cells: ['x', 'Bound', 'pv1', '2Gi', 'RWO,RWX', 'fast', '<unset>', '10m', 'Block'],
  },
  {
    kind: 'PersistentVolumeClaim',
    object: {
      metadata: { ...deleted, annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } },
      spec: { volumeName: 'y' },
      status: { phase: 'Pending' },
    },
    cells: ['x', 'Terminating', 'y', '0', '', 'old', '<unset>', '10m', '<unset>'],
  },
  {
    kind: 'PersistentVolume',
    object: {
      spec: {
        capacity: { storage: '5000Mi' },
        accessModes: ['ReadOnlyMany', 'ReadWriteOnce'],
        claimRef: { namespace: 't', name: 'bound' },
        storageClassName: 'fast',
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Failed', reason: 'Why' },
    },
    cells: ['x', '5000Mi', 'RWO,ROX', 'Retain', 'Failed', 't/bound', 'fast', '<unset>', 'Why', '10m', 'Filesystem'],
  },
  {
    kind: 'storage.k8s.io/StorageClass',
    object: {
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'x.io/p',
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    },
    cells: ['x (default)', 'x.io/p', 'Retain', 'WaitForFirstConsumer', true, '10m'],
  },
  {
    kind: 'storage.k8s.io/StorageClass',
    object: { provisioner: 'x.io/p' },
    cells: ['x', 'x.io/p', 'Delete', 'Immediate', false, '10m'],
  },
  {
    kind: 'ResourceQuota',
    object: {
      status: {
        hard: { pods: '10', 'limits.cpu': '2', 'limits.memory': '2048Mi', 'requests.cpu': '1500m', 'count/x.io': '3' },
        used: { pods: '1', 'limits.cpu': '500m', 'requests.cpu': '0.5' },
      },
    },
    cells: [
      'x',
      'count/x.io: 0/3, pods: 1/10, requests.cpu: 500m/1500m',
      'limits.cpu: 500m/2, limits.memory: 0/2Gi',
      '10m',
    ],
  },
  {
    kind: 'Event',
    object: {
      involvedObject: { kind: 'Pod', name: 'p1', fieldPath: 'spec.containers{a}' },
      reason: 'R',
      message: ' hello \n',
      type: 'Normal',
      source: { component: 'kubelet', host: 'n1' },
      firstTimestamp: '2026-01-01T00:03:18Z',
      lastTimestamp: '2026-01-01T00:09:48Z',
      count: 5,
    },
    cells: ['12s', 'Normal', 'R', 'pod/p1', 'spec.containers{a}', 'kubelet, n1', 'hello', '6m42s', 5, 'x'],
  },
  {
    kind: 'Event',
    object: { involvedObject: { kind: 'Pod' }, type: 'Warning' },
    cells: ['<unknown>', 'Warning', '', 'pod', '', '', '', '<unknown>', 1, 'x'],
  },
  {
    kind: 'events.k8s.io/Event',
    object: {
      regarding: { kind: 'Pod', name: 'q' },
      reason: 'R',
      note: 'n',
      type: 'Normal',
      eventTime: '2025-12-31T21:40:00.000000Z',
      series: { count: 7, lastObservedTime: '2026-01-01T00:08:54.000000Z' },
      reportingController: 'x.io/c',
      reportingInstance: 'i1',
    },
    cells: ['66s', 'Normal', 'R', 'pod/q', '', 'x.io/c, i1', 'n', '150m', 7, 'x'],
  },
  { kind: 'coordination.k8s.io/Lease', object: { spec: { holderIdentity: 'me' } }, cells: ['x', 'me', '10m'] },
  {
    kind: 'rbac.authorization.k8s.io/RoleBinding',
    object: {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'User', name: 'u2' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 't' },
      ],
    },
    cells: ['x', 'Role/r', '10m', 'u, u2', 'g', 't/sa'],
  },
  {
    kind: 'apps/Deployment',
    object: {
      spec: { replicas: 3, selector: { ...selector, matchExpressions: [{ key: 'a', operator: 'Exists' }] }, template },
      status: { updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
    },
    cells: ['x', '1/3', 2, 1, '10m', 'c1,c2', 'i1,i2', 'a=b,a'],
  },
  {
    kind: 'apps/DaemonSet',
    object: {
      spec: { selector, template },
      status: {
        currentNumberScheduled: 3,
        desiredNumberScheduled: 4,
        numberReady: 2,
        updatedNumberScheduled: 1,
        numberAvailable: 2,
      },
    },
    cells: ['x', 4, 3, 2, 1, 2, 'k=2,z=1', '10m', 'c1,c2', 'i1,i2', 'a=b'],
  },
  {
    kind: 'apps/ReplicaSet',
    object: { spec: { replicas: 2, selector, template }, status: { replicas: 2, readyReplicas: 1 } },
    cells: ['x', 2, 2, 1, '10m', 'c1,c2', 'i1,i2', 'a=b'],
  },
  {
    kind: 'ReplicationController',
    object: { spec: { replicas: 2, selector: { a: 'b' }, template }, status: { replicas: 2, readyReplicas: 1 } },
    cells: ['x', 2, 2, 1, '10m', 'c1,c2', 'i1,i2', 'a=b'],
  },
  {
    kind: 'apps/StatefulSet',
    object: { spec: { replicas: 2, template }, status: { readyReplicas: 1 } },
    cells: ['x', '1/2', '10m', 'c1,c2', 'i1,i2'],
  },
  {
    kind: 'apps/ControllerRevision',
    object: {
      metadata: {
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'd', uid: '1', controller: true }],
      },
      revision: 3,
    },
    cells: ['x', 'statefulset.apps/d', 3, '10m'],
  },
  {
    kind: 'policy/PodDisruptionBudget',
    object: { spec: { maxUnavailable: '50%' }, status: { disruptionsAllowed: 2 } },
    cells: ['x', 'N/A', '50%', 2, '10m'],
  },
  { kind: 'policy/PodDisruptionBudget', object: { spec: { minAvailable: 2 } }, cells: ['x', '2', 'N/A', 0, '10m'] },
  {
    kind: 'scheduling.k8s.io/PriorityClass',
    object: { value: 100, preemptionPolicy: 'Never' },
    cells: ['x', 100, false, '10m', 'Never'],
  },
  {
    kind: 'admissionregistration.k8s.io/MutatingWebhookConfiguration',
    object: { webhooks: [{ name: 'a.x.io' }] },
    cells: ['x', 1, '10m'],
  },
  { kind: 'admissionregistration.k8s.io/ValidatingWebhookConfiguration', object: {}, cells: ['x', 0, '10m'] },
  {
    kind: 'apiregistration.k8s.io/APIService',
    object: { status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] } },
    cells: ['x', 'Local', 'True', '10m'],
  },
  {
    kind: 'apiregistration.k8s.io/APIService',
    object: {
      spec: { service: { namespace: 't', name: 'cip' } },
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'ServicePortError' }] },
    },
    cells: ['x', 't/cip', 'False (ServicePortError)', '10m'],
  },
  { kind: 'autoscaling/Scale', object: { spec: { replicas: 1 }, status: { replicas: 0 } }, cells: ['x', 1, 0, '10m'] },
];

const tableKind = (kind: string): { group: string; kind: string } => {
  const [group = '', name] = kind.split('/');
  return name === undefined ? { group: '', kind: group } : { group, kind: name };
};

for (const { kind, object, cells } of rows) {
  test(`a ${kind} is shown as ${cells.join(' | ')}`, () => {
    const table = renderTable(tableKind(kind), [built(object)], { now });
    assert.deepEqual(table.rows?.[0]?.cells, cells);
    assert.equal(table.columnDefinitions?.length, cells.length);
  });
}

test('a row carries metadata, the object, or nothing', () => {
  const object = built({ data: { a: '1' } });
  const shown = (includeObject: 'None' | 'Metadata' | 'Object'): Json | undefined =>
    renderTable({ group: '', kind: 'ConfigMap' }, [object], { now, includeObject, metaVersion: 'v1beta1' }).rows?.[0]
      ?.object;
  assert.equal(shown('None'), null);
  assert.deepEqual(shown('Object'), object);
  assert.deepEqual(shown('Metadata'), {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1beta1',
    metadata: object.metadata,
  });
});

test('a table names its columns unless they were sent before', () => {
  const metadata = { resourceVersion: '5', continue: 'c', remainingItemCount: 2 };
  const table = renderTable({ group: '', kind: 'Namespace' }, [], { now, metadata });
  assert.equal(table.kind, 'Table');
  assert.equal(table.apiVersion, 'meta.k8s.io/v1');
  assert.deepEqual(table.metadata, metadata);
  assert.deepEqual(table.columnDefinitions?.[1], {
    name: 'Status',
    type: 'string',
    format: '',
    description: 'The status of the namespace',
    priority: 0,
  });
  assert.equal(renderTable({ group: '', kind: 'Namespace' }, [], { now, noHeaders: true }).columnDefinitions, null);
});

test('a table without rows has an empty list, or null where the server has no printer for the kind', () => {
  assert.deepEqual(renderTable({ group: '', kind: 'Pod' }, [], { now }).rows, []);
  assert.equal(renderTable({ group: '', kind: 'LimitRange' }, [], { now }).rows, null);
});

test('includeObject is one of three words', () => {
  assert.equal(parseIncludeObject(''), 'Metadata');
  assert.equal(parseIncludeObject('None'), 'None');
  assert.throws(() => parseIncludeObject('Bla'), {
    code: 400,
    message: `Unable to convert to Table as requested: includeObject: Invalid value: "Bla": must be 'Metadata', 'Object', 'None', or empty`,
  });
});
