/** The guard, when a cluster is swapped for another one at the same address, with the same certificates and token. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Client, WatchEvent } from '@ssvirt/kube/client/client';
import { isKind } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { until } from '../../../../../test/runtime/until.ts';
import { startMemberCluster, type MemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { requestIdentity } from './identity-request.ts';
import { guardedClient } from './guarded-client.ts';
import { IdentityGuard } from './identity-guard.ts';

const configMaps: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
const namespace = 'default';
const key = { namespace, name: 'kept' };

describe('a guarded client', () => {
  let cluster: MemberCluster;
  let guard: IdentityGuard;
  let client: Client;
  let asked = 0;
  let found: string[] = [];

  before(async () => {
    cluster = await startMemberCluster('guarded');
  });
  after(() => cluster.stop());

  beforeEach(async () => {
    const identity = await requestIdentity(cluster.client, {});
    found = [];
    guard = new IdentityGuard({
      cluster: 'guarded',
      identity,
      ask: (signal) => {
        asked++;
        return requestIdentity(cluster.client, signal === undefined ? {} : { signal });
      },
      changed: (uid) => found.push(uid),
    });
    client = guardedClient(cluster.client, guard);
    asked = 0;
    await cluster.client.create(configMaps, { metadata: key }).catch((error: unknown) => {
      if (!isKind(error, 'AlreadyExists')) throw error;
    });
  });

  const frozen = (call: Promise<unknown>): Promise<void> =>
    assert.rejects(call, (error) => isKind(error, 'Credentials') && /leads to/.test(error.message));

  test('asks nothing more than was asked while all is well', async () => {
    await client.get(configMaps, key);
    await client.patch(configMaps, key, { type: 'merge', body: { data: { a: 'b' } } });
    assert.equal(asked, 0);
  });

  test('hands a list on only when the cluster has said again who it is', async () => {
    const { items } = await client.list(configMaps, { namespace });
    assert.equal(asked, 1);
    assert.ok(items.some(({ metadata }) => metadata.name === 'kept'));
  });

  test('asks once for all who wait after a lost connection', async () => {
    guard.doubt();
    await Promise.all([1, 2, 3].map(() => client.get(configMaps, key)));
    assert.equal(asked, 1);
    assert.equal(guard.inDoubt, false);
  });

  test('gives up the waiting of one who is aborted, and not the question', async () => {
    guard.doubt();
    const waiting = client.get(configMaps, key, { signal: AbortSignal.abort() });
    await assert.rejects(waiting, (error) => isKind(error, 'Aborted'));
    await until('the doubt is settled', () => !guard.inDoubt);
  });

  test('lets no write, no list and no watch through to another cluster, and cuts the watch that there was', async () => {
    const { resourceVersion } = await client.list(configMaps, { namespace });
    const stream = await client.watch(configMaps, { namespace, resourceVersion });
    const events: WatchEvent<KubeObject>[] = [];
    const watching = (async () => {
      for await (const batch of stream) events.push(...batch);
    })();
    // A server that shuts down may end the watch cleanly or with an error.
    const ended = watching.catch(() => undefined);
    await cluster.swap();
    await ended;
    const create = client.create(configMaps, { metadata: { namespace, name: 'wrong' } });
    await frozen(create);
    await frozen(client.list(configMaps, { namespace }));
    await frozen(client.watch(configMaps, { namespace, resourceVersion }));
    await frozen(client.delete(configMaps, key));
    assert.deepEqual(events, []);
    assert.equal(found.length, 1);
    assert.equal(guard.frozenFor, found[0]);
    const { items } = await cluster.client.list(configMaps, { namespace });
    assert.ok(!items.some(({ metadata }) => metadata.name === 'wrong'));
  });

  test('takes no watch-list as true that another cluster has answered', async () => {
    // Another cluster takes over while no connection of ours is open.
    await cluster.swap();
    const stream = await client.watch(configMaps, {
      namespace,
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    });
    const read = async (): Promise<void> => {
      for await (const batch of stream)
        assert.ok(!batch.some(({ type }) => type === 'BOOKMARK'), 'the end of the initial events came through');
    };
    await frozen(read());
  });

  test('believes no "not found" of a cluster that is not in doubt yet', async () => {
    // A load balancer may close connections gracefully: nothing fails, and the next request reaches another server.
    await cluster.swap();
    await frozen(client.get(configMaps, key));
    guard.thaw();
    await frozen(client.delete(configMaps, key));
  });

  test('says "not found" where the cluster is the one that it was', async () => {
    const missing = client.get(configMaps, { namespace, name: 'never' });
    await assert.rejects(missing, (error) => isKind(error, 'NotFound'));
    assert.equal(asked, 1);
  });

  test('takes one proof for many that are made where nothing is found', async () => {
    const look = (): Promise<void> =>
      assert.rejects(client.get(configMaps, { namespace, name: 'never' }, { beforeMaking: true }), (error) =>
        isKind(error, 'NotFound'),
      );
    await look();
    assert.equal(asked, 1);
    const began = performance.now();
    for (let i = 0; i < 5; i++) await look();
    // One request for each second that this takes.
    assert.ok(asked <= 2 + (performance.now() - began) / 1000, `it was asked ${asked} times`);
    guard.doubt();
    const before = asked;
    await look();
    assert.ok(asked > before, 'a doubt was not settled');
  });

  test('believes no absence before something is made, where nothing was proven lately', async () => {
    await cluster.swap();
    await frozen(client.get(configMaps, key, { beforeMaking: true }));
  });

  test('hands out no watch that was answered while it froze', async () => {
    const { resourceVersion } = await client.list(configMaps, { namespace });
    cluster.faults.add({
      kind: 'latency',
      delayMs: 100,
      verbs: ['watch'],
      path: '/api/v1/namespaces/default/configmaps',
    });
    const opening = client.watch(configMaps, { namespace, resourceVersion });
    const opened = assert.rejects(opening, (error) => isKind(error, 'Credentials'));
    await until('it is on its way', () => cluster.faults.list().some(({ struck }) => struck > 0));
    guard.freeze('another');
    // The old cluster is back before the answer arrives: it is still unknown which of them answered.
    guard.thaw();
    await opened;
    cluster.faults.clear();
  });

  test('forgets a watch that is closed without having been read', async () => {
    const { resourceVersion } = await client.list(configMaps, { namespace });
    const stream = await client.watch(configMaps, { namespace, resourceVersion });
    assert.equal(guard.watches, 1);
    stream.close();
    assert.equal(guard.watches, 0);
  });

  test('works again when the old identity is back', async () => {
    guard.freeze('another');
    await frozen(client.get(configMaps, key));
    guard.thaw();
    await client.get(configMaps, key);
  });
});
