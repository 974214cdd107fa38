import { configMap, configMaps, core, crd, pod, widget, widgets } from '../builders.ts';
import { kase } from '../kase.ts';
import { rv, uid } from '../script.ts';
import type { Case } from '../script.ts';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' } },
      spec: {
        containers: [
          {
            name: 'one',
            image: 'i:1',
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            ports: [{ containerPort: 80 }, { containerPort: 81 }],
          },
          { name: 'two', image: 'i:2' },
        ],
        volumes: [{ name: 'v', emptyDir: {} }],
        tolerations: [{ key: 'k', operator: 'Exists' }],
      },
    },
  },
};
const template = (spec: object): object => ({ spec: { template: { spec } } });

export const patch: Case[] = [
  kase('7. PATCH: json-patch operations', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.post(
      configMaps(ns),
      configMap('a', { k: '1', 'a/b~c': 'x' }, { finalizers: ['example.com/1', 'example.com/2'] }),
    );
    await t.patch('json', path, [
      { op: 'test', path: '/data/k', value: '1' },
      { op: 'replace', path: '/data/k', value: '2' },
    ]);
    await t.patch('json', path, [
      { op: 'add', path: '/data/n', value: '3' },
      { op: 'copy', from: '/data/n', path: '/data/m' },
      { op: 'move', from: '/data/n', path: '/data/o' },
    ]);
    await t.patch('json', path, [{ op: 'replace', path: '/data/a~1b~0c', value: 'y' }]);
    await t.patch('json', path, [
      { op: 'add', path: '/metadata/finalizers/-', value: 'example.com/3' },
      { op: 'add', path: '/metadata/finalizers/0', value: 'example.com/0' },
    ]);
    await t.patch('json', path, [{ op: 'remove', path: '/metadata/finalizers/1' }]);
    await t.patch('json', path, [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]);
    await t.patch('json', path, []);
    await t.patch('json', path, [{ op: 'remove', path: '/metadata/finalizers' }]);
  }),
  kase('json-patch `test` fails', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', { k: '1' }));
    await t.patch('json', `${configMaps(ns)}/a`, [{ op: 'test', path: '/data/k', value: '2' }]);
    await t.patch('json', `${configMaps(ns)}/a`, [{ op: 'test', path: '/data/none', value: '2' }]);
  }),
  kase('7. PATCH: json-patch that cannot be done', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.quiet.post(configMaps(ns), configMap('a', { k: '1' }));
    await t.patch('json', path, [{ op: 'remove', path: '/data/none' }]);
    await t.patch('json', path, [{ op: 'replace', path: '/data/none', value: '1' }]);
    await t.patch('json', path, [{ op: 'add', path: '/none/deep', value: '1' }]);
    await t.patch('json', path, [{ op: 'add', path: '/metadata/finalizers/5', value: 'x' }]);
    await t.patch('json', path, [{ op: 'move', from: '/none', path: '/data/x' }]);
    await t.patch('json', path, [{ op: 'explode', path: '/data/k' }]);
    await t.patch('json', path, [{ path: '/data/k' }]);
    await t.patch('json', path, [{ op: 'add', path: 'data', value: 1 }]);
    await t.patch('json', path, [{ op: 'replace', path: '/metadata/uid', value: 'x' }]);
    await t.patch('json', path, [{ op: 'replace', path: '/kind', value: 'Secret' }]);
    await t.patch(
      'json',
      path,
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/k', value: '1' })),
    );
    await t.patch('json', `${configMaps(ns)}/none`, [{ op: 'add', path: '/data', value: {} }]);
  }),
  kase('7. PATCH: merge-patch', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    const made = await t.post(configMaps(ns), configMap('a', { k: '1', l: '2' }, { labels: { x: '1' } }));
    await t.patch('merge', path, { data: { k: null, m: '3' } });
    await t.patch('merge', path, { data: null });
    await t.patch('merge', path, { metadata: { labels: { x: null, y: '2' } } });
    await t.patch('merge', path, { metadata: { name: 'b' } });
    await t.patch('merge', path, { metadata: { namespace: 'other' } });
    await t.patch('merge', path, { metadata: { uid: 'other' } });
    await t.patch('merge', path, { metadata: { resourceVersion: rv(made) }, data: { late: 'yes' } });
    await t.patch('merge', path, { metadata: { resourceVersion: '' }, data: { late: 'yes' } });
    await t.patch('merge', path, { kind: 'Secret' });
    await t.patch('merge', path, { apiVersion: 'v2' });
    await t.patch('merge', `${configMaps(ns)}/none`, { data: {} });
    await t.patch('merge', path, { metadata: { creationTimestamp: null, uid: uid(made) } });
  }),
  kase('7. PATCH: merge-patch of custom resources', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    await t.post(
      widgets(t.token, ns),
      widget(t.token, 'a', {
        spec: { size: 5, tags: ['a', 'b'], options: { x: '1', y: '2' }, open: { deep: { er: [1] } } },
      }),
    );
    await t.patch('merge', path, {
      spec: { size: null, tags: ['c'], options: { x: null }, open: { deep: { more: true } } },
    });
    await t.patch('merge', path, { spec: null });
    await t.patch('merge', path, { spec: { size: 500 } });
    await t.patch('merge', path, { spec: { size: 'big' } });
    await t.patch('merge', path, { metadata: { resourceVersion: '1' }, spec: { size: 7 } });
    await t.patch('merge', `${path}/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  }),
  kase('strategic merge on CR', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    await t.post(widgets(t.token, ns), widget(t.token, 'a'));
    await t.patch('strategic', `${widgets(t.token, ns)}/a`, { spec: { size: 3 } });
    await t.patch('strategic', `${widgets(t.token, ns)}/none`, { spec: { size: 3 } });
  }),
  kase('7. PATCH: strategic merges lists by key', async (t) => {
    const ns = await t.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments`;
    await t.quiet.post(path, deployment);
    const change = (spec: object): Promise<unknown> => t.patch('strategic', `${path}/d`, template(spec) as never);
    await change({ containers: [{ name: 'two', image: 'i:3' }] });
    await change({ containers: [{ name: 'three', image: 'i:4' }] });
    await change({
      containers: [
        {
          name: 'one',
          env: [
            { name: 'B', value: '9' },
            { name: 'C', value: '3' },
          ],
        },
      ],
    });
    await change({
      containers: [
        { name: 'one', env: [{ name: 'A', $patch: 'delete' }], ports: [{ containerPort: 81, name: 'web' }] },
      ],
    });
    await change({ containers: [{ name: 'two', $patch: 'delete' }] });
    await change({
      $setElementOrder: undefined,
      '$setElementOrder/containers': [{ name: 'three' }, { name: 'one' }],
      containers: [{ name: 'three', image: 'i:5' }],
    });
    await change({ '$setElementOrder/containers': [{ name: 'one' }, { name: 'three' }] });
    await change({
      '$setElementOrder/containers': [{ name: 'three' }, { name: 'four' }, { name: 'one' }],
      containers: [{ name: 'four', image: 'i:6' }],
    });
  }),
  kase('7. PATCH: strategic directives', async (t) => {
    const ns = await t.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments`;
    await t.quiet.post(path, deployment);
    const change = (spec: object): Promise<unknown> => t.patch('strategic', `${path}/d`, template(spec) as never);
    await change({ tolerations: [{ key: 'only', operator: 'Exists' }] });
    await change({ volumes: [{ name: 'w', emptyDir: {} }] });
    await change({ volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] });
    await change({ volumes: [{ $patch: 'replace' }, { name: 'new', emptyDir: {} }] });
    await change({ nodeSelector: { a: 'b', c: 'd' } });
    await change({ nodeSelector: { $patch: 'replace', e: 'f' } });
    await change({ nodeSelector: { e: null } });
    await t.patch('strategic', `${path}/d`, {
      spec: { strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null } },
    });
    await change({ volumes: [{ $patch: 'explode', name: 'new' }] });
    await change({ volumes: [{ emptyDir: {} }] });
  }),
  kase('7. PATCH: strategic on primitive lists', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', {}, { finalizers: ['example.com/1', 'example.com/2'] }));
    const path = `${configMaps(ns)}/a`;
    await t.patch('strategic', path, { metadata: { finalizers: ['example.com/3'] } });
    await t.patch('strategic', path, { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/1'] } });
    await t.patch('strategic', path, {
      metadata: {
        '$setElementOrder/finalizers': ['example.com/3', 'example.com/2'],
        finalizers: ['example.com/3', 'example.com/2'],
      },
    });
    await t.patch('strategic', path, { metadata: { finalizers: null } });
    const owner = await t.quiet.post(configMaps(ns), configMap('o'));
    await t.patch('strategic', path, {
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: uid(owner) }] },
    });
    await t.patch('strategic', `${path}?dryRun=All`, {
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'p', uid: 'u-2' }] },
    });
  }),
  kase('7. PATCH: strategic on a Service', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(core(ns, 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        selector: { a: 'b' },
        ports: [
          { name: 'http', port: 80 },
          { name: 'https', port: 443 },
        ],
      },
    });
    const path = `${core(ns, 'services')}/s`;
    await t.patch('strategic', path, { spec: { ports: [{ port: 80, targetPort: 8080 }] } });
    await t.patch('strategic', path, { spec: { ports: [{ port: 443, $patch: 'delete' }] } });
    await t.patch('strategic', path, { spec: { ports: [{ port: 81 }] } });
    await t.patch('strategic', path, { spec: { selector: { c: 'd' } } });
    await t.patch('strategic', path, { spec: { clusterIP: '10.99.99.99' } });
  }),
  kase('7. PATCH: of a pod, where most of the spec is fixed', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(core(ns, 'pods'), pod('p'));
    const path = `${core(ns, 'pods')}/p`;
    await t.patch('strategic', path, { spec: { containers: [{ name: 'main', image: 'i:2' }] } });
    await t.patch('merge', path, { spec: { activeDeadlineSeconds: 5 } });
    await t.patch('merge', path, { spec: { restartPolicy: 'Never' } });
    await t.patch('strategic', path, { spec: { containers: [{ name: 'other', image: 'i:2' }] } });
    await t.patch('merge', path, { spec: { hostNetwork: true } });
  }),
];
