/**
 * Caches on a server: own writes during a silent watch, and the parts of lists, metadata and selections that need a
 * server.
 */
import assert from 'node:assert/strict';
import { createInformers, type Informers } from '../../../packages/kube/src/informer/informers.ts';
import type { Informer } from '../../../packages/kube/src/informer/informer.ts';
import { withOwnWrites } from '../../../packages/kube/src/informer/own-writes.ts';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import type { RuntimeCase } from '../case.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { Harness } from '../harness.ts';
import { isStream } from '../seen-request.ts';
import { until } from '../until.ts';
import { widget, widgets, type Widget } from '../widget.ts';

interface Place {
  readonly harness: Harness;
  readonly proxy: FaultProxy;
  readonly namespace: string;
  readonly informers: Informers;
  /** The caches show its writes. */
  readonly client: Client;
  readonly informer: Informer<Widget>;
}

const quick = { backoff: { initialMs: 20, factor: 2, maxMs: 200, jitter: 1 } };

function cacheCase(id: string, name: string, run: (place: Place) => Promise<void>): RuntimeCase {
  return {
    id,
    name,
    async run(harness) {
      const proxy = await harness.newProxy();
      const namespace = await harness.namespace('cache');
      const bare = harness.client({ proxy });
      const informers = createInformers({ client: bare, reflector: quick });
      try {
        const informer = informers.informer(widgets, { namespaces: [namespace] });
        await informer.synced(AbortSignal.timeout(10_000));
        await run({ harness, proxy, namespace, informers, client: withOwnWrites(bare, informers), informer });
      } finally {
        await informers.stop();
        await bare.close();
        await proxy.stop();
      }
    },
  };
}

/** Silences the watch: from now on the cache learns only from the answers to own writes. */
async function hush({ proxy }: Place): Promise<void> {
  await until('a watch is open', () => proxy.openStreams() === 1);
  proxy.add({ fault: { kind: 'silence' }, match: isStream });
  proxy.strike({ kind: 'silence-in-stream' });
}

/** Revives the watch: the cache must become equal to the server. */
async function settled({ harness, proxy, namespace, informer }: Place): Promise<void> {
  proxy.clear();
  proxy.cutAll();
  const versions = (objects: readonly Widget[]): string =>
    objects
      .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
      .sort()
      .join();
  await until('the cache is the server', async () => {
    const { items } = await harness.direct.list(widgets, { namespace });
    return versions(items) === versions(informer.list());
  });
}

export const cacheCases: readonly RuntimeCase[] = [
  cacheCase('I9', 'every kind of own write is read at once while the watch is silent', async (place) => {
    const { client, namespace, informer } = place;
    await hush(place);
    const key = { namespace, name: 'mine' };
    const color = (): unknown => informer.get(key)?.spec?.color;
    const created = await client.create(widgets, widget(namespace, 'mine', { color: 'red' }));
    assert.equal(color(), 'red');
    await client.update(widgets, { ...created, spec: { color: 'green' } });
    assert.equal(color(), 'green');
    await client.patch(widgets, key, { type: 'merge', body: { spec: { color: 'blue' } } });
    assert.equal(color(), 'blue');
    const wanted = { metadata: key, spec: { color: 'gold' } };
    await client.apply(widgets, wanted, { fieldManager: 'case', force: true });
    assert.equal(color(), 'gold');
    const status = { type: 'merge', body: { status: { seen: 7 } } } as const;
    await client.patch(widgets, key, status, { subresource: 'status' });
    assert.equal(informer.get(key)?.status?.seen, 7);
    const dry = { type: 'merge', body: { spec: { color: 'never' } } } as const;
    await client.patch(widgets, key, dry, { dryRun: true });
    assert.equal(color(), 'gold', 'a dry run writes nothing');
    await client.delete(widgets, key);
    assert.equal(informer.get(key), undefined);
    await client.create(widgets, widget(namespace, 'mine', { color: 'again' }));
    assert.equal(color(), 'again');
    await settled(place);
  }),

  cacheCase('I9', 'a deletion that waits for finalizers shows at once, and so does its end', async (place) => {
    const { client, namespace, informer } = place;
    await hush(place);
    const key = { namespace, name: 'held' };
    const held = widget(namespace, 'held');
    await client.create(widgets, { ...held, metadata: { ...held.metadata, finalizers: ['test.ssvirt.io/hold'] } });
    await client.delete(widgets, key);
    assert.notEqual(informer.get(key)?.metadata.deletionTimestamp, undefined);
    await client.patch(widgets, key, { type: 'merge', body: { metadata: { finalizers: null } } });
    assert.equal(informer.get(key), undefined, 'with the last finalizer it is gone');
    await settled(place);
  }),

  cacheCase('I9', 'an own write moves an object between selections at once', async (place) => {
    const { client, namespace, informers } = place;
    const red = informers.informer(widgets, { namespaces: [namespace], labelSelector: 'color=red' });
    const blue = informers.informer(widgets, { namespaces: [namespace], labelSelector: 'color=blue' });
    await red.synced(AbortSignal.timeout(10_000));
    await blue.synced(AbortSignal.timeout(10_000));
    place.proxy.add({ fault: { kind: 'silence' }, match: isStream });
    place.proxy.strike({ kind: 'silence-in-stream' });
    await client.create(widgets, widget(namespace, 'moving', {}, { color: 'red' }));
    assert.deepEqual([red.size, blue.size], [1, 0]);
    const body = { metadata: { labels: { color: 'blue' } } };
    await client.patch(widgets, { namespace, name: 'moving' }, { type: 'merge', body });
    assert.deepEqual([red.size, blue.size], [0, 1]);
    await settled(place);
    assert.deepEqual([red.size, blue.size], [0, 1]);
  }),

  cacheCase('D3', 'an object that leaves a selection is deleted, and added when it comes back', async (place) => {
    const { harness, namespace, informers } = place;
    const red = informers.informer(widgets, { namespaces: [namespace], labelSelector: 'color=red' });
    const told: string[] = [];
    await red
      .addHandler({
        name: 'red',
        added: () => void told.push('added'),
        updated: () => void told.push('updated'),
        deleted: (_object, { finalStateUnknown }) => void told.push(finalStateUnknown ? 'lost' : 'deleted'),
      })
      .synced(AbortSignal.timeout(10_000));
    const label = (color: string): Promise<unknown> => {
      const body = { metadata: { labels: { color } } };
      return harness.direct.patch(widgets, { namespace, name: 'moving' }, { type: 'merge', body });
    };
    await harness.direct.create(widgets, widget(namespace, 'moving', {}, { color: 'red' }));
    await label('blue');
    await label('red');
    await until('all is told', () => told.length === 3);
    assert.deepEqual(told, ['added', 'deleted', 'added']);
  }),

  cacheCase('I7', 'a cache of metadata is filled by list and by watch-list, and follows', async (place) => {
    const { harness, namespace } = place;
    await harness.direct.create(widgets, widget(namespace, 'a', { color: 'red' }, { app: 'x' }));
    for (const watchList of [true, false]) {
      const informers = createInformers({ client: harness.direct, reflector: { ...quick, watchList } });
      try {
        const informer = informers.informer(widgets, { namespaces: [namespace], metadataOnly: true });
        await informer.synced(AbortSignal.timeout(10_000));
        const name = watchList ? 'b' : 'c';
        await harness.direct.create(widgets, widget(namespace, name, { color: 'red' }));
        await until('it follows', () => informer.get({ namespace, name }) !== undefined);
        for (const object of informer.list()) {
          assert.deepEqual(Object.keys(object).sort(), ['apiVersion', 'kind', 'metadata']);
          assert.equal(object.kind, 'Widget');
        }
        assert.equal(informer.get({ namespace, name: 'a' })?.metadata.labels?.['app'], 'x');
      } finally {
        await informers.stop();
      }
    }
  }),

  cacheCase('F5', 'a first sync is one watch-list, and a compacted watch another', async (place) => {
    const { harness, proxy, namespace, informer } = place;
    assert.deepEqual(streams(proxy), ['watch-list']);
    await harness.direct.create(widgets, widget(namespace, 'a'));
    await until('it follows', () => informer.size === 1);
    proxy.strike({ kind: 'error-event', code: 410 });
    await until('it streams again', () => streams(proxy).length === 2 && proxy.openStreams() === 1);
    await harness.direct.create(widgets, widget(namespace, 'b'));
    await until('it follows still', () => informer.size === 2);
    assert.deepEqual(streams(proxy), ['watch-list', 'watch-list']);
  }),

  cacheCase('F2', 'a list by pages is whole, and consistent while others write', async (place) => {
    const { harness, namespace } = place;
    for (let count = 0; count < 23; count++) await harness.direct.create(widgets, widget(namespace, `w${count}`));
    const reflector = { ...quick, watchList: false, lists: 'consistent' as const, pageSize: 5 };
    const informers = createInformers({ client: harness.direct, reflector });
    try {
      const informer = informers.informer(widgets, { namespaces: [namespace] });
      await Promise.all([
        informer.synced(AbortSignal.timeout(10_000)),
        harness.direct.create(widgets, widget(namespace, 'meanwhile')),
      ]);
      await until('all are there', () => informer.size === 24);
    } finally {
      await informers.stop();
    }
  }),
];

function streams(proxy: FaultProxy): readonly string[] {
  return proxy.requests(isStream).map(({ request }) => request.verb);
}
