import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { Diary, scene, steady, wordFor } from '../../../../test/runtime/informer-scene.ts';
import type { ConfigMap } from '../../../../test/runtime/informer-scene.ts';
import { refuse, struck } from '../../../../test/runtime/kind-server.ts';
import { configMaps } from '../../../../test/runtime/scripted-scene.ts';
import { until } from '../../../../test/runtime/until.ts';
import { settle } from '../fake-clock.ts';
import type { KubeObject } from '../object.ts';
import type { Handler, Projection } from './informer.ts';
import { InformerHandle } from './informer-handle.ts';

const inTime = (): AbortSignal => AbortSignal.timeout(10_000);

test('D5: objects are projected before they are stored or told, those of a watch-list too', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '1', secret: 'x' });
  const projected: string[] = [];
  const keysOnly: Projection<ConfigMap, KubeObject & { readonly keys: readonly string[] }> = {
    name: 'keys',
    project: (object) => {
      projected.push(object.metadata.name ?? '');
      const { name, namespace, uid, resourceVersion } = object.metadata;
      const kept = { name, namespace, uid, resourceVersion } as Required<ConfigMap>['metadata'];
      return { metadata: kept, keys: Object.keys(object.data ?? {}) };
    },
  };
  const informer = informers.informer(configMaps, { projection: keysOnly });
  const notified: unknown[] = [];
  const handler: Handler<KubeObject> = {
    name: 'all',
    added: (object) => void notified.push(object),
    updated: (_before, after) => void notified.push(after),
    deleted: (object) => void notified.push(object),
  };
  await informer.addHandler(handler).synced(inTime());
  kind.put('a', { w: '2' });
  await until('the change is reported', () => notified.length === 2);
  assert.deepEqual(informer.get({ namespace: 'default', name: 'a' }), {
    metadata: { name: 'a', namespace: 'default', uid: 'uid-1', resourceVersion: '102' },
    keys: ['w'],
  });
  assert.deepEqual(
    (notified as { keys: string[] }[]).map(({ keys }) => keys),
    [['v', 'secret'], ['w']],
  );
  assert.deepEqual(projected, ['a', 'a'], 'once each');
});

test('D5: managedFields stay out, and items of lists look like those of watches', async (context) => {
  for (const watchList of [true, false]) {
    const { kind, informers } = await scene(context, { reflector: { ...steady, watchList } });
    kind.put('a', { v: '1' });
    const informer = informers.informer(configMaps);
    await informer.synced(inTime());
    const object = informer.list()[0];
    assert.equal(object?.metadata.managedFields, undefined);
    assert.deepEqual([object?.apiVersion, object?.kind], ['v1', 'ConfigMap']);
  }
});

test('D5: an object whose projection fails stays as it was, and holds up no other', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '1' });
  kind.put('b', { v: '1' });
  const strict: Projection<ConfigMap, ConfigMap> = {
    name: 'strict',
    project: (object) => {
      if (object.data?.['v'] === 'bad') throw new Error('bad');
      return object;
    },
  };
  const informer = informers.informer(configMaps, { projection: strict });
  await informer.synced(inTime());
  kind.put('a', { v: 'bad' });
  kind.put('b', { v: '2' });
  await until('b has changed', () => informer.list().map(wordFor).sort().join() === 'a1,b2');
  kind.compact();
  kind.endStreams();
  kind.put('c', { v: '1' });
  await until('c is there', () => informer.list().map(wordFor).sort().join() === 'a1,b2,c1');
});

test('D5: an object whose projection fails goes when it is deleted', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '1' });
  const strict: Projection<ConfigMap, ConfigMap> = {
    name: 'strict',
    project: (object) => {
      if (object.data?.['v'] === 'bad') throw new Error('bad');
      return object;
    },
  };
  const informer = informers.informer(configMaps, { projection: strict });
  const diary = new Diary();
  await informer.addHandler(diary).synced(inTime());
  kind.put('a', { v: 'bad' });
  kind.remove('a');
  kind.put('b', { v: '1' });
  await until('b is there', () => informer.list().some(({ metadata }) => metadata.name === 'b'));
  assert.deepEqual(informer.list().map(wordFor), ['b1']);
  await until('b is told', () => diary.lines.includes('+b1'));
  assert.deepEqual(diary.lines, ['+a1!', '-a1', '+b1'], 'as it was last known');
});

test('D6: whoever changes an object of the cache finds out in tests', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '1' });
  const informer = informers.informer(configMaps);
  await informer.synced(inTime());
  const object = informer.list()[0] as { data: Record<string, string>; metadata: { labels: Record<string, string> } };
  assert.throws(() => (object.data['v'] = '2'), TypeError);
  assert.throws(() => (object.metadata.labels['x'] = 'y'), TypeError);
});

test('D6: freezing is a matter of tests, and can be switched off', async (context) => {
  const { kind, informers } = await scene(context, { freeze: false });
  kind.put('a', { v: '1' });
  const informer = informers.informer(configMaps);
  await informer.synced(inTime());
  assert.equal(Object.isFrozen(informer.list()[0]), false);
});

test('I1: all who ask for the same share one watch, and late handlers get what is there', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '1' });
  const first = informers.informer(configMaps);
  const second = informers.informer(configMaps, {});
  await first.synced(inTime());
  const late = new Diary();
  const registration = second.addHandler(late);
  await registration.synced(inTime());
  kind.put('b', { v: '1' });
  await until('b is told', () => late.lines.length === 2);
  assert.deepEqual(late.lines, ['+a1!', '+b1']);
  assert.deepEqual(kind.verbs(), ['stream'], 'one request for both');
});

test('I1: another selection, namespace, projection or form is another watch', async (context) => {
  const { kind, informers } = await scene(context);
  const whole: Projection<ConfigMap, ConfigMap> = { name: 'other', project: (object) => object };
  const asked = [
    informers.informer(configMaps),
    informers.informer(configMaps, { labelSelector: 'app=x' }),
    informers.informer(configMaps, { fieldSelector: 'metadata.name=x' }),
    informers.informer(configMaps, { namespaces: ['default'] }),
    informers.informer(configMaps, { metadataOnly: true }),
    informers.informer(configMaps, { projection: whole }),
  ];
  await Promise.all(asked.map((informer) => informer.synced(inTime())));
  assert.equal(kind.calls.length, 6);
});

test('I2: a slow handler holds up no other, and its backlog can be seen', async (context) => {
  const { kind, informers, metric } = await scene(context);
  const informer = informers.informer(configMaps);
  await informer.synced(inTime());
  let goOn: (() => void) | undefined;
  const slow: Handler<ConfigMap> = {
    name: 'slow',
    added: () => new Promise<void>((resolve) => (goOn = resolve)),
    updated: () => undefined,
    deleted: () => undefined,
  };
  const held = informer.addHandler(slow);
  const quick = new Diary('quick');
  informer.addHandler(quick);
  for (const name of ['a', 'b', 'c']) kind.put(name, { v: '1' });
  await until('the quick one has all', () => quick.lines.length === 3);
  assert.equal(held.pending, 2);
  assert.equal(await metric('informer_handler_pending_events', { handler: 'slow' }), 2);
  for (let left = 2; left >= 0; left--) {
    goOn?.();
    goOn = undefined;
    await until('it takes the next', () => left === 0 || goOn !== undefined);
  }
  assert.equal(held.pending, 0);
});

test('I2: a handler that throws, now or later, is logged, counted and goes on with the next event', async (context) => {
  const logged: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(line) });
  const { kind, informers, metric } = await scene(context, { log });
  const informer = informers.informer(configMaps);
  const seen: string[] = [];
  const clumsy: Handler<ConfigMap> = {
    name: 'clumsy',
    added: (object) => {
      seen.push(wordFor(object));
      if (object.metadata.name === 'a') throw new Error('at once');
      return object.metadata.name === 'b' ? Promise.reject(new Error('later')) : undefined;
    },
    updated: () => undefined,
    deleted: () => undefined,
  };
  const quick = new Diary();
  informer.addHandler(clumsy);
  informer.addHandler(quick);
  await informer.synced(inTime());
  for (const name of ['a', 'b', 'c']) kind.put(name, { v: '1' });
  await until('both have all', () => seen.length === 3 && quick.lines.length === 3);
  assert.equal(logged.filter((line) => line.includes('"handler":"clumsy"')).length, 2);
  assert.equal(await metric('informer_handler_errors_total', { handler: 'clumsy' }), 2);
});

test('I3: an informer is synced with its first list, a handler when it has taken that list', async (context) => {
  const { kind, informers } = await scene(context);
  for (const name of ['a', 'b']) kind.put(name, { v: '1' });
  const informer = informers.informer(configMaps);
  let goOn: (() => void) | undefined;
  const slow: Handler<ConfigMap> = {
    name: 'slow',
    added: () => new Promise<void>((resolve) => (goOn = resolve)),
    updated: () => undefined,
    deleted: () => undefined,
  };
  const registration = informer.addHandler(slow);
  assert.deepEqual([informer.hasSynced, registration.hasSynced], [false, false]);
  await informer.synced(inTime());
  for (let taken = 0; taken < 2; taken++) {
    assert.equal(registration.hasSynced, false, `with ${taken} of 2`);
    await until('it has the next', () => goOn !== undefined);
    goOn?.();
    goOn = undefined;
  }
  await registration.synced(inTime());
  assert.equal(registration.hasSynced, true);
});

test('I3: a caller that waits for a cache can give up, and learns when there will be none', async (context) => {
  const { kind, informers } = await scene(context);
  kind.scripts.push((_call, response) => {
    refuse(response, 503);
    return true;
  });
  const informer = informers.informer(configMaps);
  const registration = informer.addHandler(new Diary());
  const leaving = new AbortController();
  const waits = informer.synced(leaving.signal);
  leaving.abort();
  await assert.rejects(waits, { kind: 'Aborted' });
  const stopped = assert.rejects(informer.synced(), /stopped before its first list/);
  const removed = assert.rejects(registration.synced(), /removed before it had taken/);
  await informers.stop();
  await stopped;
  await removed;
  assert.throws(() => informers.informer(configMaps), /were stopped/);
});

test('I4: an index may be added at any time and follows the watch', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { team: 'red' });
  const informer = informers.informer(configMaps);
  await informer.synced(inTime());
  informer.addIndex('team', ({ data }) => (data?.['team'] === undefined ? [] : [data['team']]));
  const names = (team: string): string =>
    informer
      .byIndex('team', team)
      .map((one) => one.metadata.name ?? '')
      .sort()
      .join();
  assert.equal(names('red'), 'a');
  kind.put('b', { team: 'red' });
  kind.put('a', { team: 'blue' });
  await until('the index has followed', () => names('red') === 'b' && names('blue') === 'a');
});

test('I5: a resync tells every object again out of the cache, and never talks to the server', async (context) => {
  const { kind, informers, clock } = await scene(context, { reflector: { random: () => 0.5 } });
  kind.put('a', { v: '1' });
  const informer = informers.informer(configMaps, { resyncMs: 60_000 });
  const diary = new Diary();
  const other = new Diary();
  await informer.addHandler(diary).synced(inTime());
  await informers.informer(configMaps).addHandler(other).synced(inTime());
  await clock.advance(59_000);
  assert.deepEqual(diary.lines, ['+a1!']);
  await clock.advance(61_000);
  await until('both rounds are told', () => diary.lines.length === 3);
  assert.deepEqual(diary.lines, ['+a1!', '=a1', '=a1']);
  assert.deepEqual(other.lines, ['+a1!'], 'only those who asked for it');
  assert.deepEqual(kind.verbs(), ['stream']);
});

test('I5: a resync is at most one a second, and differs by a tenth', async (context) => {
  const { kind, informers, clock } = await scene(context, { reflector: { random: () => 0 } });
  kind.put('a', { v: '1' });
  const diary = new Diary();
  await informers.informer(configMaps, { resyncMs: 1 }).addHandler(diary).synced(inTime());
  await clock.advance(899);
  assert.deepEqual(diary.lines, ['+a1!']);
  await clock.advance(2);
  await until('it is reported', () => diary.lines.length === 2);
});

test('I6: selectors reach the server, and several namespaces are several watches behind one informer', async (context) => {
  const { kind, informers } = await scene(context);
  for (const namespace of ['east', 'west', 'north'])
    kind.put('a', { v: namespace }, { namespace, labels: { app: 'x' } });
  kind.put('b', { v: '1' }, { namespace: 'east' });
  const informer = informers.informer(configMaps, { namespaces: ['east', 'west'], labelSelector: 'app=x' });
  const diary = new Diary();
  await informer.addHandler(diary).synced(inTime());
  assert.deepEqual(diary.lines.toSorted(), ['+aeast!', '+awest!']);
  assert.deepEqual(kind.calls.map(({ path, query }) => `${path} ${query['labelSelector']}`).sort(), [
    '/api/v1/namespaces/east/configmaps app=x',
    '/api/v1/namespaces/west/configmaps app=x',
  ]);
  assert.equal(informer.list('west').length, 1);
  assert.throws(() => informers.informer(configMaps, { namespaces: [] }), /namespaces is empty/);
});

test('I6: a namespace that is closed to us stops no other, and is seen', async (context) => {
  const { kind, informers, clock } = await scene(context);
  kind.put('a', { v: '1' }, { namespace: 'open' });
  kind.put('b', { v: '1' }, { namespace: 'closed' });
  let closed = true;
  kind.scripts.push((call, response) => {
    if (!closed || !call.path.includes('/closed/')) return false;
    refuse(response, 403);
    return true;
  });
  const informer = informers.informer(configMaps, { namespaces: ['closed', 'open'] });
  const diary = new Diary();
  await informer.addHandler(diary).synced(inTime());
  assert.deepEqual(diary.lines, ['+a1!']);
  const health = informer.health();
  assert.deepEqual([informer.hasSynced, health.synced, health.trouble], [true, false, 'forbidden']);
  const covered = (): readonly boolean[] => ['open', 'closed', 'other', undefined].map((one) => informer.covers(one));
  assert.deepEqual(covered(), [true, false, false, false], 'of the closed one nothing is known, so nothing is gone');
  closed = false;
  await clock.advance(60_000);
  await until('it is open', () => diary.lines.length === 2);
  await until('health says so', () => informer.health().trouble === 'none' && informer.health().synced);
  assert.deepEqual(covered(), [true, true, false, true]);
});

test('I7: a watch of metadata asks for metadata and keeps no more, even where the server sends all', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '1' });
  const informer = informers.informer(configMaps, { metadataOnly: true });
  await informer.synced(inTime());
  assert.match(kind.calls[0]?.accept ?? '', /as=PartialObjectMetadata;g=meta\.k8s\.io;v=v1/);
  const partial = { ...kind.put('b', { v: '1' }), apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
  kind.send({ type: 'MODIFIED', object: { ...partial, metadata: { ...partial.metadata, resourceVersion: '300' } } });
  await until('both are there', () => informer.health().lastSyncResourceVersion === '300');
  for (const object of informer.list())
    assert.deepEqual(Object.keys(object).sort(), ['apiVersion', 'kind', 'metadata'], object.metadata.name);
  assert.deepEqual(
    informer.list().map((object) => object.kind),
    ['ConfigMap', 'ConfigMap'],
  );
});

test('I8: the last one to release an informer ends its watch and frees what it held', async (context) => {
  const { kind, informers, metric } = await scene(context);
  kind.put('a', { v: '1' });
  const first = informers.informer(configMaps);
  const second = informers.informer(configMaps);
  const diary = new Diary();
  await first.addHandler(diary).synced(inTime());
  assert.equal(await metric('informer_objects'), 1);
  first.release();
  first.release();
  await settle();
  assert.equal(kind.streams.size, 1, 'the second needs it still');
  kind.put('b', { v: '1' });
  await until('it goes on', () => second.size === 2);
  assert.deepEqual(diary.lines, ['+a1!'], 'but the handlers of the first are gone');
  assert.throws(() => first.addHandler(diary), /released/);
  second.release();
  await until('the stream is closed', () => kind.streams.size === 0);
  await until('it is empty', () => second.size === 0);
  assert.equal(await metric('informer_objects'), undefined);
  assert.deepEqual(informers.healths(), []);
  const again = informers.informer(configMaps);
  await again.synced(inTime());
  assert.equal(again.size, 2);
});

test('I8: a cache that was stopped says of no object that it is gone', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '1' });
  const informer = informers.informer(configMaps);
  await informer.synced(inTime());
  const stopping = informers.stop();
  assert.throws(() => informer.get({ namespace: 'default', name: 'a' }), /was stopped/, 'at once');
  await stopping;
  assert.throws(() => informer.get({ namespace: 'default', name: 'a' }), /was stopped/);
  assert.throws(() => informer.list(), /was stopped/);
  assert.throws(() => informer.byIndex('namespace', 'default'), /was stopped/);
  assert.throws(() => informer.addHandler(new Diary()), /was stopped/, 'and keeps nobody waiting for a first list');
});

test('I8: with the caches of a cluster the resyncs of its handlers end', async (context) => {
  const { kind, informers, clock } = await scene(context);
  kind.put('a', { v: '1' });
  await informers.informer(configMaps, { resyncMs: 60_000 }).addHandler(new Diary()).synced(inTime());
  assert.ok(clock.timers > 0);
  await informers.stop();
  assert.equal(clock.timers, 0);
});

test('events out of order: the states that a handler sees of a thousand updates are a subsequence', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '0' });
  const informer = informers.informer(configMaps);
  const seen: number[] = [];
  let running = 0;
  const handler: Handler<ConfigMap> = {
    name: 'steady',
    added: () => undefined,
    updated: async (before, after) => {
      assert.equal(++running, 1, 'one at a time');
      assert.ok(Number(before.data?.['v']) < Number(after.data?.['v']));
      await Promise.resolve();
      seen.push(Number(after.data?.['v']));
      running--;
    },
    deleted: () => undefined,
  };
  await informer.addHandler(handler).synced(inTime());
  for (let count = 1; count <= 1_000; count++) {
    kind.put('a', { v: String(count) });
    if (count % 250 === 0) {
      kind.endStreams();
      await until('it watches again', () => kind.streams.size === 1);
    }
  }
  await until('the last is seen', () => seen.at(-1) === 1_000);
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b),
  );
  assert.equal(new Set(seen).size, seen.length, 'none twice');
});

test('memory growth: of names that come and go nothing is kept', async (context) => {
  const { kind, informers } = await scene(context);
  const informer = informers.informer(configMaps);
  informer.addIndex('v', ({ data }) => [data?.['v'] ?? '']);
  let handled = 0;
  const count = (): void => void handled++;
  await informer.addHandler({ name: 'counter', added: count, updated: count, deleted: count }).synced(inTime());
  const churn = 5_000;
  for (let round = 0; round < churn; round++) {
    const { metadata } = kind.put(`generated-${round}`, { v: String(round) });
    // Half of the objects are own writes and a quarter own deletions; responses come before or after the events.
    const key = { namespace: 'default', name: metadata.name };
    if (round % 2 === 0) informers.written(configMaps, { metadata });
    if (round % 4 === 0) informers.deleted(configMaps, key, metadata.uid);
    kind.remove(metadata.name);
    if (round % 500 === 0) await until('the handler keeps up', () => handled >= round);
  }
  kind.bookmark();
  await until('all is over', () => informer.health().lastSyncResourceVersion === String(kind.revision));
  await until('all is told', () => handled >= churn * 2);
  assert.equal(informer.size, 0);
  assert.ok(informer instanceof InformerHandle);
  assert.deepEqual(informer.memory(), { objects: 0, indexedValues: 0, remembered: 0 });
});

test('bounded turns: a big list is delivered to a handler in turns, so that others get theirs', async (context) => {
  const { kind, informers } = await scene(context, { freeze: false });
  for (let count = 0; count < 2_000; count++) kind.put(`o${count}`, { v: '1' });
  const informer = informers.informer(configMaps);
  await informer.synced(inTime());
  const turns = new Set<number>();
  let turn = 0;
  let notified = 0;
  const tick = (): void => {
    turn++;
    if (notified < 2_000) setImmediate(tick);
  };
  setImmediate(tick);
  const busy: Handler<ConfigMap> = {
    name: 'busy',
    added: () => {
      notified++;
      turns.add(turn);
      const end = performance.now() + 0.02;
      while (performance.now() < end);
    },
    updated: () => undefined,
    deleted: () => undefined,
  };
  await informer.addHandler(busy).synced(inTime());
  assert.equal(notified, 2_000);
  assert.ok(turns.size > 2, `it took ${turns.size} turns`);
});

test('memory growth: of a cluster that has left no series stays', async (context) => {
  const { kind, informers, clock, metric } = await scene(context);
  kind.put('a', { v: '1' });
  kind.scripts.push(struck('stream', 1, (response) => refuse(response, 503)));
  const informer = informers.informer(configMaps);
  const clumsy = new Diary('clumsy');
  clumsy.added = () => {
    throw new Error('clumsy');
  };
  const registration = informer.addHandler(clumsy);
  await until('it pauses', () => informer.health().state === 'backoff');
  await clock.advance(clock.next ?? 0);
  const names = [
    'reflector_lists_total',
    'reflector_list_duration_seconds',
    'reflector_items_per_list',
    'reflector_watches_total',
    'reflector_failures_total',
    'reflector_consecutive_failures',
    'reflector_synced',
    'reflector_last_activity_timestamp_seconds',
    'informer_objects',
    'informer_handler_pending_events',
    'informer_handler_errors_total',
  ];
  await registration.synced(inTime());
  for (const name of names) assert.notEqual(await metric(name), undefined, name);
  await informers.stop();
  for (const name of names) assert.equal(await metric(name), undefined, name);
});
