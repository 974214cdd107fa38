import { defined } from '@ssvirt/base/values/defined';
import { configMap, configMaps, core, crd, widget, widgets } from '../builders.ts';
import { kase } from '../kase.ts';
import { rv, text } from '../script.ts';
import type { Case } from '../script.ts';

const map = (data: Record<string, string> | undefined, metadata: object = {}): never =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', ...metadata },
    ...defined({ data }),
  }) as never;
const service = (ports: object[], rest: object = {}): never =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports, ...rest } }) as never;

export const apply: Case[] = [
  kase('SSA create / conflict', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    await t.apply(path, 'one', widget(t.token, 'a', { spec: { size: 1, colour: 'red' } }));
    await t.apply(path, 'two', widget(t.token, 'a', { spec: { size: 2 } }));
    await t.apply(path, 'two', widget(t.token, 'a', { spec: { size: 2, colour: 'blue' } }));
    await t.get(path);
  }),
  kase('7. PATCH: apply needs a manager, a kind and a name that fits', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.patch('apply', path, map({ k: '1' }));
    await t.apply(path, 'x'.repeat(129), map({ k: '1' }));
    await t.apply(path, 'm', { apiVersion: 'v1', metadata: { name: 'a' } });
    await t.apply(path, 'm', { kind: 'ConfigMap', metadata: { name: 'a' } });
    await t.apply(path, 'm', configMap('b'));
    await t.apply(path, 'm', { apiVersion: 'v1', kind: 'ConfigMap', data: { k: '1' } });
    await t.apply(path, 'm', map({ k: '1' }, { namespace: 'other' }));
    await t.apply(
      path,
      'm',
      map({ k: '1' }, { managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1' }] }),
    );
    await t.apply(path, 'm', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  yaml: "yes"\n');
    await t.patch('merge', `${path}?force=true`, { data: {} });
    await t.apply(`${configMaps(`none-${t.token}`)}/a`, 'm', map({ k: '1' }));
    await t.apply(`${configMaps(ns)}/Bad_Name`, 'm', configMap('Bad_Name'));
  }),
  kase('7. PATCH: apply twice changes nothing', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    const first = await t.apply(path, 'one', map({ k: '1' }));
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(first)}`);
    await t.apply(path, 'one', map({ k: '1' }));
    await t.apply(path, 'two', map({ k: '1' }));
    await t.apply(path, 'two', map({ k: '1' }));
    await w.take(1);
  }),
  kase('7. PATCH: apply removes what its manager no longer names', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.apply(path, 'one', map({ k: '1', l: '2', m: '3' }, { labels: { a: 'b' } }));
    await t.apply(path, 'two', map({ l: '2' }));
    await t.apply(path, 'one', map({ k: '1' }));
    await t.apply(path, 'one', map(undefined));
    await t.apply(path, 'two', map(undefined));
  }),
  kase('7. PATCH: apply with force takes fields over', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.apply(path, 'one', map({ k: '1', l: '1' }));
    await t.apply(path, 'two', map({ k: '2' }));
    await t.apply(path, 'two', map({ k: '2' }), 'force=true');
    await t.apply(path, 'one', map({ l: '1' }));
    await t.apply(path, 'one', map({ k: '3', l: '1' }));
    await t.apply(path, 'three', map({ k: '3', l: '3' }, { labels: { x: 'y' } }));
    await t.apply(path, 'three', map({ k: '3', l: '3' }), 'force=true');
  }),
  kase('7. PATCH: apply conflicts with those who update', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.post(`${configMaps(ns)}?fieldManager=writer`, configMap('a', { k: '1', l: '1' }));
    await t.apply(path, 'one', map({ k: '2' }));
    await t.apply(path, 'one', map({ k: '1' }));
    await t.patch('merge', `${path}?fieldManager=editor`, { data: { k: '7' } });
    await t.apply(path, 'one', map({ k: '1' }));
    await t.apply(path, 'one', map({ k: '1' }), 'force=true');
    await t.put(`${path}?fieldManager=writer`, configMap('a', { l: '5' }));
  }),
  kase('7. PATCH: apply conflicts with several managers at once', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.apply(path, 'one', map({ k: '1' }));
    await t.apply(path, 'two', map({ l: '1' }));
    await t.patch('merge', `${path}?fieldManager=three`, { data: { m: '1' }, metadata: { labels: { z: '1' } } });
    await t.apply(path, 'four', map({ k: '4', l: '4', m: '4' }, { labels: { z: '4' } }));
    await t.apply(path, 'one', map({ k: '1', l: '5' }));
  }),
  kase('7. PATCH: update makes its manager an owner of what it changes', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.apply(path, 'one', map({ k: '1', l: '1' }));
    await t.patch('merge', `${path}?fieldManager=two`, { data: { k: '2' } });
    await t.patch('merge', `${path}?fieldManager=two`, { data: { k: null } });
    await t.patch('merge', `${path}?fieldManager=one`, { data: { l: '2', n: '1' } });
  }),
  kase('7. PATCH: apply on list maps, sets and atomics', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    const spec = (value: object): never => widget(t.token, 'a', { spec: value as never }) as never;
    await t.apply(
      path,
      'one',
      spec({
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
        tags: ['x', 'y'],
        words: ['p', 'q'],
        sealed: { a: '1' },
        options: { o: '1' },
      }),
    );
    await t.apply(path, 'two', spec({ ports: [{ name: 'c', port: 3 }], tags: ['z'], options: { p: '2' } }));
    await t.apply(
      path,
      'two',
      spec({
        ports: [
          { name: 'c', port: 3 },
          { name: 'a', port: 9 },
        ],
        tags: ['z', 'x'],
      }),
    );
    await t.apply(path, 'two', spec({ words: ['r'] }));
    await t.apply(path, 'two', spec({ words: ['r'], sealed: { b: '2' } }), 'force=true');
    await t.apply(path, 'one', spec({ ports: [{ name: 'b', port: 2 }], tags: ['y'] }));
    await t.apply(
      path,
      'one',
      spec({
        ports: [
          { name: 'b', port: 2 },
          { name: 'b', port: 3 },
        ],
      }),
    );
    await t.apply(path, 'one', spec({ tags: ['y', 'y'] }));
    await t.apply(path, 'one', spec({ ports: [{ port: 4 }] }));
  }),
  kase('7. PATCH: apply puts list items in the order of the appliers', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    const tags = (...values: string[]): never => widget(t.token, 'a', { spec: { tags: values } }) as never;
    await t.apply(path, 'one', tags('a', 'b', 'c'));
    await t.apply(path, 'two', tags('d', 'b'));
    await t.apply(path, 'one', tags('c', 'b', 'a'));
    await t.apply(path, 'three', tags('e', 'a', 'f'));
    await t.apply(path, 'one', tags('a'));
  }),
  kase('7. PATCH: apply on custom resources validates and defaults', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    await t.apply(path, 'one', widget(t.token, 'a', { spec: { nested: { depth: 2 }, unknown: 1 } }));
    await t.apply(path, 'one', widget(t.token, 'a', { spec: { size: 1000 } }));
    await t.apply(path, 'one', widget(t.token, 'a', { spec: { size: 'text' } }));
    await t.apply(path, 'one', widget(t.token, 'a', { spec: { limit: '5%' } }));
    await t.apply(path, 'one', widget(t.token, 'a', { spec: null }));
    await t.apply(
      path,
      'one',
      widget(t.token, 'a', { status: { phase: 'dropped' }, spec: { open: { free: { ly: [1, { a: 2 }] } } } }),
    );
  }),
  kase('7. PATCH: apply to the status', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    await t.apply(`${path}/status`, 'ctl', widget(t.token, 'a', { status: { phase: 'Up' } }));
    await t.apply(path, 'one', widget(t.token, 'a', { spec: { size: 2 } }));
    await t.apply(
      `${path}/status`,
      'ctl',
      widget(t.token, 'a', { status: { phase: 'Up', conditions: [{ type: 'Ready', status: 'True' }] } }),
    );
    await t.apply(
      `${path}/status`,
      'other',
      widget(t.token, 'a', { status: { conditions: [{ type: 'Synced', status: 'True' }] } }),
    );
    await t.apply(
      `${path}/status`,
      'other',
      widget(t.token, 'a', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }),
    );
    await t.apply(`${path}/status`, 'ctl', widget(t.token, 'a', { spec: { size: 5 }, status: { phase: 'Down' } }));
    await t.apply(path, 'one', widget(t.token, 'a', { spec: { size: 3 } }));
  }),
  kase('7. PATCH: apply of a Service merges ports by key', async (t) => {
    const ns = await t.namespace();
    const path = `${core(ns, 'services')}/s`;
    await t.apply(path, 'one', service([{ name: 'http', port: 80 }], { selector: { a: 'b' } }));
    await t.apply(path, 'two', service([{ name: 'https', port: 443, targetPort: 'tls' }]));
    await t.apply(
      path,
      'two',
      service([
        { name: 'https', port: 443, targetPort: 'tls' },
        { name: 'web', port: 80 },
      ]),
    );
    await t.apply(path, 'one', service([{ name: 'http', port: 80, protocol: 'UDP' }], { selector: { c: 'd' } }));
    await t.apply(path, 'two', service([]));
  }),
  kase('7. PATCH: apply of a Deployment', async (t) => {
    const ns = await t.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments/d`;
    const body = (replicas: number | undefined, containers: object[]): never =>
      ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          ...defined({ replicas }),
          selector: { matchLabels: { a: 'x' } },
          template: { metadata: { labels: { a: 'x' } }, spec: { containers } },
        },
      }) as never;
    await t.apply(path, 'one', body(2, [{ name: 'c', image: 'i:1', env: [{ name: 'A', value: '1' }] }]));
    await t.apply(
      path,
      'scaler',
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: { replicas: 5 } },
      'force=true',
    );
    await t.apply(
      path,
      'one',
      body(undefined, [{ name: 'c', image: 'i:2', env: [{ name: 'B', value: '2' }], ports: [{ containerPort: 80 }] }]),
    );
    await t.apply(path, 'two', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'c', image: 'i:3' },
              { name: 'side', image: 's:1' },
            ],
          },
        },
      },
    });
    await t.apply(path, 'two', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { template: { spec: { containers: [{ name: 'side', image: 's:1' }] } } },
    });
  }),
  kase('7. PATCH: apply with a resourceVersion or a uid', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    const made = await t.apply(path, 'one', map({ k: '1' }));
    await t.apply(path, 'one', map({ k: '2' }, { resourceVersion: rv(made) }));
    await t.apply(path, 'one', map({ k: '3' }, { resourceVersion: rv(made) }));
    await t.apply(path, 'one', map({ k: '3' }, { uid: '11111111-2222-4333-8444-555555555555' }));
    await t.apply(path, 'one', map({ k: '3' }, { uid: text(made, 'metadata', 'uid') }));
    await t.apply(
      `${configMaps(ns)}/new`,
      'one',
      configMap('new', {}, { uid: '11111111-2222-4333-8444-555555555555' }),
    );
    await t.apply(`${configMaps(ns)}/new`, 'one', configMap('new', {}, { resourceVersion: '5' }));
  }),
  kase('7. PATCH: managedFields can be cleared and edited', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.apply(path, 'one', map({ k: '1' }));
    await t.patch('merge', path, { metadata: { managedFields: [{}] } });
    await t.apply(path, 'two', map({ k: '2' }));
    await t.patch('json', path, [
      {
        op: 'replace',
        path: '/metadata/managedFields',
        value: [
          {
            manager: 'x',
            operation: 'Apply',
            apiVersion: 'v1',
            time: '2020-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:k': {} } },
          },
        ],
      },
    ]);
    await t.patch('merge', path, {
      metadata: { managedFields: [{ manager: 'x', operation: 'Sing', apiVersion: 'v1' }] },
    });
    await t.patch('merge', path, {
      metadata: { managedFields: [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'V9' }] },
    });
  }),
  kase('7. PATCH: metadata owned by managers', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.apply(
      path,
      'one',
      map({}, { labels: { a: '1' }, annotations: { b: '2' }, finalizers: ['example.com/one'] }),
    );
    const owner = await t.quiet.post(configMaps(ns), configMap('o'));
    await t.apply(
      path,
      'two',
      map(
        {},
        {
          finalizers: ['example.com/two'],
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: text(owner, 'metadata', 'uid') }],
        },
      ),
    );
    await t.apply(path, 'one', map({}, { labels: { a: '1' } }));
    await t.apply(path, 'two', map({}, {}));
  }),
  kase('7. PATCH: apply to an object that is being deleted', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.apply(path, 'one', map({ k: '1' }, { finalizers: ['example.com/one'] }));
    await t.delete(path);
    await t.apply(path, 'one', map({ k: '2' }, { finalizers: ['example.com/one'] }));
    await t.apply(path, 'two', map({}, { finalizers: ['example.com/two'] }));
    await t.apply(path, 'one', map({ k: '2' }));
    await t.get(path);
  }),
];
