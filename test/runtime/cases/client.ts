/** The client's verbs and the guarantees of the transport, on a server. */
import assert from 'node:assert/strict';
import { KubeError } from '../../../packages/kube/src/errors.ts';
import type { KubeObject } from '../../../packages/kube/src/object.ts';
import { Dice } from '../../conformance/dice.ts';
import type { RuntimeCase } from '../case.ts';
import { until } from '../until.ts';
import { widget, widgets } from '../widget.ts';

async function failing(work: Promise<unknown>): Promise<KubeError> {
  const error: unknown = await work.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof KubeError, String(error));
  return error;
}

export const clientCases: readonly RuntimeCase[] = [
  {
    id: 'P5',
    name: 'an object is created, read, changed in every way, and deleted',
    async run(harness) {
      const namespace = await harness.namespace('verbs');
      const client = harness.client();
      const made = await client.create(widgets, {
        metadata: { namespace, generateName: 'made-' },
        spec: { size: 1, color: 'red' },
      });
      const key = { namespace, name: made.metadata.name ?? '' };
      assert.match(key.name, /^made-.{5}$/);
      assert.deepEqual(await client.get(widgets, key), made);

      await client.update(widgets, { ...made, spec: { size: 2, color: 'red' } });
      await client.patch(widgets, key, { type: 'json', operations: [{ op: 'remove', path: '/spec/color' }] });
      await client.patch(widgets, key, { type: 'merge', body: { status: { seen: 7 } } }, { subresource: 'status' });
      const dry = await client.apply(widgets, { metadata: key, spec: { parts: [{ name: 'p' }] } } as KubeObject, {
        fieldManager: 'applier',
        dryRun: true,
      });
      assert.deepEqual(dry.spec, { size: 2, parts: [{ name: 'p' }] });
      const { spec, status } = await client.get(widgets, key);
      assert.deepEqual({ spec, status }, { spec: { size: 2 }, status: { seen: 7 } });

      const { uid } = made.metadata;
      assert.equal((await failing(client.delete(widgets, key, { uid: 'another' }))).kind, 'Conflict');
      assert.deepEqual(await client.delete(widgets, key, { ...(uid !== undefined && { uid }) }), { gone: true, uid });
      assert.equal((await failing(client.get(widgets, key))).kind, 'NotFound');
    },
  },
  {
    id: 'T5',
    name: 'refusals have the kind, the causes and the text of the server',
    async run(harness) {
      const namespace = await harness.namespace('refusals');
      const client = harness.client({ cluster: 'east' });
      const key = { namespace, name: 'a' };
      const first = await client.create(widgets, widget(namespace, 'a', { size: 1 }));
      const absent = await failing(client.get(widgets, { namespace, name: 'b' }));
      assert.deepEqual([absent.kind, absent.code], ['NotFound', 404]);
      const what = `widgets.test.ssvirt.io "${namespace}/b"`;
      assert.equal(absent.message, `cannot get ${what} in cluster east: widgets.test.ssvirt.io "b" not found`);
      assert.match(absent.auditId ?? '', /^[0-9a-f-]{36}$/);

      assert.equal((await failing(client.create(widgets, widget(namespace, 'a')))).kind, 'AlreadyExists');
      await client.update(widgets, { ...first, spec: { size: 2 } });
      assert.equal((await failing(client.update(widgets, { ...first, spec: { size: 3 } }))).kind, 'Conflict');

      const wrong = await failing(client.create(widgets, widget(namespace, 'c', { size: 'large' as never })));
      assert.equal(wrong.kind, 'Invalid');
      assert.ok(wrong.causes.some(({ field }) => field === 'spec.size'));

      await client.apply(widgets, widget(namespace, 'd', { color: 'red' }), { fieldManager: 'one' });
      const taken = client.apply(widgets, widget(namespace, 'd', { color: 'blue' }), { fieldManager: 'two' });
      const conflict = await failing(taken);
      assert.ok(conflict.kind === 'Conflict' && conflict.hasCause('FieldManagerConflict'));
      const forced = await client.apply(widgets, widget(namespace, 'd', { color: 'blue' }), {
        fieldManager: 'two',
        force: true,
      });
      assert.equal(forced.spec?.color, 'blue');

      const strategic = await failing(client.patch(widgets, key, { type: 'strategic', body: { spec: { size: 4 } } }));
      assert.equal(strategic.kind, 'UnsupportedMediaType');
      const strange = { ...widget(namespace, 'e'), unheardOf: 1 };
      assert.equal((await failing(client.create(widgets, strange))).kind, 'BadRequest', 'fields are checked strictly');
    },
  },
  {
    id: 'P5',
    name: 'a deletion that finalizers hold says so, and a selection is deleted at once',
    async run(harness) {
      const namespace = await harness.namespace('deletions');
      const client = harness.client();
      const held = widget(namespace, 'held');
      await client.create(widgets, { ...held, metadata: { ...held.metadata, finalizers: ['test.ssvirt.io/hold'] } });
      const key = { namespace, name: 'held' };
      const deleted = await client.delete(widgets, key, { propagationPolicy: 'Background' });
      assert.ok(!deleted.gone && deleted.object.metadata.deletionTimestamp !== undefined);
      await client.patch(widgets, key, { type: 'json', operations: [{ op: 'remove', path: '/metadata/finalizers' }] });
      assert.equal((await failing(client.get(widgets, key))).kind, 'NotFound');

      for (const [name, group] of [
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'y'],
      ] as const)
        await client.create(widgets, widget(namespace, name, {}, { group }));
      await client.deleteCollection(widgets, { namespace, labelSelector: 'group=x' });
      await until('the selection is gone', async () => {
        const { items } = await client.list(widgets, { namespace });
        return items.length === 1 && items[0]?.metadata.name === 'c';
      });
    },
  },
  {
    id: 'I7',
    name: 'metadata alone is read, listed and watched',
    async run(harness) {
      const namespace = await harness.namespace('metadata');
      const client = harness.client();
      const made = await client.create(widgets, widget(namespace, 'a', { size: 1 }, { l: 'v' }));
      const options = { namespace, metadataOnly: true };
      const one = await client.get(widgets, { namespace, name: 'a' }, { metadataOnly: true });
      const { items, resourceVersion } = await client.list(widgets, options);
      assert.equal(items.length, 1);
      const stream = await client.watch(widgets, { ...options, resourceVersion: '0' });
      let watched: KubeObject | undefined;
      for await (const batch of stream) {
        watched = batch[0]?.object;
        break;
      }
      for (const object of [one, items[0], watched]) {
        assert.deepEqual(object?.metadata, made.metadata);
        assert.deepEqual(Object.keys(object ?? {}).sort(), ['apiVersion', 'kind', 'metadata']);
      }
      assert.match(resourceVersion, /^\d+$/);
    },
  },
  {
    id: 'T6',
    name: 'a compressed list, and one that arrives in pieces, is the same list; so is a stream',
    async run(harness) {
      const namespace = await harness.namespace('bytes');
      const client = harness.client();
      const count = 60;
      const color = 'größe-字-🙂'.repeat(300);
      for (let index = 0; index < count; index++) {
        const name = `w-${String(index).padStart(3, '0')}`;
        await harness.direct.create(widgets, widget(namespace, name, { color }));
      }
      const { items: plain } = await harness.direct.list(widgets, { namespace });
      assert.equal(plain.length, count);
      const path = `/apis/test.ssvirt.io/v1/namespaces/${namespace}/widgets`;
      const raw = await client.request({ method: 'GET', path });
      assert.equal(raw.headers['content-encoding'], 'gzip');
      assert.deepEqual((raw.body as { items: unknown }).items, plain);
      const dice = new Dice(1);
      harness.proxy.add({ fault: { kind: 'split', random: () => dice.next() }, times: 2 });
      assert.deepEqual((await client.list(widgets, { namespace })).items, plain);
      const seen: KubeObject[] = [];
      for await (const batch of await client.watch(widgets, { namespace, resourceVersion: '0' })) {
        seen.push(...batch.map(({ object }) => object));
        if (seen.length >= count) break;
      }
      assert.deepEqual(
        seen.sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)),
        plain,
      );
      const paged: KubeObject[] = [];
      for await (const page of client.pages(widgets, { namespace, limit: 25 })) {
        assert.ok(page.items.length <= 25);
        paged.push(...page.items);
      }
      assert.deepEqual(paged, plain);
    },
  },
  {
    id: 'token rotation',
    name: 'token and authority change under a client that works, and no request fails',
    async run(harness) {
      const namespace = await harness.namespace('rotation');
      const proxy = await harness.newProxy();
      const credential = harness.credential(proxy);
      const client = harness.client({ source: credential });
      let failures = 0;
      let done = 0;
      const stop = new AbortController();
      const worker = async (name: string): Promise<void> => {
        await client.create(widgets, widget(namespace, name));
        while (!stop.signal.aborted) {
          await client
            .patch(widgets, { namespace, name }, { type: 'merge', body: { spec: { size: done } } })
            .catch(() => {
              failures++;
            });
          done++;
        }
      };
      const workers = ['a', 'b', 'c'].map(worker);
      for (let round = 1; round <= 5; round++) {
        const [oldToken, oldAuthority] = [credential.token, proxy.ca];
        credential.renewToken();
        proxy.expireToken(oldToken);
        // As in a rotation: clients trust the new authority before a server uses it.
        const next = await proxy.announceAuthority();
        credential.trust(oldAuthority, next.certificate);
        const from = done;
        await until('work goes on with both authorities', () => done >= from + 20);
        await proxy.showAuthority(next);
        credential.trust(proxy.ca);
        await until('work goes on with the new authority alone', () => done >= from + 40);
      }
      stop.abort();
      await Promise.all(workers);
      assert.equal(failures, 0);
    },
  },
  {
    id: 'T3',
    name: 'requests come through a server that throttles, and reads through one that resets',
    async run(harness) {
      const namespace = await harness.namespace('retries');
      const proxy = await harness.newProxy();
      const client = harness.client({ proxy });
      proxy.add({ fault: { kind: 'status', code: 429, retryAfterSeconds: 0 }, times: 3 });
      await client.create(widgets, widget(namespace, 'a'));
      proxy.add({ fault: { kind: 'reset' }, times: 2 });
      proxy.add({ fault: { kind: 'reset-in-line' }, times: 1 });
      assert.equal((await client.get(widgets, { namespace, name: 'a' })).metadata.name, 'a');
      const lost = widget(namespace, 'lost');
      proxy.add({ fault: { kind: 'lost-answer' }, times: 1 });
      assert.equal((await failing(client.create(widgets, lost))).kind, 'Unreachable');
      assert.equal((await failing(client.create(widgets, lost))).kind, 'AlreadyExists', 'it was done, and sent once');
    },
  },
  {
    id: 'P5',
    name: 'kinds are found by discovery, soon after their definition is there',
    async run(harness) {
      const client = harness.client();
      const definition = await harness.direct.typeOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
      assert.deepEqual(await client.typeOf('test.ssvirt.io/v1', 'Widget'), widgets);
      assert.deepEqual(await client.typeOf('v1', 'Namespace'), {
        group: '',
        version: 'v1',
        kind: 'Namespace',
        plural: 'namespaces',
        namespaced: false,
      });
      assert.equal((await failing(client.typeOf('late.ssvirt.io/v1', 'Latecomer'))).kind, 'NotFound');
      const names = { plural: 'latecomers', singular: 'latecomer', kind: 'Latecomer', listKind: 'LatecomerList' };
      const schema = { openAPIV3Schema: { type: 'object' } };
      await harness.direct.create(definition, {
        metadata: { name: 'latecomers.late.ssvirt.io' },
        spec: {
          group: 'late.ssvirt.io',
          scope: 'Cluster',
          names,
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      });
      await until('it is found', async () => {
        const type = await client.typeOf('late.ssvirt.io/v1', 'Latecomer');
        return type.plural === 'latecomers' && !type.namespaced;
      });
      await harness.direct.delete(definition, { name: 'latecomers.late.ssvirt.io' });
    },
  },
];
