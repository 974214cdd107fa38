import { configMap, configMaps, core, pod } from '../builders.ts';
import { kase } from '../kase.ts';
import { at, uid } from '../script.ts';
import type { Case, Script } from '../script.ts';
import type { HttpAnswer } from '../http.ts';
import type { Json, JsonObject } from '../../../packages/sandbox/src/values/json.ts';

const service = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec,
});
const claim = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec,
});
const secret = (name: string, rest: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  ...rest,
});
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const template = (labels: JsonObject = { app: 'x' }): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});
const apps = (ns: string, resource: string): string => `/apis/apps/v1/namespaces/${ns}/${resource}`;
const deployment = (spec: JsonObject, name = 'd'): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec,
});

/** Cluster-wide objects are gone after the case. */
async function clusterWide(t: Script, path: string, body: JsonObject): Promise<HttpAnswer> {
  const made = await t.post(path, body);
  const name = String((body['metadata'] as JsonObject)['name']);
  if (made.status < 300) t.defer(() => t.client.send({ method: 'DELETE', path: `${path}/${name}` }));
  return made;
}

export const builtin: Case[] = [
  kase('Built-in kinds: Service defaults', async (t) => {
    const ns = await t.namespace();
    const path = core(ns, 'services');
    await t.post(path, service('plain', { selector: { a: 'b' }, ports: [{ port: 80 }] }));
    await t.post(path, service('headless', { clusterIP: 'None', selector: { a: 'b' } }));
    await t.post(
      path,
      service('node', {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 80, targetPort: 'web' },
          { name: 'b', port: 81, protocol: 'UDP' },
        ],
      }),
    );
    await t.post(path, service('lb', { type: 'LoadBalancer', ports: [{ port: 80 }], sessionAffinity: 'ClientIP' }));
    await t.post(path, service('external', { type: 'ExternalName', externalName: 'x.example.com' }));
  }),
  kase('Built-in kinds: Services that are refused', async (t) => {
    const ns = await t.namespace();
    const path = core(ns, 'services');
    for (const spec of [
      {},
      { ports: [] },
      { ports: [{ port: 0 }] },
      { ports: [{ port: 70000 }] },
      { ports: [{ port: 80 }, { port: 81 }] },
      {
        ports: [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
        ],
      },
      {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ],
      },
      { type: 'Magic', ports: [{ port: 80 }] },
      { type: 'ExternalName' },
      { ports: [{ port: 80, targetPort: 'not a name' }] },
      { ports: [{ port: 80, protocol: 'ICMP' }] },
      { clusterIP: '1.2.3', ports: [{ port: 80 }] },
      { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
      { sessionAffinity: 'Sometimes', ports: [{ port: 80 }] },
      { selector: { 'bad key': 'x' }, ports: [{ port: 80 }] },
    ]) {
      await t.post(path, service('x', spec));
    }
  }),
  kase('Built-in kinds: Service updates', async (t) => {
    const ns = await t.namespace();
    const path = core(ns, 'services');
    await t.quiet.post(path, service('s', { selector: { a: 'b' }, ports: [{ port: 80 }] }));
    await t.patch('merge', `${path}/s`, { spec: { clusterIP: '10.96.77.77' } });
    await t.patch('merge', `${path}/s`, { spec: { type: 'NodePort' } });
    await t.patch('merge', `${path}/s`, { spec: { type: 'ClusterIP' } });
    await t.patch('merge', `${path}/s/status`, { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } });
    await t.patch('merge', `${path}/s`, { spec: { type: 'LoadBalancer' } });
    await t.patch('merge', `${path}/s/status`, { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } });
  }),
  kase('Built-in kinds: Pod defaults', async (t) => {
    const ns = await t.namespace();
    const path = core(ns, 'pods');
    await t.post(path, pod('plain'));
    await t.post(
      path,
      pod('rich', {
        containers: [
          {
            name: 'main',
            image: 'i:latest',
            ports: [{ containerPort: 80 }],
            env: [{ name: 'P', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            livenessProbe: { httpGet: { port: 80 } },
            readinessProbe: { tcpSocket: { port: 81 }, periodSeconds: 3 },
            resources: { limits: { cpu: '1', memory: '1Gi' } },
            volumeMounts: [{ name: 'c', mountPath: '/c' }],
          },
        ],
        initContainers: [
          { name: 'init', image: 'i@sha256:0123456789012345678901234567890123456789012345678901234567890123' },
        ],
        volumes: [
          { name: 'c', configMap: { name: 'c' } },
          { name: 's', secret: { secretName: 's' } },
          { name: 'h', hostPath: { path: '/x' } },
          { name: 'e', emptyDir: {} },
        ],
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
        serviceAccountName: 'default',
        automountServiceAccountToken: false,
      }),
    );
  }),
  kase('Built-in kinds: Pods that are refused', async (t) => {
    const ns = await t.namespace();
    const container = { name: 'c', image: 'i' };
    for (const spec of [
      { containers: [] },
      { containers: [{ name: 'c' }] },
      { containers: [{ image: 'i' }] },
      { containers: [container, container] },
      { containers: [{ ...container, name: 'Bad_Name' }] },
      { containers: [{ ...container, ports: [{ containerPort: 0 }] }] },
      { containers: [{ ...container, imagePullPolicy: 'Sometimes' }] },
      { containers: [{ ...container, resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }] },
      { containers: [{ ...container, resources: { limits: { cpu: '-1' } } }] },
      { containers: [{ ...container, volumeMounts: [{ name: 'none', mountPath: '/x' }] }] },
      { containers: [{ ...container, env: [{ name: '' }] }] },
      { restartPolicy: 'Perhaps' },
      { dnsPolicy: 'Whatever' },
      { serviceAccountName: 'none' },
      {
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'v', emptyDir: {} },
        ],
      },
      { volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/' } }] },
      { nodeSelector: { 'bad key': 'x' } },
      { terminationGracePeriodSeconds: -1 },
      { priorityClassName: 'none' },
      { hostname: 'Bad_Host' },
      { tolerations: [{ operator: 'Maybe' }] },
    ]) {
      await t.post(core(ns, 'pods'), pod('x', spec));
    }
  }),
  kase('Built-in kinds: PersistentVolumeClaim', async (t) => {
    const ns = await t.namespace();
    const path = core(ns, 'persistentvolumeclaims');
    const size = { requests: { storage: '1Gi' } };
    await t.post(path, claim('plain', { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: size }));
    await t.post(
      path,
      claim('block', { accessModes: ['ReadWriteMany'], storageClassName: '', volumeMode: 'Block', resources: size }),
    );
    await t.post(path, claim('x', {}));
    await t.post(path, claim('x', { accessModes: ['WriteNever'], resources: size }));
    await t.post(path, claim('x', { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '-1' } } }));
    await t.post(path, claim('x', { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: 'big' } } }));
    await t.post(path, claim('x', { accessModes: ['ReadWriteOnce'], resources: size, volumeMode: 'Tape' }));
    await t.post(path, claim('x', { accessModes: ['ReadWriteOnce'], resources: size, storageClassName: 'Bad_Class' }));
    await t.patch('merge', `${path}/plain`, { spec: { storageClassName: 'other' } });
    await t.patch('merge', `${path}/plain`, { spec: { resources: { requests: { storage: '2Gi' } } } });
    await t.patch('merge', `${path}/plain/status`, {
      status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
    });
    await t.delete(`${path}/plain`);
    await t.until(`${path}/plain`, ({ status }) => status === 404);
  }),
  kase('Built-in kinds: a PersistentVolumeClaim that a pod uses is held', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(
      core(ns, 'persistentvolumeclaims'),
      claim('c', {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none',
        resources: { requests: { storage: '1Gi' } },
      }),
    );
    await t.quiet.post(
      core(ns, 'pods'),
      pod('p', { nodeName: 'n1', volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
    );
    await t.delete(`${core(ns, 'persistentvolumeclaims')}/c`);
    await t.get(`${core(ns, 'persistentvolumeclaims')}/c`);
    await t.delete(`${core(ns, 'pods')}/p?gracePeriodSeconds=0`);
    await t.until(`${core(ns, 'persistentvolumeclaims')}/c`, ({ status }) => status === 404);
  }),
  kase('Built-in kinds: PersistentVolume and StorageClass', async (t) => {
    const pv = (spec: JsonObject): JsonObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `pv-${t.token}` },
      spec,
    });
    await t.post('/api/v1/persistentvolumes', pv({}));
    await t.post('/api/v1/persistentvolumes', pv({ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] }));
    await clusterWide(
      t,
      '/api/v1/persistentvolumes',
      pv({
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'd.example.com', volumeHandle: 'h' },
      }),
    );
    await t.patch('merge', `/api/v1/persistentvolumes/pv-${t.token}`, { spec: { csi: { volumeHandle: 'other' } } });
    const sc = (rest: JsonObject): JsonObject => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: `sc-${t.token}` },
      ...rest,
    });
    await t.post('/apis/storage.k8s.io/v1/storageclasses', sc({}));
    await t.post('/apis/storage.k8s.io/v1/storageclasses', sc({ provisioner: 'p.example.com', reclaimPolicy: 'Burn' }));
    await t.post(
      '/apis/storage.k8s.io/v1/storageclasses',
      sc({ provisioner: 'p.example.com', volumeBindingMode: 'Never' }),
    );
    await clusterWide(
      t,
      '/apis/storage.k8s.io/v1/storageclasses',
      sc({ provisioner: 'p.example.com', parameters: { a: 'b' } }),
    );
    await t.patch('merge', `/apis/storage.k8s.io/v1/storageclasses/sc-${t.token}`, {
      provisioner: 'other.example.com',
    });
    await t.patch('merge', `/apis/storage.k8s.io/v1/storageclasses/sc-${t.token}`, { parameters: { a: 'c' } });
  }),
  kase(
    'Built-in kinds: a default StorageClass is filled in',
    async (t) => {
      const ns = await t.namespace();
      await clusterWide(t, '/apis/storage.k8s.io/v1/storageclasses', {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: {
          name: `default-${t.token}`,
          annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
        },
        provisioner: 'p.example.com',
      });
      for (let i = 0; ; i++) {
        const probe = await t.client.send({
          method: 'POST',
          path: `${core(ns, 'persistentvolumeclaims')}?dryRun=All`,
          body: claim('p', { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }),
        });
        if (at(probe, 'spec', 'storageClassName') !== undefined || i > 400) break;
        await new Promise((wake) => setTimeout(wake, 25));
      }
      await t.post(
        core(ns, 'persistentvolumeclaims'),
        claim('a', { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }),
      );
      await t.post(
        core(ns, 'persistentvolumeclaims'),
        claim('b', {
          accessModes: ['ReadWriteOnce'],
          storageClassName: '',
          resources: { requests: { storage: '1Gi' } },
        }),
      );
    },
    { exclusive: true },
  ),
  kase('Built-in kinds: Secret types', async (t) => {
    const ns = await t.namespace();
    const path = core(ns, 'secrets');
    await t.post(path, secret('plain', { stringData: { a: 'b' }, data: { c: base64('d') } }));
    await t.post(path, secret('own', { type: 'example.com/own', data: { c: base64('d') } }));
    await t.post(path, secret('bad', { data: { c: '%%%' } }));
    await t.post(path, secret('bad', { data: { 'bad key': base64('x') } }));
    await t.post(path, secret('bad', { type: 'kubernetes.io/tls' }));
    await t.post(
      path,
      secret('bad', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'no json' } }),
    );
    await t.post(path, secret('bad', { type: 'kubernetes.io/dockerconfigjson' }));
    await t.post(path, secret('bad', { type: 'kubernetes.io/basic-auth' }));
    await t.post(path, secret('bad', { type: 'kubernetes.io/ssh-auth' }));
    await t.post(path, secret('user', { type: 'kubernetes.io/basic-auth', stringData: { username: 'u' } }));
    await t.patch('merge', `${path}/plain`, { stringData: { a: 'changed' } });
    await t.patch('merge', `${path}/plain`, { type: 'example.com/other' });
    await t.patch('merge', `${path}/plain`, { immutable: true });
    await t.patch('merge', `${path}/plain`, { data: { a: base64('x') } });
    await t.patch('merge', `${path}/plain`, { immutable: false });
    await t.patch('merge', `${path}/plain`, { metadata: { labels: { still: 'possible' } } });
  }),
  kase('Built-in kinds: ConfigMap', async (t) => {
    const ns = await t.namespace();
    const path = configMaps(ns);
    await t.post(path, { ...configMap('a', { 'bad key': 'x' }) });
    await t.post(path, { ...configMap('a', { k: 'x' }), binaryData: { k: base64('y') } });
    await t.post(path, { ...configMap('a', { k: 'x' }), binaryData: { b: base64('y') }, immutable: true });
    await t.patch('merge', `${path}/a`, { data: { k: 'y' } });
    await t.patch('merge', `${path}/a`, { immutable: null });
    await t.patch('merge', `${path}/a`, { binaryData: null });
  }),
  kase('Built-in kinds: Deployment', async (t) => {
    const ns = await t.namespace();
    const path = apps(ns, 'deployments');
    await t.post(path, deployment({ selector: { matchLabels: { app: 'x' } }, template: template() }));
    await t.post(
      path,
      deployment(
        { selector: { matchLabels: { app: 'x' } }, template: template(), strategy: { type: 'Recreate' }, replicas: 0 },
        'e',
      ),
    );
    await t.post(path, deployment({ template: template() }, 'x'));
    await t.post(path, deployment({ selector: {}, template: template() }, 'x'));
    await t.post(path, deployment({ selector: { matchLabels: { app: 'y' } }, template: template() }, 'x'));
    await t.post(
      path,
      deployment({ selector: { matchLabels: { app: 'x' } }, template: template(), replicas: -1 }, 'x'),
    );
    await t.post(
      path,
      deployment(
        {
          selector: { matchLabels: { app: 'x' } },
          template: template(),
          strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
        },
        'x',
      ),
    );
    await t.post(
      path,
      deployment(
        {
          selector: { matchLabels: { app: 'x' } },
          template: template(),
          strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
        },
        'x',
      ),
    );
    await t.post(
      path,
      deployment(
        {
          selector: { matchLabels: { app: 'x' } },
          template: {
            metadata: { labels: { app: 'x' } },
            spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
          },
        },
        'x',
      ),
    );
    await t.patch('merge', `${path}/d`, { spec: { selector: { matchLabels: { app: 'z' } } } });
    await t.get(`${path}/d/scale`);
    await t.patch('merge', `${path}/d/scale`, { spec: { replicas: 4 } });
    await t.get(`${path}/d`);
  }),
  kase('Built-in kinds: DaemonSet and ControllerRevision', async (t) => {
    const ns = await t.namespace();
    await t.post(apps(ns, 'daemonsets'), {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { app: 'x' } }, template: template() },
    });
    await t.post(apps(ns, 'daemonsets'), {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'e' },
      spec: { template: template() },
    });
    await t.post(apps(ns, 'controllerrevisions'), {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: 'c' },
      revision: 2,
      data: { spec: { any: [1, 2] } },
    });
    await t.post(apps(ns, 'controllerrevisions'), {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: 'x' },
      revision: -1,
    });
    await t.patch('merge', `${apps(ns, 'controllerrevisions')}/c`, { data: { spec: { other: 1 } } });
    await t.patch('merge', `${apps(ns, 'controllerrevisions')}/c`, { revision: 5 });
  }),
  kase('Built-in kinds: NetworkPolicy', async (t) => {
    const ns = await t.namespace();
    const path = `/apis/networking.k8s.io/v1/namespaces/${ns}/networkpolicies`;
    const policy = (name: string, spec: JsonObject): JsonObject => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name },
      spec,
    });
    await t.post(path, policy('a', { podSelector: {} }));
    await t.post(
      path,
      policy('b', {
        podSelector: {},
        egress: [{ ports: [{ port: 80 }], to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }],
      }),
    );
    await t.post(path, policy('c', {}));
    await t.post(path, policy('x', { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0' } }] }] }));
    await t.post(path, policy('x', { podSelector: {}, ingress: [{ from: [{}] }] }));
    await t.post(path, policy('x', { podSelector: {}, policyTypes: ['Sideways'] }));
    await t.post(path, policy('x', { podSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }));
    await t.post(path, policy('x', { podSelector: {}, ingress: [{ ports: [{ port: 80, endPort: 70 }] }] }));
  }),
  kase('Built-in kinds: PodDisruptionBudget', async (t) => {
    const ns = await t.namespace();
    const path = `/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets`;
    const budget = (name: string, spec: JsonObject): JsonObject => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec,
    });
    await t.post(path, budget('a', { minAvailable: 1, selector: { matchLabels: { a: 'b' } } }));
    await t.post(path, budget('x', { minAvailable: 1, maxUnavailable: 1 }));
    await t.post(path, budget('x', { minAvailable: '150%' }));
    await t.post(path, budget('x', { minAvailable: -1 }));
    await t.post(path, budget('x', { maxUnavailable: 'some' }));
    await t.post(path, budget('x', { unhealthyPodEvictionPolicy: 'Never' }));
  }),
  kase('Built-in kinds: RBAC', async (t) => {
    const ns = await t.namespace();
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}`;
    const of = (kind: string, name: string, rest: JsonObject): JsonObject => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind,
      metadata: { name },
      ...rest,
    });
    await t.post(
      `${rbac}/roles`,
      of('Role', 'a', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
    );
    await t.post(`${rbac}/roles`, of('Role', 'system:odd.Name', {}));
    await t.post(`${rbac}/roles`, of('Role', 'x', { rules: [{ apiGroups: [''], resources: ['pods'] }] }));
    await t.post(`${rbac}/roles`, of('Role', 'x', { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }));
    await t.post(
      `${rbac}/rolebindings`,
      of('RoleBinding', 'a', {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
        subjects: [
          { kind: 'ServiceAccount', name: 'default', namespace: ns },
          { kind: 'User', name: 'u' },
        ],
      }),
    );
    await t.post(`${rbac}/rolebindings`, of('RoleBinding', 'x', { roleRef: { kind: 'Thing', name: 'a' } }));
    await t.post(
      `${rbac}/rolebindings`,
      of('RoleBinding', 'x', {
        roleRef: { kind: 'Role', name: 'a' },
        subjects: [{ kind: 'ServiceAccount', name: 'x' }],
      }),
    );
    await t.patch('merge', `${rbac}/rolebindings/a`, { roleRef: { name: 'b' } });
  }),
  kase('Built-in kinds: Node', async (t) => {
    const name = `node-${t.token}`;
    await clusterWide(t, '/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { a: 'b' } },
      spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] },
    });
    await t.patch('merge', `/api/v1/nodes/${name}`, { spec: { unschedulable: true } });
    await t.patch('strategic', `/api/v1/nodes/${name}/status`, {
      status: {
        capacity: { cpu: '4' },
        allocatable: { cpu: 3500 },
        conditions: [{ type: 'Ready', status: 'True', reason: 'r' }],
      },
    });
    await t.patch('strategic', `/api/v1/nodes/${name}/status`, {
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'DiskPressure', status: 'False' },
        ],
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      },
    });
    await t.post('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `x-${t.token}` },
      spec: { taints: [{ key: 'k', effect: 'Sometimes' }] },
    });
    await t.patch('merge', `/api/v1/nodes/${name}`, { spec: { podCIDR: 'x' } });
  }),
  kase('Built-in kinds: ServiceAccount', async (t) => {
    const ns = await t.namespace();
    await t.post(core(ns, 'serviceaccounts'), {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'a' },
      imagePullSecrets: [{ name: 's' }],
      automountServiceAccountToken: false,
    });
    await t.post(core(ns, 'serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'Bad' } });
    await t.post(core(ns, 'pods'), pod('p', { serviceAccountName: 'a' }));
  }),
  kase('Lease renewTime with ms', async (t) => {
    const ns = await t.namespace();
    const path = `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`;
    const lease = (name: string, spec: JsonObject): JsonObject => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name },
      spec,
    });
    await t.post(path, lease('a', { renewTime: '2020-01-02T03:04:05.761Z' }));
    await t.post(
      path,
      lease('b', {
        renewTime: '2020-01-02T03:04:05.761000Z',
        acquireTime: '2020-01-02T03:04:05.000000Z',
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        leaseTransitions: 0,
      }),
    );
    await t.post(path, lease('c', { renewTime: '2020-01-02T03:04:05Z' }));
    await t.post(path, lease('d', { leaseDurationSeconds: 0 }));
    await t.post(path, lease('e', { leaseTransitions: -1 }));
    await t.patch('merge', `${path}/b`, { spec: { renewTime: '2020-01-02T03:04:06.1Z' } });
    await t.patch('merge', `${path}/b`, { spec: { renewTime: '2020-01-02T03:04:06.123456Z' } });
    await t.apply(`${path}/b`, 'm', lease('b', { renewTime: '2020-01-02T03:04:07.000001Z' }), 'force=true');
    await t.post(path, lease('f', { renewTime: 'now' }));
    await t.post(path, lease('g', { renewTime: '2020-01-02T05:04:05.000000+02:00' }));
  }),
  kase('Events: both groups show the same objects', async (t) => {
    const ns = await t.namespace();
    const modern = `/apis/events.k8s.io/v1/namespaces/${ns}/events`;
    await t.post(core(ns, 'events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'old' },
      involvedObject: { kind: 'Pod', namespace: ns, name: 'p', uid: 'u' },
      reason: 'Started',
      message: 'it started',
      type: 'Normal',
      count: 1,
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-01T00:00:00Z',
      source: { component: 'kubelet', host: 'n1' },
    });
    await t.get(`${modern}/old`);
    await t.post(modern, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'new' },
      eventTime: '2020-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'c-1',
      action: 'Start',
      reason: 'Started',
      note: 'it started',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace: ns, name: 'p' },
      related: { kind: 'Node', name: 'n1' },
      series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' },
    });
    await t.get(`${core(ns, 'events')}/new`);
    await t.patch('merge', `${core(ns, 'events')}/old`, { count: 2 });
    await t.get(
      `${core(ns, 'events')}?fieldSelector=${encodeURIComponent('involvedObject.name=p,reason=Started,type=Normal,source=kubelet')}`,
    );
    await t.get(`${modern}?fieldSelector=${encodeURIComponent('regarding.name=p')}`);
  }),
  kase('Events: those that are refused', async (t) => {
    const ns = await t.namespace();
    const modern = `/apis/events.k8s.io/v1/namespaces/${ns}/events`;
    const old = (rest: JsonObject): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x' },
      involvedObject: { kind: 'Pod', namespace: ns, name: 'p' },
      ...rest,
    });
    await t.post(core(ns, 'events'), old({ involvedObject: { kind: 'Pod', namespace: 'other', name: 'p' } }));
    await t.post(core(ns, 'events'), old({ involvedObject: { kind: 'Node', name: 'n' } }));
    await t.post(core(ns, 'events'), old({ type: 'Strange' }));
    const fresh = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'y' },
      eventTime: '2020-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'A',
      reason: 'R',
      note: 'N',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace: ns, name: 'p' },
    };
    for (const missing of ['eventTime', 'reportingController', 'reportingInstance', 'action', 'reason', 'type']) {
      const body = structuredClone(fresh) as Record<string, Json>;
      delete body[missing];
      await t.post(modern, body);
    }
    await t.post(modern, { ...fresh, note: 'x'.repeat(1025) });
    await t.post(modern, { ...fresh, reportingController: 'not qualified!' });
  }),
  kase('Events: of objects without a namespace', async (t) => {
    await t.post('/api/v1/namespaces/default/events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `e-${t.token}` },
      involvedObject: { kind: 'Node', name: 'n1', apiVersion: 'v1' },
      reason: 'R',
      type: 'Normal',
    });
    await t.delete(`/api/v1/namespaces/default/events/e-${t.token}`);
  }),
  kase('Pods: binding', async (t) => {
    const ns = await t.namespace();
    const path = core(ns, 'pods');
    const binding = (name: string, node: string, rest: JsonObject = {}): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, ...rest },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    });
    const made = await t.quiet.post(path, pod('p'));
    await t.post(`${path}/p/binding`, binding('p', 'node-1', { annotations: { from: 'binding' } }));
    await t.get(`${path}/p`);
    await t.post(`${path}/p/binding`, binding('p', 'node-2'));
    await t.post(`${path}/none/binding`, binding('none', 'node-1'));
    await t.quiet.post(path, pod('q'));
    await t.post(`${path}/q/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'q' },
      target: { kind: 'Pod', name: 'x' },
    });
    await t.post(`${path}/q/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'q' } });
    await t.post(`${path}/q/binding`, binding('q', 'node-1', { uid: uid(made) }));
    await t.post(core(ns, 'bindings'), binding('q', 'node-3'));
    await t.get(`${path}/q`);
  }),
  kase('Pods: eviction', async (t) => {
    const ns = await t.namespace();
    const path = core(ns, 'pods');
    const eviction = (name: string, rest: JsonObject = {}): JsonObject => ({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace: ns },
      ...rest,
    });
    await t.quiet.post(path, pod('free', {}, { labels: { app: 'free' } }));
    await t.post(`${path}/free/eviction`, eviction('free'));
    await t.until(`${path}/free`, ({ status }) => status === 404);
    await t.post(`${path}/none/eviction`, eviction('none'));
    await t.quiet.post(`/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets`, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'held' } } },
    });
    await t.quiet.post(path, pod('held', { nodeName: 'n1' }, { labels: { app: 'held' } }));
    await t.quiet.patch('merge', `${path}/held/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
    await t.until(
      `/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets/b`,
      (found) => at(found, 'status', 'currentHealthy') === 1,
    );
    await t.post(`${path}/held/eviction`, eviction('held'));
    await t.post(`${path}/held/eviction`, eviction('other'));
    await t.post(
      `${path}/held/eviction`,
      eviction('held', { deleteOptions: { dryRun: ['All'], gracePeriodSeconds: 0 } }),
    );
    await t.delete(`${path}/held?gracePeriodSeconds=0`);
  }),
  kase('Built-in kinds: finalize of a namespace', async (t) => {
    const name = `fin-${t.token}`;
    const made = await t.quiet.post('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
      spec: { finalizers: ['kubernetes', 'example.com/own'] },
    });
    t.note('finalizers', at(made, 'spec') ?? null);
    await t.delete(`/api/v1/namespaces/${name}`);
    await t.until(
      `/api/v1/namespaces/${name}`,
      (found) => JSON.stringify(at(found, 'spec')) === '{"finalizers":["example.com/own"]}',
    );
    await t.send({
      method: 'PUT',
      path: `/api/v1/namespaces/${name}/finalize`,
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } },
    });
    await t.until(`/api/v1/namespaces/${name}`, ({ status }) => status === 404);
  }),
];
