import { configMap, configMaps, core, crd, pod, widget, widgets } from '../builders.ts';
import { kase } from '../kase.ts';
import { at } from '../script.ts';
import type { Case, Script } from '../script.ts';
import type { Json } from '../../../packages/sandbox/src/values/json.ts';

const as = (kind: string, version = 'v1'): { headers: { accept: string } } => ({
  headers: { accept: `application/json;as=${kind};g=meta.k8s.io;v=${version}` },
});
const both = {
  headers: {
    accept:
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
  },
};

/**
 * Whether the cell depends on the current time. An event without times was last seen at an unknown time, which is
 * constant.
 */
function changesByTheDay(column: string | undefined, cell: Json): boolean {
  if (column === 'Last Seen' || column === 'First Seen') return cell !== '<unknown>';
  return column === 'Age' || column === 'Created At';
}

/** Creates one object of a kind and records how kubectl would show it. */
async function shown(t: Script, path: string, body: Json, status?: Json): Promise<void> {
  const made = await t.quiet.post(path, body);
  const name = String(at(made, 'metadata', 'name'));
  if (status !== undefined) await t.quiet.patch('merge', `${path}/${name}/status`, { status });
  const table = await t.client.send({
    method: 'GET',
    path: `${path}?fieldSelector=metadata.name%3D${name}`,
    headers: both.headers,
  });
  const columns = at(table, 'columnDefinitions') as { name: string; priority: number; type: string; format: string }[];
  t.note(
    'columns',
    columns.map((column) => `${column.name} ${column.type}/${column.format} ${column.priority}`),
  );
  const cells = at(table, 'rows', 0, 'cells') as Json[];
  t.note(
    'cells',
    cells.map((cell, i) => (changesByTheDay(columns[i]?.name, cell) ? '' : cell)),
  );
  const conditions = at(table, 'rows', 0, 'conditions');
  if (conditions !== undefined) t.note('conditions', conditions);
}

const template = {
  metadata: { labels: { app: 'x' } },
  spec: {
    containers: [
      { name: 'c', image: 'i:1' },
      { name: 'd', image: 'i:2' },
    ],
  },
};

export const negotiation: Case[] = [
  kase('9. Accept negotiation: Table of a list and of one object', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', { k: '1', l: '2' }, { labels: { set: 'a' } }));
    await t.quiet.post(configMaps(ns), configMap('b', {}, { labels: { set: 'a' } }));
    await t.get(`${configMaps(ns)}?labelSelector=set`, both);
    await t.get(`${configMaps(ns)}/a`, both);
    await t.get(`${configMaps(ns)}?labelSelector=set&includeObject=None`, as('Table'));
    await t.get(`${configMaps(ns)}?labelSelector=set&includeObject=Object&limit=1`, as('Table'));
    await t.get(`${configMaps(ns)}?labelSelector=set&includeObject=Everything`, as('Table'));
    await t.get(`${configMaps(ns)}?labelSelector=none`, both);
    await t.get(`${configMaps(ns)}/none`, both);
    await t.get(`${configMaps(ns)}?labelSelector=set`, as('Table', 'v1beta1'));
  }),
  kase('9. Accept negotiation: PartialObjectMetadata(List)', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', { k: '1' }, { labels: { set: 'a' } }));
    await t.get(`${configMaps(ns)}/a`, as('PartialObjectMetadata'));
    await t.get(`${configMaps(ns)}?labelSelector=set`, as('PartialObjectMetadataList'));
    await t.get(`${configMaps(ns)}/a`, as('PartialObjectMetadata', 'v1beta1'));
    await t.quiet.post(widgets(t.token, ns), widget(t.token, 'w'));
    await t.get(`${widgets(t.token, ns)}/w`, as('PartialObjectMetadata'));
    await t.get(widgets(t.token, ns), as('PartialObjectMetadataList'));
    await t.send({
      method: 'PATCH',
      path: `${configMaps(ns)}/a`,
      body: { data: { k: '2' } },
      headers: { 'content-type': 'application/merge-patch+json', ...as('PartialObjectMetadata').headers },
    });
    await t.get(`${configMaps(ns)}/a`, as('PartialObjectMetadataList'));
    await t.get(`${configMaps(ns)}?labelSelector=set`, as('PartialObjectMetadata'));
  }),
  kase('9. Accept negotiation: what cannot be given', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a'));
    await t.get(`${configMaps(ns)}/a`, as('Picture'));
    await t.get(`${configMaps(ns)}/a`, { headers: { accept: 'application/json;as=Table;g=other.io;v=v1' } });
    await t.get(`${configMaps(ns)}/a`, { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v9' } });
    await t.get(`${configMaps(ns)}/a`, { headers: { accept: 'text/html, */*;q=0.1' } });
    await t.get(`${configMaps(ns)}/a`, { headers: { accept: '*/*' } });
    await t.get(`${configMaps(ns)}/a`, { headers: { accept: 'application/*' } });
    await t.get(`${configMaps(ns)}/a`, { headers: { accept: 'application/json;stream=watch' } });
    await t.get('/api', { headers: { accept: 'text/html' } });
  }),
  kase('9. Accept negotiation: YAML', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', { k: '1' }));
    const answer = await t.client.send({
      method: 'GET',
      path: `${configMaps(ns)}/a`,
      headers: { accept: 'application/yaml' },
    });
    t.note('type', [
      answer.status,
      String(answer.headers['content-type']),
      String(answer.body).startsWith('apiVersion: v1\n'),
    ]);
  }),
  kase('9. Accept negotiation: gzip above 128 KiB', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('big', { k: 'x'.repeat(140 * 1024) }));
    await t.quiet.post(configMaps(ns), configMap('small', { k: 'x' }));
    for (const name of ['big', 'small']) {
      for (const encoding of ['gzip', 'gzip, deflate, br', 'deflate', 'identity']) {
        const answer = await t.client.send({
          method: 'GET',
          path: `${configMaps(ns)}/${name}`,
          headers: { 'accept-encoding': encoding },
        });
        t.note(`${name} ${encoding}`, [
          answer.status,
          answer.headers['content-encoding'] ?? null,
          answer.headers['vary'] ?? null,
          at(answer, 'kind') ?? null,
        ]);
      }
    }
  }),
  kase('9. Accept negotiation: Warning headers', async (t) => {
    const ns = await t.namespace();
    await t.post(core(ns, 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }], loadBalancerIP: '1.2.3.4', externalIPs: ['001.2.3.4'] },
    });
    await t.post(
      core(ns, 'pods'),
      pod('p', {
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
            ports: [{ containerPort: 80 }, { containerPort: 80 }],
          },
        ],
        nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
      }),
    );
    await t.get(core(ns, 'endpoints'));
  }),
  kase('9. Accept negotiation: Table of pods', async (t) => {
    const ns = await t.namespace();
    await shown(t, core(ns, 'pods'), pod('p'));
    await shown(t, core(ns, 'pods'), pod('q', { nodeName: 'n1' }), {
      phase: 'Running',
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      containerStatuses: [
        { name: 'main', ready: true, restartCount: 2, image: 'i', imageID: '', state: { running: {} }, lastState: {} },
      ],
    });
    await shown(t, core(ns, 'pods'), pod('r', { nodeName: 'n1' }), {
      phase: 'Pending',
      containerStatuses: [
        {
          name: 'main',
          ready: false,
          restartCount: 0,
          image: 'i',
          imageID: '',
          state: { waiting: { reason: 'ImagePullBackOff' } },
          lastState: {},
        },
      ],
    });
    await shown(t, core(ns, 'pods'), pod('s', { nodeName: 'n1' }), { phase: 'Failed', reason: 'Evicted' });
    await shown(t, core(ns, 'pods'), pod('t', { nodeName: 'n1' }), { phase: 'Succeeded' });
  }),
  kase('9. Accept negotiation: Table of core kinds', async (t) => {
    const ns = await t.namespace();
    await shown(t, core(ns, 'secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { k: 'djE=' },
    });
    await shown(t, core(ns, 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: {
        clusterIP: 'None',
        selector: { a: 'b', c: 'd' },
        ports: [
          { name: 'x', port: 80 },
          { name: 'y', port: 81, protocol: 'UDP' },
        ],
      },
    });
    await shown(t, core(ns, 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'b' },
      spec: { type: 'ExternalName', externalName: 'x.example.com' },
    });
    await shown(t, core(ns, 'serviceaccounts'), {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'a' },
      secrets: [{ name: 'x' }],
    });
    await shown(t, core(ns, 'persistentvolumeclaims'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'a' },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1Gi' } } },
    });
    await shown(t, core(ns, 'limitranges'), {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'a' },
      spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
    });
    await shown(t, core(ns, 'resourcequotas'), {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'a' },
      spec: {},
    });
    await shown(t, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `n-${t.token}` } });
    await shown(
      t,
      '/api/v1/nodes',
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: `n-${t.token}`, labels: { 'node-role.kubernetes.io/worker': '' } },
        spec: { unschedulable: true },
      },
      {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: '10.0.0.9' }],
        nodeInfo: {
          machineID: '',
          systemUUID: '',
          bootID: '',
          kernelVersion: 'k',
          osImage: 'os',
          containerRuntimeVersion: 'cri',
          kubeletVersion: 'v1',
          kubeProxyVersion: '',
          operatingSystem: '',
          architecture: '',
        },
      },
    );
    await shown(
      t,
      '/api/v1/persistentvolumes',
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: `pv-${t.token}` },
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteMany', 'ReadOnlyMany'],
          hostPath: { path: '/x' },
          storageClassName: 'fast',
        },
      },
      // Writes what the binder would write, since the binder does not run everywhere.
      { phase: 'Available' },
    );
    t.defer(() => t.client.send({ method: 'DELETE', path: `/api/v1/nodes/n-${t.token}` }));
  }),
  kase('9. Accept negotiation: Table of other kinds', async (t) => {
    const ns = await t.namespace();
    const apis = (group: string, resource: string): string => `/apis/${group}/namespaces/${ns}/${resource}`;
    await shown(t, apis('apps/v1', 'deployments'), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { replicas: 2, selector: { matchLabels: { app: 'x' } }, template },
    });
    await shown(t, apis('apps/v1', 'daemonsets'), {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { app: 'x' } }, template },
    });
    await shown(t, apis('apps/v1', 'controllerrevisions'), {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: 'a' },
      revision: 3,
      data: { x: 1 },
    });
    await shown(t, apis('coordination.k8s.io/v1', 'leases'), {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
      spec: { holderIdentity: 'me' },
    });
    await shown(t, apis('networking.k8s.io/v1', 'networkpolicies'), {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'a' },
      spec: { podSelector: { matchLabels: { a: 'b' } } },
    });
    await shown(t, apis('rbac.authorization.k8s.io/v1', 'roles'), {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'a' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    });
    await shown(t, apis('rbac.authorization.k8s.io/v1', 'rolebindings'), {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'a' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
      subjects: [
        { kind: 'ServiceAccount', name: 'default', namespace: ns },
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'g' },
      ],
    });
    await shown(t, apis('policy/v1', 'poddisruptionbudgets'), {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'a' },
      spec: { minAvailable: '50%', selector: { matchLabels: { no: 'pods' } } },
    });
    await shown(t, '/apis/storage.k8s.io/v1/storageclasses', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: `sc-${t.token}` },
      provisioner: 'example.com/p',
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    await shown(t, '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: `r-${t.token}` },
      rules: [],
    });
    await shown(t, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: `r-${t.token}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `r-${t.token}` },
    });
    await shown(t, '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `v-${t.token}` },
    });
    await shown(t, '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: `m-${t.token}` },
    });
    const table = await t.client.send({
      method: 'GET',
      path: '/apis/apiregistration.k8s.io/v1/apiservices?fieldSelector=metadata.name%3Dv1.',
      headers: both.headers,
    });
    t.note('APIService', [
      at(table, 'columnDefinitions') ?? null,
      (at(table, 'rows', 0, 'cells') as Json[]).slice(0, 3),
    ]);
    const crds = await t.client.send({
      method: 'GET',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1',
      headers: both.headers,
    });
    t.note('CRD', at(crds, 'columnDefinitions') ?? null);
  }),
  kase('9. Accept negotiation: Table of events', async (t) => {
    const ns = await t.namespace();
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: ns, name: 'p', fieldPath: 'spec.containers{c}' },
      reason: 'R',
      message: 'M\n',
      type: 'Warning',
      count: 3,
      source: { component: 'c', host: 'h' },
    };
    await shown(t, core(ns, 'events'), event);
    await shown(t, `/apis/events.k8s.io/v1/namespaces/${ns}/events`, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'f' },
      eventTime: '2020-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'A',
      reason: 'R',
      note: 'N',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace: ns, name: 'p' },
    });
  }),
];
