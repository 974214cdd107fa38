import { isObject } from '../../../packages/sandbox/src/values/json.ts';
import { configMap, configMaps, core, crd, widget, widgets } from '../builders.ts';
import { kase } from '../kase.ts';
import { rv } from '../script.ts';
import type { Case } from '../script.ts';
import type { WatchEvent } from '../watch.ts';

const marked = (labels: Record<string, string> = {}): { labels: Record<string, string> } => ({
  labels: { set: 'a', ...labels },
});
const isBookmark = ({ type }: WatchEvent): boolean => type === 'BOOKMARK';
const initialEnd = ({ type, object }: WatchEvent): boolean =>
  type === 'BOOKMARK' &&
  isObject(object['metadata']) &&
  isObject(object['metadata']['annotations']) &&
  object['metadata']['annotations']['k8s.io/initial-events-end'] === 'true';

export const watch: Case[] = [
  kase('5. WATCH: creation, change and deletion', async (t) => {
    const ns = await t.namespace();
    const list = await t.quiet.get(configMaps(ns));
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(list)}`);
    await t.quiet.post(configMaps(ns), configMap('a', { k: '1' }));
    await t.quiet.patch('merge', `${configMaps(ns)}/a`, { data: { k: '2' } });
    await t.quiet.delete(`${configMaps(ns)}/a`);
    await w.take(3);
  }),
  kase('5. WATCH: without resourceVersion first tells what is there', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', {}, marked()));
    await t.quiet.post(configMaps(ns), configMap('b', {}, marked()));
    const w = await t.watch(`${configMaps(ns)}?watch=true&labelSelector=set`);
    await w.take(2);
    await t.quiet.delete(`${configMaps(ns)}/a`);
    await w.take(1);
  }),
  kase('5. WATCH: resourceVersion 0 first tells what is there', async (t) => {
    const ns = await t.namespace();
    const made = await t.quiet.post(configMaps(ns), configMap('a', {}, marked()));
    await t.client.send({ method: 'GET', path: `${configMaps(ns)}?resourceVersion=${rv(made)}` });
    const w = await t.watch(`${configMaps(ns)}?watch=1&labelSelector=set&resourceVersion=0`);
    await w.take(1);
    await t.quiet.patch('merge', `${configMaps(ns)}/a`, { data: { k: '2' } });
    await w.take(1);
  }),
  kase('5. WATCH: timeoutSeconds ends the stream', async (t) => {
    const ns = await t.namespace();
    const list = await t.quiet.get(configMaps(ns));
    // Creates it before the watch, so that the watch cannot end first.
    await t.quiet.post(configMaps(ns), configMap('a'));
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(list)}&timeoutSeconds=1`);
    await w.takeAll();
  }),
  kase('5. WATCH: a bookmark comes just before the timeout', async (t) => {
    const ns = await t.namespace();
    const made = await t.quiet.post(configMaps(ns), configMap('a'));
    const w = await t.watch(
      `${configMaps(ns)}?watch=true&resourceVersion=${rv(made)}&timeoutSeconds=4&allowWatchBookmarks=true`,
    );
    await w.takeUntil(isBookmark);
  }),
  kase('5. WATCH: a bookmark is newer than what the selector left out', async (t) => {
    const ns = await t.namespace();
    const made = await t.post(configMaps(ns), configMap('a', {}, marked()));
    const w = await t.watch(
      `${configMaps(ns)}?watch=true&labelSelector=set&resourceVersion=${rv(made)}&timeoutSeconds=8&allowWatchBookmarks=true`,
    );
    // Created after the watch has started; otherwise the watch would have nothing newer to show. The bookmark comes 2 s
    // before the end, and must come after this write.
    await t.post(configMaps(ns), configMap('b'));
    await w.takeUntil(isBookmark);
  }),
  kase('5. WATCH: without allowWatchBookmarks there is none', async (t) => {
    const ns = await t.namespace();
    const made = await t.quiet.post(configMaps(ns), configMap('a'));
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(made)}&timeoutSeconds=4`);
    await w.takeAll();
  }),
  kase('watch-list of 2 objects', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', {}, marked()));
    await t.quiet.post(configMaps(ns), configMap('b', {}, marked()));
    const w = await t.watch(
      `${configMaps(ns)}?watch=true&labelSelector=set&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await w.takeUntil(initialEnd);
  }),
  kase('5. WATCH: sendInitialEvents of nothing, and from a version', async (t) => {
    const ns = await t.namespace();
    const empty = await t.watch(
      `${configMaps(ns)}?watch=true&labelSelector=set&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await empty.takeUntil(initialEnd);
    const made = await t.quiet.post(configMaps(ns), configMap('a', {}, marked()));
    const w = await t.watch(
      `${configMaps(ns)}?watch=true&labelSelector=set&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=${rv(made)}`,
    );
    await w.takeUntil(initialEnd);
    await t.quiet.delete(`${configMaps(ns)}/a`);
    await w.takeChange();
  }),
  kase('5. WATCH: sendInitialEvents of a CRD', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    await t.quiet.post(widgets(t.token, ns), widget(t.token, 'a', { spec: { size: 5 } }));
    const w = await t.watch(
      `${widgets(t.token, ns)}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await w.takeUntil(initialEnd);
  }),
  kase('5. WATCH: sendInitialEvents false', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', {}, marked()));
    const w = await t.watch(
      `${configMaps(ns)}?watch=true&labelSelector=set&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await t.quiet.post(configMaps(ns), configMap('b', {}, marked()));
    await w.takeChange();
  }),
  kase('5. WATCH: wrong options', async (t) => {
    const ns = await t.namespace();
    await t.get(`${configMaps(ns)}?watch=true&sendInitialEvents=true`);
    await t.get(`${configMaps(ns)}?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact`);
    await t.get(`${configMaps(ns)}?sendInitialEvents=true`);
    await t.get(`${configMaps(ns)}?watch=true&resourceVersionMatch=NotOlderThan`);
    await t.get(`${configMaps(ns)}?watch=true&resourceVersion=abc`);
    await t.get(`${configMaps(ns)}?watch=true&labelSelector=a%20b`);
    await t.get(`${configMaps(ns)}?watch=true&timeoutSeconds=soon`);
    await t.get(`${configMaps(ns)}?watch=true&continue=abc`);
  }),
  kase('watch from RV 1', async (t) => {
    await t.crd(crd(t.token)); // The watch window of this kind starts later than 1.
    const ns = await t.namespace();
    const w = await t.watch(`${widgets(t.token, ns)}?watch=true&resourceVersion=1`);
    await w.takeAll();
  }),
  kase('label moves out of selector', async (t) => {
    const ns = await t.namespace();
    const made = await t.quiet.post(configMaps(ns), configMap('a', { k: '1' }, marked()));
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(made)}&labelSelector=set%3Da`);
    await t.patch('merge', `${configMaps(ns)}/a`, { metadata: { labels: { set: 'b' } }, data: { k: '2' } });
    await w.take(1);
    await t.patch('merge', `${configMaps(ns)}/a`, { data: { k: '3' } });
    await t.patch('merge', `${configMaps(ns)}/a`, { metadata: { labels: { set: 'a' } } });
    await t.patch('merge', `${configMaps(ns)}/a`, { metadata: { labels: { set: 'b' } } });
    await t.delete(`${configMaps(ns)}/a`);
    await t.post(configMaps(ns), configMap('marker', {}, marked()));
    await w.takeUntilNamed('marker');
  }),
  kase('5. WATCH: a field selector is entered and left', async (t) => {
    const ns = await t.namespace();
    const list = await t.quiet.get(core(ns, 'pods'));
    const w = await t.watch(
      `${core(ns, 'pods')}?watch=true&resourceVersion=${rv(list)}&fieldSelector=status.phase%3DRunning`,
    );
    await t.quiet.post(core(ns, 'pods'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    for (const phase of ['Running', 'Succeeded'])
      await t.quiet.patch('merge', `${core(ns, 'pods')}/p/status`, { status: { phase } });
    await w.take(2);
  }),
  kase('5. WATCH: of one object by name', async (t) => {
    const ns = await t.namespace();
    const made = await t.quiet.post(configMaps(ns), configMap('a'));
    const w = await t.watch(`${configMaps(ns)}?watch=true&fieldSelector=metadata.name%3Da&resourceVersion=${rv(made)}`);
    await t.quiet.post(configMaps(ns), configMap('b'));
    await t.quiet.delete(`${configMaps(ns)}/a`);
    await w.take(1);
    const again = await t.quiet.post(configMaps(ns), configMap('a'));
    await w.take(1);
    const old = await t.watch(`/api/v1/watch/namespaces/${ns}/configmaps/a?resourceVersion=${rv(again)}`);
    await t.quiet.delete(`${configMaps(ns)}/a`);
    await old.take(1);
    await t.get(`${configMaps(ns)}/b?watch=true&timeoutSeconds=1`);
  }),
  kase('5. WATCH: finalizers make a deletion a change first', async (t) => {
    const ns = await t.namespace();
    const made = await t.quiet.post(configMaps(ns), configMap('a', {}, { finalizers: ['example.com/f'] }));
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(made)}`);
    await t.quiet.delete(`${configMaps(ns)}/a`);
    await t.quiet.patch('merge', `${configMaps(ns)}/a`, { metadata: { finalizers: null } });
    await w.take(2);
  }),
  kase('5. WATCH: over all namespaces', async (t) => {
    const one = await t.namespace('a');
    const two = await t.namespace('b');
    const list = await t.quiet.get('/api/v1/configmaps?limit=1');
    const w = await t.watch(`/api/v1/configmaps?watch=true&resourceVersion=${rv(list)}&labelSelector=all%3D${t.token}`);
    await t.quiet.post(configMaps(two), configMap('x', {}, { labels: { all: t.token } }));
    await t.quiet.post(configMaps(one), configMap('y', {}, { labels: { all: t.token } }));
    await w.take(2);
  }),
  kase('5. WATCH: as PartialObjectMetadata and as Table', async (t) => {
    const ns = await t.namespace();
    const made = await t.quiet.post(configMaps(ns), configMap('a', { k: '1' }));
    const path = `${configMaps(ns)}?watch=true&resourceVersion=${rv(made)}`;
    const partial = await t.watch(path, { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' });
    const table = await t.watch(path, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' });
    await t.quiet.patch('merge', `${configMaps(ns)}/a`, { data: { k: '2' } });
    await t.quiet.patch('merge', `${configMaps(ns)}/a`, { data: { k: '3' } });
    await partial.take(2);
    await table.take(2);
  }),
  kase('5. WATCH: ERROR events inside HTTP 200 as Table and as PartialObjectMetadata', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    for (const as of ['Table', 'PartialObjectMetadata']) {
      const w = await t.watch(`${widgets(t.token, ns)}?watch=true&resourceVersion=1`, {
        accept: `application/json;as=${as};g=meta.k8s.io;v=v1`,
      });
      await w.takeAll();
    }
  }),
  kase('5. WATCH: events split at random chunk boundaries', async (t) => {
    const ns = await t.namespace();
    const made = await t.quiet.post(configMaps(ns), configMap('a'));
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(made)}`);
    for (let i = 0; i < 3; i++) await t.quiet.post(configMaps(ns), configMap(`big${i}`, { k: 'ü€😀'.repeat(20_000) }));
    const events = await w.takeUntilNamed('big2');
    t.note(
      'lengths',
      events.map(({ object }) => (isObject(object['data']) ? String(object['data']['k']).length : 0)),
    );
    t.transcript.splice(t.transcript.length - 2, 1); // The length says enough about a megabyte of the same letters.
  }),
  kase('watch without RV, bookmarks on', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', {}, marked()));
    const w = await t.watch(`${configMaps(ns)}?watch=true&labelSelector=set&allowWatchBookmarks=true`);
    await w.take(1);
    await w.takeUntil(isBookmark);
  }),
  kase(
    'quiet watch from a given RV',
    async (t) => {
      const ns = await t.namespace();
      const made = await t.quiet.post(configMaps(ns), configMap('a', {}, marked()));
      const started = Date.now();
      const w = await t.watch(
        `${configMaps(ns)}?watch=true&labelSelector=set&resourceVersion=${rv(made)}&allowWatchBookmarks=true`,
      );
      await w.takeUntil(isBookmark, 'a bookmark', 90);
      const seconds = (Date.now() - started) / 1000;
      t.note('the first bookmark comes after about a minute', seconds > 45 && seconds < 80);
    },
    { slow: true },
  ),
  kase('5. WATCH: events of both groups are one storage', async (t) => {
    const ns = await t.namespace();
    const list = await t.quiet.get(core(ns, 'events'));
    const w = await t.watch(`/apis/events.k8s.io/v1/namespaces/${ns}/events?watch=true&resourceVersion=${rv(list)}`);
    await t.quiet.post(core(ns, 'events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: ns, name: 'p' },
      reason: 'R',
      message: 'M',
      type: 'Normal',
    });
    await w.take(1);
  }),
];
