import { configMap, configMaps, core, crd, groupOf, widget, widgets } from '../builders.ts';
import { kase } from '../kase.ts';
import { at, rv, uid } from '../script.ts';
import type { Case } from '../script.ts';
import type { HttpAnswer } from '../http.ts';
import type { JsonObject } from '../../../packages/sandbox/src/values/json.ts';

const ownedBy = (owner: HttpAnswer, rest: JsonObject = {}): JsonObject => ({
  ownerReferences: [
    {
      apiVersion: String(at(owner, 'apiVersion')),
      kind: String(at(owner, 'kind')),
      name: String(at(owner, 'metadata', 'name')),
      uid: uid(owner),
      ...rest,
    },
  ],
});
const gone = ({ status }: HttpAnswer): boolean => status === 404;
const options = (propagationPolicy: string): JsonObject => ({
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  propagationPolicy,
});

export const collection: Case[] = [
  kase('11. GC simulation switchable: background', async (t) => {
    const ns = await t.namespace();
    const owner = await t.post(configMaps(ns), configMap('owner'));
    const child = await t.post(configMaps(ns), configMap('child', {}, ownedBy(owner)));
    await t.post(core(ns, 'secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'grandchild', ...ownedBy(child) },
    });
    await t.delete(`${configMaps(ns)}/owner`, options('Background'));
    await t.until(`${configMaps(ns)}/child`, gone);
    await t.until(`${core(ns, 'secrets')}/grandchild`, gone);
  }),
  kase('11. GC simulation switchable: foreground', async (t) => {
    const ns = await t.namespace();
    const owner = await t.post(configMaps(ns), configMap('owner'));
    await t.post(
      configMaps(ns),
      configMap(
        'blocking',
        {},
        { ...ownedBy(owner, { blockOwnerDeletion: true, controller: true }), finalizers: ['example.com/hold'] },
      ),
    );
    await t.post(configMaps(ns), configMap('other', {}, ownedBy(owner)));
    await t.delete(`${configMaps(ns)}/owner`, options('Foreground'));
    await t.until(`${configMaps(ns)}/other`, gone);
    await t.until(`${configMaps(ns)}/blocking`, (answer) => at(answer, 'metadata', 'deletionTimestamp') !== undefined);
    await t.get(`${configMaps(ns)}/owner`);
    await t.patch('merge', `${configMaps(ns)}/blocking`, { metadata: { finalizers: null } });
    await t.until(`${configMaps(ns)}/owner`, gone);
  }),
  kase('11. GC simulation switchable: orphan', async (t) => {
    const ns = await t.namespace();
    const owner = await t.post(configMaps(ns), configMap('owner'));
    await t.post(configMaps(ns), configMap('child', {}, ownedBy(owner)));
    await t.delete(`${configMaps(ns)}/owner`, options('Orphan'));
    await t.until(`${configMaps(ns)}/owner`, gone);
    await t.until(`${configMaps(ns)}/child`, (answer) => at(answer, 'metadata', 'ownerReferences') === undefined);
  }),
  kase('11. GC simulation switchable: a child of two owners stays while one is left', async (t) => {
    const ns = await t.namespace();
    const one = await t.quiet.post(configMaps(ns), configMap('one'));
    const two = await t.quiet.post(configMaps(ns), configMap('two'));
    const references = [
      ...(ownedBy(one)['ownerReferences'] as JsonObject[]),
      ...(ownedBy(two)['ownerReferences'] as JsonObject[]),
    ];
    await t.quiet.post(configMaps(ns), configMap('child', {}, { ownerReferences: references }));
    await t.delete(`${configMaps(ns)}/one`);
    await t.until(
      `${configMaps(ns)}/child`,
      (answer) => (at(answer, 'metadata', 'ownerReferences') as unknown[]).length === 1,
    );
    await t.delete(`${configMaps(ns)}/two`);
    await t.until(`${configMaps(ns)}/child`, gone);
  }),
  kase('11. GC simulation switchable: an owner that never was', async (t) => {
    const ns = await t.namespace();
    await t.post(
      configMaps(ns),
      configMap(
        'child',
        {},
        {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: '11111111-2222-4333-8444-555555555555' },
          ],
        },
      ),
    );
    await t.until(`${configMaps(ns)}/child`, gone);
    await t.quiet.post(configMaps(ns), configMap('present'));
    await t.post(
      configMaps(ns),
      configMap(
        'wrong-uid',
        {},
        {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'present', uid: '11111111-2222-4333-8444-666666666666' },
          ],
        },
      ),
    );
    await t.until(`${configMaps(ns)}/wrong-uid`, gone);
    await t.get(`${configMaps(ns)}/present`);
  }),
  kase('11. GC simulation switchable: an owner in another namespace', async (t) => {
    const one = await t.namespace('a');
    const two = await t.namespace('b');
    const owner = await t.quiet.post(configMaps(one), configMap('owner'));
    await t.post(configMaps(two), configMap('child', {}, ownedBy(owner)));
    await t.until(`${configMaps(two)}/child`, gone);
    await t.get(`${configMaps(one)}/owner`);
  }),
  kase('11. GC simulation switchable: an owner of cluster scope', async (t) => {
    const ns = await t.namespace();
    const owner = await t.quiet.post('/apis/storage.k8s.io/v1/storageclasses', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: `sc-${t.token}` },
      provisioner: 'example.com/p',
    });
    await t.quiet.post(configMaps(ns), configMap('child', {}, ownedBy(owner)));
    await t.delete(`/apis/storage.k8s.io/v1/storageclasses/sc-${t.token}`);
    await t.until(`${configMaps(ns)}/child`, gone);
  }),
  kase('11. GC simulation switchable: the events that a watcher sees of a foreground deletion', async (t) => {
    const ns = await t.namespace();
    const owner = await t.quiet.post(configMaps(ns), configMap('owner'));
    const child = await t.quiet.post(
      configMaps(ns),
      configMap('child', {}, ownedBy(owner, { blockOwnerDeletion: true })),
    );
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(child)}`);
    await t.quiet.delete(`${configMaps(ns)}/owner`, options('Foreground'));
    await w.take(3);
  }),
  kase('11. GC simulation switchable: the events that a watcher sees of an orphaning deletion', async (t) => {
    const ns = await t.namespace();
    const owner = await t.quiet.post(configMaps(ns), configMap('owner'));
    const child = await t.quiet.post(configMaps(ns), configMap('child', {}, ownedBy(owner)));
    const w = await t.watch(`${configMaps(ns)}?watch=true&resourceVersion=${rv(child)}`);
    await t.quiet.delete(`${configMaps(ns)}/owner`, options('Orphan'));
    await w.take(3);
  }),
  kase(
    '11. GC simulation switchable: custom resources',
    async (t) => {
      await t.crd(crd(t.token));
      const ns = await t.namespace();
      const owner = await t.quiet.post(widgets(t.token, ns), widget(t.token, 'owner'));
      await t.quiet.post(widgets(t.token, ns), widget(t.token, 'child', {}, ownedBy(owner)));
      await t.quiet.post(configMaps(ns), configMap('map', {}, ownedBy(owner)));
      await t.delete(`${widgets(t.token, ns)}/owner`, options('Foreground'));
      for (const path of [`${widgets(t.token, ns)}/child`, `${configMaps(ns)}/map`, `${widgets(t.token, ns)}/owner`]) {
        const answer = await t.eventually(path, gone);
        t.note(`${groupOf(t.token)} ${path.split('/').at(-1)}`, answer.status);
      }
    },
    { slow: true },
  ),
  kase('11. GC simulation switchable: namespace deletion', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a'));
    await t.delete(`/api/v1/namespaces/${ns}`);
    await t.until(`/api/v1/namespaces/${ns}`, gone);
    await t.get(`${configMaps(ns)}/a`);
    await t.get(configMaps(ns));
  }),
  kase('11. GC simulation switchable: a namespace that is held by a finalizer in it', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('held', {}, { finalizers: ['example.com/hold'] }));
    await t.delete(`/api/v1/namespaces/${ns}`);
    await t.post(configMaps(ns), configMap('late'));
    await t.apply(`${configMaps(ns)}/later`, 'm', configMap('later'));
    await t.until(`/api/v1/namespaces/${ns}`, (answer) => {
      const conditions = JSON.stringify(at(answer, 'status', 'conditions') ?? []);
      return (
        conditions.includes('"NamespaceFinalizersRemaining","status":"True"') ||
        conditions.includes('SomeFinalizersRemain')
      );
    });
    await t.delete(`/api/v1/namespaces/${ns}`);
    await t.patch('merge', `${configMaps(ns)}/held`, { metadata: { finalizers: null } });
    await t.until(`/api/v1/namespaces/${ns}`, gone);
  }),
  kase('11. GC simulation switchable: namespaces that cannot be deleted', async (t) => {
    await t.delete('/api/v1/namespaces/default?dryRun=All');
    await t.delete('/api/v1/namespaces/kube-system?dryRun=All');
    await t.delete(`/api/v1/namespaces/none-${t.token}`);
  }),
  kase('11. GC simulation switchable: a namespace with a finalizer of its own', async (t) => {
    const name = `own-${t.token}`;
    await t.quiet.post('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, finalizers: ['example.com/hold'] },
    });
    await t.delete(`/api/v1/namespaces/${name}`);
    await t.until(
      `/api/v1/namespaces/${name}`,
      (answer) => Array.isArray(at(answer, 'status', 'conditions')) && at(answer, 'spec', 'finalizers') === undefined,
    );
    await t.patch('merge', `/api/v1/namespaces/${name}`, { metadata: { finalizers: null } });
    await t.until(`/api/v1/namespaces/${name}`, gone);
  }),
];
