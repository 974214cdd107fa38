import { configMap, configMaps, core, crd, pod, widget, widgets } from '../builders.ts';
import { kase } from '../kase.ts';
import { at, edited, rv, uid } from '../script.ts';
import type { Case } from '../script.ts';
import type { JsonObject } from '../../../packages/sandbox/src/values/json.ts';

const spec = (object: JsonObject): JsonObject => object['spec'] as JsonObject;
const metadata = (object: JsonObject): JsonObject => object['metadata'] as JsonObject;

export const writes: Case[] = [
  kase('6. Writes: create', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(ns), configMap('a', { k: 'v' }, { labels: { l: '1' }, annotations: { a: 'b' } }));
    await t.post(configMaps(ns), configMap('a'));
    await t.post(configMaps(ns), { metadata: { name: 'without-kind' } });
    await t.post(
      configMaps(ns),
      configMap('b', {}, { uid: 'mine', creationTimestamp: '2020-01-01T00:00:00Z', generation: 7, selfLink: '/x' }),
    );
    await t.post(configMaps(ns), configMap('c', {}, { resourceVersion: '5' }));
    await t.post(
      configMaps(ns),
      configMap('d', {}, { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 3 }),
    );
  }),
  kase('6. Writes: create with generateName', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(ns), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-' } });
    await t.post(configMaps(ns), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'made-', name: 'given' },
    });
    await t.post(configMaps(ns), { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} });
  }),
  kase('6. Writes: create in a namespace that does not exist, or that the body contradicts', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(`none-${t.token}`), configMap('a'));
    await t.post(configMaps(ns), configMap('a', {}, { namespace: 'other' }));
    await t.post(configMaps(ns), configMap('b', {}, { namespace: ns }));
    await t.post('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: `x-${t.token}`, namespace: 'other' },
    });
    await t.post('/api/v1/configmaps', configMap('c', {}, { namespace: ns }));
  }),
  kase('6. Writes: bad names, labels and annotations', async (t) => {
    const ns = await t.namespace();
    for (const name of ['Upper', 'under_score', '-dash', 'a..b', 'x'.repeat(254), 'a/b', 'ok.dots-1'])
      await t.post(configMaps(ns), configMap(name));
    await t.post(configMaps(ns), configMap('l1', {}, { labels: { 'bad key': 'x' } }));
    await t.post(configMaps(ns), configMap('l2', {}, { labels: { ok: 'bad value!' } }));
    await t.post(configMaps(ns), configMap('l3', {}, { labels: { ok: 'x'.repeat(64) } }));
    await t.post(configMaps(ns), configMap('l4', {}, { labels: { ['x'.repeat(64)]: 'v', 'a/b/c': 'v', '/x': 'v' } }));
    await t.post(configMaps(ns), configMap('l5', {}, { annotations: { 'bad key': 'any value!' } }));
    await t.post(configMaps(ns), configMap('l6', {}, { labels: { a: 1 } }));
    await t.post(configMaps(ns), configMap('l7', {}, { finalizers: ['bare', 'bad name/x'] }));
    await t.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } });
    await t.post(core(ns, 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: '1st' },
      spec: { ports: [{ port: 80 }] },
    });
  }),
  kase('6. Writes: bad owner references', async (t) => {
    const ns = await t.namespace();
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u-1' };
    await t.post(configMaps(ns), configMap('a', {}, { ownerReferences: [{ ...owner, uid: '' }] }));
    await t.post(configMaps(ns), configMap('b', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap' }] }));
    await t.post(
      configMaps(ns),
      configMap(
        'c',
        {},
        {
          ownerReferences: [
            { ...owner, controller: true },
            { ...owner, uid: 'u-2', controller: true },
          ],
        },
      ),
    );
    await t.post(configMaps(ns), configMap('d', {}, { ownerReferences: [{ ...owner, kind: 'Event' }] }));
    await t.post(configMaps(ns), configMap('e', {}, { ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] }));
  }),
  kase('PUT identical', async (t) => {
    const ns = await t.namespace();
    const made = await t.post(configMaps(ns), configMap('a', { k: '1' }));
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(made)}`);
    await t.put(`${configMaps(ns)}/a`, made.body ?? {});
    await t.post(configMaps(ns), configMap('marker'));
    await w.takeUntilNamed('marker');
  }),
  kase('stale PUT', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const made = await t.post(widgets(t.token, ns), widget(t.token, 'a', { spec: { size: 1 } }));
    await t.put(
      `${widgets(t.token, ns)}/a`,
      edited(made, (object) => (spec(object)['size'] = 2)),
    );
    await t.put(
      `${widgets(t.token, ns)}/a`,
      edited(made, (object) => (spec(object)['size'] = 3)),
    );
    const map = await t.quiet.post(configMaps(ns), configMap('a'));
    await t.quiet.patch('merge', `${configMaps(ns)}/a`, { data: { k: '1' } });
    await t.put(`${configMaps(ns)}/a`, map.body ?? {});
  }),
  kase('6. Writes: update without a resourceVersion', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    await t.post(configMaps(ns), configMap('a', { k: '1' }));
    await t.put(`${configMaps(ns)}/a`, configMap('a', { k: '2' }));
    await t.post(widgets(t.token, ns), widget(t.token, 'a'));
    await t.put(`${widgets(t.token, ns)}/a`, widget(t.token, 'a', { spec: { size: 4 } }));
    await t.put(`${configMaps(ns)}/a`, configMap('a', { k: '3' }, { resourceVersion: 'abc' }));
    await t.put(`${configMaps(ns)}/a`, configMap('a', { k: '3' }, { resourceVersion: '0' }));
  }),
  kase('6. Writes: update of what is not there, or of another name, namespace or uid', async (t) => {
    const ns = await t.namespace();
    const made = await t.quiet.post(configMaps(ns), configMap('a'));
    await t.put(`${configMaps(ns)}/none`, configMap('none'));
    await t.put(`${configMaps(ns)}/none`, configMap('none', {}, { resourceVersion: rv(made), uid: uid(made) }));
    await t.put(`${configMaps(ns)}/a`, configMap('b'));
    await t.put(`${configMaps(ns)}/a`, { apiVersion: 'v1', kind: 'ConfigMap', data: {} });
    await t.put(`${configMaps(ns)}/a`, configMap('a', {}, { namespace: 'other' }));
    await t.put(`${configMaps(ns)}/a`, configMap('a', {}, { uid: '11111111-2222-4333-8444-555555555555' }));
    await t.put(
      `${configMaps(ns)}/a`,
      configMap('a', {}, { uid: '11111111-2222-4333-8444-555555555555', resourceVersion: rv(made) }),
    );
  }),
  kase('6. Writes: update keeps what the server owns', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(ns), configMap('a', {}, { labels: { l: '1' } }));
    await t.put(
      `${configMaps(ns)}/a`,
      configMap(
        'a',
        { k: '1' },
        { creationTimestamp: '2020-01-01T00:00:00Z', generation: 9, selfLink: '/x', generateName: 'x-' },
      ),
    );
    await t.put(`${configMaps(ns)}/a`, configMap('a', { k: '1' }, { deletionTimestamp: '2020-01-01T00:00:00Z' }));
    await t.put(`${configMaps(ns)}/a`, configMap('a', { k: '1' }, { managedFields: [] }));
    await t.put(`${configMaps(ns)}/a`, configMap('a', { k: '1' }, { managedFields: [{}] }));
  }),
  kase('6. Writes: generation counts changes of the spec only', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    await t.post(widgets(t.token, ns), widget(t.token, 'a', { spec: { size: 1 } }, { generation: 5 }));
    await t.patch('merge', path, { metadata: { labels: { a: 'b' } } });
    await t.patch('merge', path, { spec: { size: 2 } });
    await t.patch('merge', `${path}/status`, { status: { phase: 'Up' } });
    await t.patch('merge', path, { status: { phase: 'Down' } });
    await t.patch('merge', path, { status: null });
    await t.patch('merge', path, { metadata: { generation: 44 } });
    await t.patch('merge', path, { spec: { size: 2 } });
  }),
  kase('6. Writes: generation without a status subresource counts every change but metadata', async (t) => {
    await t.crd(crd(t.token, { version: { subresources: {} } }));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    await t.post(widgets(t.token, ns), widget(t.token, 'a', { spec: { size: 1 }, status: { phase: 'kept' } }));
    await t.patch('merge', path, { status: { phase: 'other' } });
    await t.patch('merge', path, { metadata: { labels: { a: 'b' } } });
    await t.get(`${path}/status`);
    await t.patch('merge', `${path}/status`, { status: {} });
  }),
  kase('6. Writes: generation of built-in kinds', async (t) => {
    const ns = await t.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments`;
    const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
    await t.post(path, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { app: 'x' } }, template },
    });
    await t.patch('merge', `${path}/d`, { spec: { replicas: 3 } });
    await t.patch('merge', `${path}/d`, { metadata: { annotations: { x: 'y' } } });
    await t.patch('merge', `${path}/d/status`, { status: { observedGeneration: 2, replicas: 3 } });
    await t.get(`${path}/d/status`);
  }),
  kase('PUT /status with changed spec', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    const made = await t.post(widgets(t.token, ns), widget(t.token, 'a', { spec: { size: 1 } }));
    await t.put(
      `${path}/status`,
      edited(made, (object) => {
        spec(object)['size'] = 9;
        metadata(object)['labels'] = { dropped: 'yes' };
        object['status'] = { phase: 'Up' };
      }),
    );
    await t.get(`${path}/status`);
    await t.put(
      `${path}/status`,
      edited(made, (object) => (object['status'] = { phase: 'stale' })),
    );
  }),
  kase('6. Writes: status of built-in kinds is apart', async (t) => {
    const ns = await t.namespace();
    await t.post(core(ns, 'pods'), { ...pod('p'), status: { phase: 'Running' } });
    await t.patch('merge', `${core(ns, 'pods')}/p/status`, {
      status: { phase: 'Running', podIP: '10.1.1.1', podIPs: [{ ip: '10.1.1.1' }] },
      spec: { nodeName: 'n1' },
      metadata: { labels: { fromStatus: 'yes' } },
    });
    await t.patch('merge', `${core(ns, 'pods')}/p`, { status: { phase: 'Failed' }, metadata: { labels: { a: 'b' } } });
    await t.get(`${core(ns, 'pods')}/p/status`);
    await t.patch('strategic', `${core(ns, 'pods')}/p/status`, {
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    await t.patch('strategic', `${core(ns, 'pods')}/p/status`, {
      status: {
        conditions: [
          { type: 'Initialized', status: 'True' },
          { type: 'Ready', status: 'False' },
        ],
      },
    });
  }),
  kase('DELETE without finalizer', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    await t.post(widgets(t.token, ns), widget(t.token, 'a'));
    await t.delete(`${widgets(t.token, ns)}/a`);
    await t.get(`${widgets(t.token, ns)}/a`);
    await t.delete(`${widgets(t.token, ns)}/a`);
    await t.post(configMaps(ns), configMap('a'));
    await t.delete(`${configMaps(ns)}/a`);
    await t.post(core(ns, 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 1 }] },
    });
    await t.delete(`${core(ns, 'services')}/s`);
  }),
  kase('DELETE with finalizer', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    await t.post(widgets(t.token, ns), widget(t.token, 'a', {}, { finalizers: ['example.com/hold'] }));
    await t.delete(path);
    await t.get(path);
    await t.delete(path);
    await t.patch('merge', path, { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } });
    await t.patch('merge', path, { spec: { size: 8 } });
    await t.post(widgets(t.token, ns), widget(t.token, 'a'));
    await t.patch('merge', path, { metadata: { finalizers: [] } });
    await t.get(path);
  }),
  kase('PATCH removing last finalizer', async (t) => {
    const ns = await t.namespace();
    const path = `${configMaps(ns)}/a`;
    await t.post(configMaps(ns), configMap('a', {}, { finalizers: ['example.com/one', 'example.com/two'] }));
    const deleted = await t.delete(path);
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(deleted)}`);
    await t.patch('json', path, [{ op: 'remove', path: '/metadata/finalizers/0' }]);
    await t.patch('json', path, [{ op: 'remove', path: '/metadata/finalizers' }]);
    await w.take(2);
    await t.get(path);
  }),
  kase('6. Writes: PUT removing the last finalizer', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(ns), configMap('a', {}, { finalizers: ['example.com/one'] }));
    const deleted = await t.delete(`${configMaps(ns)}/a`);
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(deleted)}`);
    await t.put(
      `${configMaps(ns)}/a`,
      edited(deleted, (object) => delete metadata(object)['finalizers']),
    );
    await w.take(1);
  }),
  kase('6. Writes: delete with preconditions', async (t) => {
    const ns = await t.namespace();
    const made = await t.post(configMaps(ns), configMap('a'));
    const options = (preconditions: JsonObject): JsonObject => ({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions,
    });
    await t.delete(`${configMaps(ns)}/a`, options({ uid: '11111111-2222-4333-8444-555555555555' }));
    await t.delete(`${configMaps(ns)}/a`, options({ resourceVersion: '77' }));
    await t.delete(`${configMaps(ns)}/a`, options({ uid: uid(made), resourceVersion: rv(made) }));
    await t.delete(`${configMaps(ns)}/a`, options({ uid: uid(made) }));
  }),
  kase('6. Writes: delete with options that are wrong', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(ns), configMap('a'));
    const options = (rest: JsonObject): JsonObject => ({ kind: 'DeleteOptions', apiVersion: 'v1', ...rest });
    await t.delete(`${configMaps(ns)}/a`, options({ propagationPolicy: 'Sideways' }));
    await t.delete(`${configMaps(ns)}/a`, options({ propagationPolicy: 'Orphan', orphanDependents: true }));
    await t.delete(`${configMaps(ns)}/a?propagationPolicy=Sideways`);
    await t.delete(`${configMaps(ns)}/a`, options({ gracePeriodSeconds: 'long' }));
    await t.delete(`${configMaps(ns)}/a`, { kind: 'Pod', apiVersion: 'v1' });
    await t.send({ method: 'DELETE', path: `${configMaps(ns)}/a`, body: '{"broken' });
    await t.delete(`${configMaps(ns)}/a?gracePeriodSeconds=5&propagationPolicy=Background`);
  }),
  kase('6. Writes: delete with a grace period', async (t) => {
    const ns = await t.namespace();
    const pods = core(ns, 'pods');
    await t.post(pods, pod('unbound', { terminationGracePeriodSeconds: 7 }));
    await t.delete(`${pods}/unbound`);
    await t.get(`${pods}/unbound`);
    await t.post(pods, pod('bound', { nodeName: 'node-1', terminationGracePeriodSeconds: 7 }));
    await t.delete(`${pods}/bound`);
    await t.get(`${pods}/bound`);
    await t.delete(`${pods}/bound?gracePeriodSeconds=3`);
    await t.delete(`${pods}/bound?gracePeriodSeconds=30`);
    await t.delete(`${pods}/bound`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 });
    await t.get(`${pods}/bound`);
    await t.post(pods, pod('negative', { nodeName: 'node-1' }));
    await t.delete(`${pods}/negative`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: -5 });
    await t.post(pods, pod('at-once', { nodeName: 'node-1' }));
    await t.delete(`${pods}/at-once?gracePeriodSeconds=0`);
    await t.get(`${pods}/at-once`);
    await t.post(configMaps(ns), configMap('plain'));
    await t.delete(`${configMaps(ns)}/plain?gracePeriodSeconds=60`);
  }),
  kase('6. Writes: deleteCollection', async (t) => {
    const ns = await t.namespace();
    for (const [name, set] of [
      ['a', 'x'],
      ['b', 'x'],
      ['c', 'y'],
      ['d', 'y'],
    ] as const) {
      await t.quiet.post(
        configMaps(ns),
        configMap(name, {}, { labels: { set }, ...(name === 'd' ? { finalizers: ['example.com/f'] } : {}) }),
      );
    }
    await t.delete(`${configMaps(ns)}?labelSelector=set%3Dx`);
    await t.get(`${configMaps(ns)}?labelSelector=set`);
    await t.delete(`${configMaps(ns)}?labelSelector=set%3Dy`);
    await t.get(`${configMaps(ns)}?labelSelector=set`);
    await t.delete(`${configMaps(ns)}?labelSelector=set%3Dnone`);
    await t.delete(`${configMaps(ns)}?fieldSelector=metadata.name%3Dnone`);
    await t.delete(`${configMaps(ns)}?labelSelector=bad%20one`);
    await t.delete(`${configMaps(ns)}?labelSelector=set%3Dy&dryRun=All`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
    });
  }),
  kase('6. Writes: deleteCollection of custom resources', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    for (const name of ['a', 'b']) await t.quiet.post(widgets(t.token, ns), widget(t.token, name));
    await t.delete(widgets(t.token, ns));
    await t.get(widgets(t.token, ns));
  }),
  kase('6. Writes: dryRun=All', async (t) => {
    const ns = await t.namespace();
    await t.post(`${configMaps(ns)}?dryRun=All`, configMap('a', { k: '1' }));
    await t.get(`${configMaps(ns)}/a`);
    await t.post(`${configMaps(ns)}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'gen-' },
    });
    await t.post(`${configMaps(ns)}?dryRun=Some`, configMap('a'));
    await t.quiet.post(configMaps(ns), configMap('b', { k: '1' }));
    await t.post(`${configMaps(ns)}?dryRun=All`, configMap('b'));
    await t.put(`${configMaps(ns)}/b?dryRun=All`, configMap('b', { k: '2' }));
    await t.patch('merge', `${configMaps(ns)}/b?dryRun=All`, { data: { k: '3' } });
    await t.apply(`${configMaps(ns)}/b`, 'one', configMap('b', { m: '3' }), 'dryRun=All');
    await t.apply(`${configMaps(ns)}/new`, 'one', configMap('new', { m: '3' }), 'dryRun=All');
    await t.delete(`${configMaps(ns)}/b?dryRun=All`);
    await t.delete(`${configMaps(ns)}/b`, { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] });
    await t.delete(`${configMaps(ns)}/b?dryRun=Half`);
    await t.get(`${configMaps(ns)}/b`);
    await t.post('/api/v1/namespaces?dryRun=All', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: `dry-${t.token}` },
    });
  }),
  kase('6. Writes: fieldValidation of built-in kinds', async (t) => {
    const ns = await t.namespace();
    const odd = { ...configMap('a'), unknown: 1, metadata: { name: 'a', strange: true } };
    await t.post(`${configMaps(ns)}?fieldValidation=Strict`, odd);
    await t.post(`${configMaps(ns)}?fieldValidation=Warn`, odd);
    await t.post(`${configMaps(ns)}?fieldValidation=Ignore`, { ...odd, metadata: { name: 'b' } });
    await t.post(configMaps(ns), { ...odd, metadata: { name: 'c' } });
    await t.post(`${configMaps(ns)}?fieldValidation=Loud`, odd);
    const twice =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d"},"data":{"a":"1","a":"2"},"data":{"b":"3"}}';
    await t.send({ method: 'POST', path: `${configMaps(ns)}?fieldValidation=Strict`, body: twice });
    await t.send({ method: 'POST', path: `${configMaps(ns)}?fieldValidation=Warn`, body: twice });
    await t.put(`${configMaps(ns)}/a?fieldValidation=Strict`, { ...odd, unknown: { x: 1 } });
    await t.patch('merge', `${configMaps(ns)}/a?fieldValidation=Strict`, { unknown: 1, metadata: { strange: 1 } });
    await t.patch('json', `${configMaps(ns)}/a?fieldValidation=Strict`, [{ op: 'add', path: '/unknown', value: 1 }]);
    await t.patch('json', `${configMaps(ns)}/a?fieldValidation=Strict`, [
      { op: 'add', path: '/data', value: { k: 'v' }, surplus: 1 },
    ]);
    await t.patch('strategic', `${configMaps(ns)}/a?fieldValidation=Strict`, { unknown: 1 });
    await t.patch('strategic', `${configMaps(ns)}/a`, { unknown: 1 });
    await t.apply(
      `${configMaps(ns)}/a`,
      'm',
      { apiVersion: 'v1', kind: 'ConfigMap', unknown: 1 },
      'fieldValidation=Strict',
    );
    await t.post(
      `${core(ns, 'pods')}?fieldValidation=Strict`,
      pod('p', { containers: [{ name: 'c', image: 'i', imagee: 'x', ports: [{ containerport: 1 }] }], Volumes: [] }),
    );
    await t.post(
      `${core(ns, 'pods')}?fieldValidation=Warn`,
      pod('p', { containers: [{ name: 'c', image: 'i', imagee: 'x' }] }),
    );
  }),
  kase('6. Writes: fieldValidation of custom resources', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const odd = widget(t.token, 'a', {
      spec: { size: 1, unknown: 1, nested: { alien: true }, open: { free: 1 }, ports: [{ name: 'x', extra: 1 }] },
      top: 1,
    });
    await t.post(`${widgets(t.token, ns)}?fieldValidation=Strict`, odd);
    await t.post(`${widgets(t.token, ns)}?fieldValidation=Warn`, odd);
    await t.put(`${widgets(t.token, ns)}/a?fieldValidation=Strict`, odd);
    await t.patch('merge', `${widgets(t.token, ns)}/a?fieldValidation=Strict`, { spec: { unknown: 2 } });
    await t.patch('merge', `${widgets(t.token, ns)}/a?fieldValidation=Warn`, { spec: { unknown: 2 } });
    await t.patch('json', `${widgets(t.token, ns)}/a?fieldValidation=Strict`, [
      { op: 'add', path: '/spec/unknown', value: 1 },
    ]);
    await t.apply(
      `${widgets(t.token, ns)}/a`,
      'm',
      widget(t.token, 'a', { spec: { unknown: 2 } }),
      'fieldValidation=Strict',
    );
    const twice = `{"apiVersion":"${t.token}.example.com/v1","kind":"Widget","metadata":{"name":"b"},"spec":{"size":1,"size":2}}`;
    await t.send({ method: 'POST', path: `${widgets(t.token, ns)}?fieldValidation=Strict`, body: twice });
    await t.send({ method: 'POST', path: `${widgets(t.token, ns)}?fieldValidation=Warn`, body: twice });
    await t.post(`${widgets(t.token, ns)}?fieldValidation=Strict`, widget(t.token, 'c', {}, { strange: 1 }));
  }),
  kase('6. Writes: fieldManager', async (t) => {
    const ns = await t.namespace();
    await t.post(`${configMaps(ns)}?fieldManager=alice`, configMap('a', { k: '1' }));
    await t.patch('merge', `${configMaps(ns)}/a?fieldManager=bob`, { data: { k: '2', l: '1' } });
    await t.patch('json', `${configMaps(ns)}/a?fieldManager=alice`, [{ op: 'replace', path: '/data/l', value: '2' }]);
    await t.put(`${configMaps(ns)}/a?fieldManager=bob`, configMap('a', { k: '9' }));
    await t.post(`${configMaps(ns)}?fieldManager=${'x'.repeat(129)}`, configMap('b'));
    await t.post(`${configMaps(ns)}?fieldManager=bad%00name`, configMap('b'));
    await t.post(configMaps(ns), configMap('b'), { headers: { 'user-agent': 'kubectl-create/v1.36.3 (linux/amd64)' } });
  }),
  kase('6. Writes: a namespace has phase, label and finalizer', async (t) => {
    const name = `fresh-${t.token}`;
    await t.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await t.patch('merge', `/api/v1/namespaces/${name}`, {
      metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } },
    });
    await t.patch('merge', `/api/v1/namespaces/${name}`, { metadata: { labels: null } });
    await t.patch('merge', `/api/v1/namespaces/${name}`, { spec: { finalizers: [] } });
    // Two controllers fill a new namespace, in either order, so their versions are not recorded.
    const account = await t.eventually(
      `/api/v1/namespaces/${name}/serviceaccounts/default`,
      ({ status }) => status === 200,
    );
    t.note('the ServiceAccount has only metadata', Object.keys(account.body as object));
    const map = await t.eventually(
      `/api/v1/namespaces/${name}/configmaps/kube-root-ca.crt`,
      ({ status }) => status === 200,
    );
    t.note('the ConfigMap', { data: at(map, 'data') ?? null, annotations: at(map, 'metadata', 'annotations') ?? null });
  }),
];
