import { configMap, configMaps, core, crd, widget, widgets } from '../builders.ts';
import { kase } from '../kase.ts';
import { at, edited, rv, text } from '../script.ts';
import type { Case, Script } from '../script.ts';
import type { JsonObject } from '../../../packages/sandbox/src/values/json.ts';

async function some(
  t: Script,
  ns: string,
  count: number,
  labels: (i: number) => JsonObject = () => ({ set: 'a' }),
): Promise<void> {
  for (let i = 0; i < count; i++)
    await t.quiet.post(configMaps(ns), configMap(`c${i}`, { i: String(i) }, { labels: labels(i) }));
}

export const storage: Case[] = [
  kase('2. One global revision counter: every write of any kind takes a newer one', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(ns), configMap('a', { k: '1' }));
    await t.post(core(ns, 'secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
    await t.patch('merge', `${configMaps(ns)}/a`, { data: { k: '2' } });
    await t.get(`${core(ns, 'secrets')}/s`);
    await t.get(`${configMaps(ns)}/a`);
    await t.get(`${core(ns, 'secrets')}?limit=1`);
  }),
  kase('2. One global revision counter: a list has the current revision', async (t) => {
    const ns = await t.namespace();
    await t.get(`${configMaps(ns)}?labelSelector=x%3Dy`);
    const created = await t.post(configMaps(ns), configMap('a'));
    const listed = await t.get(`${configMaps(ns)}?labelSelector=x%3Dy`);
    t.note('not older than the last write', Number(rv(listed)) >= Number(rv(created)));
    const other = await t.client.send({ method: 'GET', path: core(ns, 'secrets') });
    t.note('nor is the list of another kind', Number(rv(other)) >= Number(rv(created)));
  }),
  kase('2. One global revision counter: a write that changes nothing keeps the version and is no event', async (t) => {
    const ns = await t.namespace();
    const created = await t.post(configMaps(ns), configMap('a', { k: '1' }, { labels: { l: '1' } }));
    const watch = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(created)}`);
    await t.put(
      `${configMaps(ns)}/a`,
      edited(created, () => undefined),
    );
    await t.patch('merge', `${configMaps(ns)}/a`, { data: { k: '1' } });
    await t.patch('json', `${configMaps(ns)}/a`, [{ op: 'replace', path: '/data/k', value: '1' }]);
    await t.patch('strategic', `${configMaps(ns)}/a`, { metadata: { labels: { l: '1' } } });
    await t.post(configMaps(ns), configMap('marker'));
    await watch.takeUntilNamed('marker');
  }),
  kase(
    '3. Storage event log with a bounded window per resource: a watch goes on from any version in the window',
    async (t) => {
      const ns = await t.namespace();
      const first = await t.quiet.post(configMaps(ns), configMap('a'));
      await t.quiet.patch('merge', `${configMaps(ns)}/a`, { data: { k: '1' } });
      await t.quiet.delete(`${configMaps(ns)}/a`);
      await t.quiet.post(configMaps(ns), configMap('b'));
      const watch = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(first)}`);
      await watch.take(3);
    },
  ),
  kase(
    '3. Storage event log with a bounded window per resource: a watch misses no event of a kind without other writers',
    async (t) => {
      await t.crd(crd(t.token));
      const ns = await t.namespace();
      const path = widgets(t.token, ns);
      const first = await t.quiet.post(path, widget(t.token, 'a'));
      await t.quiet.patch('merge', `${path}/a`, { spec: { size: 5 } });
      await t.quiet.delete(`${path}/a`);
      await t.quiet.post(path, widget(t.token, 'b'));
      const watch = await t.watch(`${path}?watch=true&resourceVersion=${rv(first)}`);
      await watch.take(3);
    },
  ),
  kase(
    '3. Storage event log with a bounded window per resource: compaction does not end a page list that the watch cache still holds',
    async (t) => {
      const ns = await t.namespace();
      await some(t, ns, 5);
      const page = await t.get(`${configMaps(ns)}?limit=2&labelSelector=set`);
      await t.quiet.patch('merge', `${configMaps(ns)}/c4`, { data: { late: 'yes' } });
      await t.cluster.compact();
      const gone = await t.get(
        `${configMaps(ns)}?limit=2&labelSelector=set&continue=${encodeURIComponent(text(page, 'metadata', 'continue'))}`,
      );
      await t.get(
        `${configMaps(ns)}?limit=10&labelSelector=set&continue=${encodeURIComponent(text(gone, 'metadata', 'continue'))}`,
      );
      await t.get(`${configMaps(ns)}?resourceVersion=${rv(page)}&resourceVersionMatch=Exact&labelSelector=set`);
    },
    { exclusive: true },
  ),

  kase('4. LIST: limit and continue give every object once, at one version', async (t) => {
    const ns = await t.namespace();
    await some(t, ns, 5);
    const first = await t.get(`${configMaps(ns)}?limit=2`);
    await t.quiet.post(configMaps(ns), configMap('c9'));
    await t.quiet.delete(`${configMaps(ns)}/c4`);
    const second = await t.get(
      `${configMaps(ns)}?limit=2&continue=${encodeURIComponent(text(first, 'metadata', 'continue'))}`,
    );
    const third = await t.get(
      `${configMaps(ns)}?limit=2&continue=${encodeURIComponent(text(second, 'metadata', 'continue'))}`,
    );
    t.note('all pages are of one version', rv(first) === rv(second) && rv(second) === rv(third));
  }),
  kase('4. LIST: limit with selectors has no remainingItemCount', async (t) => {
    const ns = await t.namespace();
    await some(t, ns, 6, (i) => ({ parity: i % 2 === 0 ? 'even' : 'odd' }));
    const first = await t.get(`${configMaps(ns)}?limit=2&labelSelector=parity%3Deven`);
    await t.get(
      `${configMaps(ns)}?limit=2&labelSelector=parity%3Deven&continue=${encodeURIComponent(text(first, 'metadata', 'continue'))}`,
    );
    await t.get(`${configMaps(ns)}?limit=1&fieldSelector=metadata.name%3Dc3`);
  }),
  kase('4. LIST: a limit that holds all, and limit 0', async (t) => {
    const ns = await t.namespace();
    await some(t, ns, 2);
    await t.get(`${configMaps(ns)}?limit=500&labelSelector=set`);
    await t.get(`${configMaps(ns)}?limit=0&labelSelector=set`);
    await t.get(`${configMaps(ns)}?limit=2&labelSelector=set`);
    await t.get(`${configMaps(ns)}?limit=-1`);
    await t.get(`${configMaps(ns)}?limit=many`);
  }),
  kase('4. LIST: continue with a resourceVersion', async (t) => {
    const ns = await t.namespace();
    await some(t, ns, 3);
    const first = await t.get(`${configMaps(ns)}?limit=1`);
    const token = encodeURIComponent(text(first, 'metadata', 'continue'));
    await t.get(`${configMaps(ns)}?limit=1&continue=${token}&resourceVersion=${rv(first)}`);
    await t.get(`${configMaps(ns)}?limit=1&continue=${token}&resourceVersion=0`);
    await t.get(`${configMaps(ns)}?limit=1&continue=${token}&resourceVersionMatch=Exact`);
  }),
  kase('continue garbage', async (t) => {
    const ns = await t.namespace();
    await t.get(`${configMaps(ns)}?limit=1&continue=garbage`);
    await t.get(`${configMaps(ns)}?limit=1&continue=${Buffer.from('{"v":"meta.k8s.io/v1"}').toString('base64url')}`);
    await t.get(
      `${configMaps(ns)}?limit=1&continue=${Buffer.from('{"v":"other","rv":1,"start":"a"}').toString('base64url')}`,
    );
  }),
  kase('4. LIST: resourceVersion "", 0 and n with and without resourceVersionMatch', async (t) => {
    const ns = await t.namespace();
    await some(t, ns, 1);
    const old = await t.client.send({ method: 'GET', path: `${configMaps(ns)}/c0` });
    await t.quiet.post(configMaps(ns), configMap('later', {}, { labels: { set: 'a' } }));
    const where = `${configMaps(ns)}?labelSelector=set`;
    await t.get(where);
    await t.get(`${where}&resourceVersion=${rv(old)}&resourceVersionMatch=Exact`);
    await t.get(`${where}&resourceVersion=${rv(old)}&resourceVersionMatch=NotOlderThan`);
    await t.get(`${where}&resourceVersion=${rv(old)}`);
    await t.get(`${where}&resourceVersion=${rv(old)}&limit=1`);
    await t.get(`${where}&resourceVersion=${rv(old)}&limit=1&resourceVersionMatch=Exact`);
    await t.get(`${where}&resourceVersion=0&resourceVersionMatch=Exact`);
    await t.get(`${where}&resourceVersionMatch=Exact`);
    await t.get(`${where}&resourceVersion=${rv(old)}&resourceVersionMatch=Newest`);
    await t.get(`${where}&resourceVersion=abc`);
    await t.get(`${where}&resourceVersion=-5`);
  }),
  kase('4. LIST: resourceVersion 0 answers from the cache', async (t) => {
    const ns = await t.namespace();
    await some(t, ns, 2);
    await t.eventually(
      `${configMaps(ns)}?resourceVersion=0&labelSelector=set`,
      (answer) => (at(answer, 'items') as unknown[]).length === 2,
    );
    await t.get(`${configMaps(ns)}?resourceVersion=0&labelSelector=set`);
    await t.get(`${configMaps(ns)}?resourceVersion=0&resourceVersionMatch=NotOlderThan&labelSelector=set`);
    await t.get(`${configMaps(ns)}?resourceVersion=0&limit=1&labelSelector=set`);
  }),
  kase('list with future RV', async (t) => {
    const ns = await t.namespace();
    await t.get(`${configMaps(ns)}?resourceVersion=2000000000`);
    await t.get(`${configMaps(ns)}/kube-root-ca.crt?resourceVersion=2000000000`);
  }),
  kase('4. LIST: get with a resourceVersion', async (t) => {
    const ns = await t.namespace();
    const made = await t.post(configMaps(ns), configMap('a'));
    await t.get(`${configMaps(ns)}/a?resourceVersion=${rv(made)}`);
    await t.get(`${configMaps(ns)}/a?resourceVersion=abc`);
  }),
  kase('4. LIST: label selectors', async (t) => {
    const ns = await t.namespace();
    await some(t, ns, 4, (i) => (i === 3 ? {} : { n: String(i), ...(i > 0 ? { tier: 'back' } : {}) }));
    for (const selector of [
      'n=1',
      'n==1',
      'n!=1',
      'n in (0,2)',
      'n notin (0,2)',
      'tier',
      '!tier',
      'tier,n=2',
      'tier=back,n notin (1)',
      'n>0',
      'n<1',
      'n=',
      '',
    ]) {
      const answer = await t.client.send({
        method: 'GET',
        path: `${configMaps(ns)}?labelSelector=${encodeURIComponent(selector)}`,
      });
      const names = (at(answer, 'items') as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
      t.note(selector, names);
    }
    for (const wrong of ['n=(', 'a b', 'n in', 'n in 0', '-x=1', `n=${'x'.repeat(64)}`, 'n=a/b', 'n>x', '=x', 'n,,']) {
      await t.get(`${configMaps(ns)}?labelSelector=${encodeURIComponent(wrong)}`);
    }
  }),
  kase('4. LIST: field selectors', async (t) => {
    const ns = await t.namespace();
    await some(t, ns, 3);
    for (const selector of [
      'metadata.name=c1',
      'metadata.name!=c1',
      `metadata.namespace=${ns}`,
      'metadata.namespace=other',
      'metadata.name=c1,metadata.name!=c1',
      'metadata.name==c2',
      '',
    ]) {
      const answer = await t.client.send({
        method: 'GET',
        path: `${configMaps(ns)}?labelSelector=set&fieldSelector=${encodeURIComponent(selector)}`,
      });
      const names = (at(answer, 'items') as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
      t.note(selector, names);
    }
    for (const wrong of ['data.i=1', 'metadata.name', 'spec.x=1', 'metadata.name>c', 'metadata.labels=a', '=a']) {
      await t.get(`${configMaps(ns)}?fieldSelector=${encodeURIComponent(wrong)}`);
    }
  }),
  kase('4. LIST: field selectors of kinds that have more of them', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(core(ns, 'secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'example.com/own',
      metadata: { name: 's1' },
    });
    await t.quiet.post(core(ns, 'secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's2' } });
    await t.get(`${core(ns, 'secrets')}?fieldSelector=type%3DOpaque`);
    await t.get(`${core(ns, 'secrets')}?fieldSelector=type!%3DOpaque`);
    await t.get(`/api/v1/namespaces?fieldSelector=${encodeURIComponent(`status.phase=Active,metadata.name=${ns}`)}`);
    await t.get(
      `${core(ns, 'pods')}?fieldSelector=${encodeURIComponent('status.phase=Running,spec.nodeName=n1,spec.restartPolicy=Always')}`,
    );
    await t.get(`${core(ns, 'pods')}?fieldSelector=${encodeURIComponent('spec.priority=1')}`);
    await t.get(`${core(ns, 'events')}?fieldSelector=${encodeURIComponent('involvedObject.name=x,type=Warning')}`);
    await t.get('/api/v1/nodes?fieldSelector=spec.unschedulable%3Dtrue');
  }),
  kase('4. LIST: over all namespaces', async (t) => {
    const one = await t.namespace('a');
    const two = await t.namespace('b');
    await t.quiet.post(configMaps(two), configMap('x', {}, { labels: { all: t.token } }));
    await t.quiet.post(configMaps(one), configMap('y', {}, { labels: { all: t.token } }));
    await t.quiet.post(configMaps(one), configMap('x', {}, { labels: { all: t.token } }));
    await t.get(`/api/v1/configmaps?labelSelector=all%3D${t.token}`);
    await t.get(`/api/v1/configmaps?labelSelector=all%3D${t.token}&fieldSelector=metadata.namespace%3D${one}`);
    await t.get(`/api/v1/configmaps?labelSelector=all%3D${t.token}&limit=2`);
    await t.get('/api/v1/configmaps/x');
  }),
  kase('4. LIST: of a namespace that does not exist', async (t) => {
    await t.get(configMaps(`none-${t.token}`));
    await t.get(`${configMaps(`none-${t.token}`)}/x`);
    await t.get(`/apis/apps/v1/namespaces/none-${t.token}/deployments`);
    await t.get(`/api/v1/namespaces/none-${t.token}`);
  }),
];
