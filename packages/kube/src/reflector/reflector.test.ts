import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { configMaps } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import { until } from '../../../../test/runtime/until.ts';
import type { Informer } from '../informer/informer.ts';
import type { InformersOptions } from '../informer/informers.ts';
import { Diary, scene, steady, wordFor } from '../../../../test/runtime/informer-scene.ts';
import type { ConfigMap, Scene } from '../../../../test/runtime/informer-scene.ts';
import {
  bookmarkAt,
  endOfInitialEvents,
  openStream,
  refuse,
  sendList,
  struck,
  writeLine,
} from '../../../../test/runtime/kind-server.ts';
import type { Verb } from '../../../../test/runtime/kind-server.ts';

interface Play extends Scene {
  readonly informer: Informer<ConfigMap>;
  readonly diary: Diary;
}

/** A scene after the first list. */
async function play(
  context: TestContext,
  options: Partial<InformersOptions> = {},
  prepare?: (scene: Scene) => void,
): Promise<Play> {
  const place = await scene(context, options);
  place.kind.put('a', { v: '1' });
  prepare?.(place);
  const informer = place.informers.informer(configMaps);
  const diary = new Diary();
  informer.addHandler(diary);
  await until('the first list is in', () => informer.hasSynced);
  return { ...place, informer, diary };
}

const names = (informer: Informer<ConfigMap>): readonly string[] => informer.list().map(wordFor).sort();

/** Waits until the server has an open stream. */
const watching = ({ kind }: Scene, verb: Verb, calls: number): Promise<void> =>
  until(`there are ${calls} calls of ${verb} and a stream`, () => {
    return kind.calls.filter((call) => call.verb === verb).length === calls && kind.streams.size === 1;
  });

/** Delivers an event on the watch, so that its end does not count as that of a watch that never worked. */
async function stir({ kind, informer }: Play): Promise<void> {
  const { resourceVersion } = kind.put('a', { v: '2' }).metadata;
  await until('the watch moved', () => informer.health().lastSyncResourceVersion === resourceVersion);
}

/** Resolves to the length of the reflector's current pause, and advances the clock to its end. */
async function pause({ clock, informer }: Play): Promise<number> {
  await until('it pauses', () => informer.health().state === 'backoff');
  const milliseconds = clock.next ?? Number.NaN;
  await clock.advance(milliseconds);
  return Math.round(milliseconds);
}

const withLists = { reflector: { ...steady, watchList: false } };

test('F1: the first list may be cached, a relist is not older than what was seen, after 410 the version is unset and then back', async (context) => {
  const place = await play(context, withLists);
  const { kind, informer } = place;
  await watching(place, 'watch', 1);
  await stir(place);
  kind.silently(() => kind.put('b', { v: '1' }));
  kind.compact();
  kind.scripts.push(struck('list', 1, (response) => refuse(response, 410)));
  kind.endStreams();
  await until('it has listed', () => names(informer).join() === 'a2,b1');
  await until('it watches', () => kind.streams.size === 1);
  kind.silently(() => kind.put('c', { v: '1' }));
  kind.compact();
  kind.endStreams();
  // Both a watch that ended at once and a 410 right after a list cause a backoff.
  await pause(place);
  await pause(place);
  await until('it has listed again', () => names(informer).join() === 'a2,b1,c1');
  const asked = kind.calls
    .filter(({ verb }) => verb === 'list')
    .map(({ query }) => query['resourceVersion'] ?? 'unset');
  assert.deepEqual(asked, ['0', '102', 'unset', '103']);
  const [, relist] = kind.calls.filter(({ verb }) => verb === 'list');
  assert.equal(relist?.query['resourceVersionMatch'], 'NotOlderThan');
});

test('F1: a version that the server has not reached leads to the newest list', async (context) => {
  const place = await play(context, withLists);
  const { kind, informer } = place;
  await watching(place, 'watch', 1);
  await stir(place);
  kind.silently(() => kind.put('b', { v: '1' }));
  kind.compact();
  const tooLarge = {
    kind: 'Status',
    code: 504,
    reason: 'Timeout',
    message: 'Too large resource version: 101, current: 50',
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
  };
  kind.scripts.push(struck('list', 1, (response) => sendJson(response, 504, tooLarge)));
  kind.endStreams();
  await until('it has listed', () => names(informer).join() === 'a2,b1');
  assert.deepEqual(
    kind.calls.filter(({ verb }) => verb === 'list').map(({ query }) => query['resourceVersion'] ?? 'unset'),
    ['0', '102', 'unset'],
  );
});

test('F1: a list from a replica that lags is refused, and nothing is taken for deleted', async (context) => {
  const place = await play(context, withLists);
  const { kind, informer, diary } = place;
  await watching(place, 'watch', 1);
  kind.put('b', { v: '1' });
  await until('b is there', () => informer.size === 2);
  kind.silently(() => kind.put('c', { v: '1' }));
  kind.compact();
  kind.scripts.push(struck('list', 1, (response) => sendList(response, [], '50')));
  kind.endStreams();
  await pause(place);
  await until('it has listed', () => informer.size === 3);
  assert.deepEqual(diary.lines, ['+a1!', '+b1', '+c1']);
  assert.equal(kind.calls.filter(({ verb }) => verb === 'list').at(-1)?.query['resourceVersion'], undefined);
});

test('F1: a server whose time went back is believed when the newest list says so twice', async (context) => {
  const place = await play(context, { reflector: steady });
  const { kind, informer } = place;
  kind.put('b', { v: '1' });
  await until('b is there', () => informer.size === 2);
  // etcd is restored to a state before b, and the same versions are assigned again.
  kind.silently(() => {
    kind.objects.delete('default/b');
    kind.revision = 40;
    kind.put('a', { v: 'restored' });
  });
  kind.compact();
  kind.scripts.push(struck('watch', 1, (response) => refuse(response, 410)));
  kind.endStreams();
  // The first request is for a list not older than the known version, the second for the newest. The first response is
  // doubted, the second believed.
  await pause(place);
  await until('the past is the present', () => names(informer).join() === 'arestored');
  assert.equal(informer.health().lastSyncResourceVersion, '41');
  kind.put('d', { v: '1' });
  await until('events follow', () => names(informer).join() === 'arestored,d1');
});

test('F1: a watch that goes back in time leads to the newest list, which is believed', async (context) => {
  const place = await play(context);
  const { kind, informer } = place;
  kind.put('b', { v: '1' });
  await until('b is there', () => informer.size === 2);
  kind.revision = 40;
  kind.put('a', { v: 'restored' });
  await pause(place);
  await until('the past is the present', () => names(informer).join() === 'arestored,b1');
  assert.deepEqual(kind.verbs(), ['stream', 'stream']);
  assert.equal(kind.calls.at(-1)?.query['resourceVersion'], undefined);
});

test('F1: a consistent reader never asks for anything but the newest', async (context) => {
  const place = await scene(context, withLists);
  place.kind.put('a', { v: '1' });
  const informer = place.informers.informer(configMaps, { consistent: true });
  await informer.synced(AbortSignal.timeout(5_000));
  assert.equal(place.kind.calls[0]?.query['resourceVersion'], undefined);
  assert.equal(place.kind.calls[0]?.query['limit'], '500');
});

test('F2: pages where the server reads from etcd, all at once where its cache can answer', async (context) => {
  const options = { reflector: { ...steady, watchList: false, lists: 'consistent' as const, pageSize: 2 } };
  const place = await play(context, options, ({ kind }) => {
    for (const name of ['b', 'c', 'd', 'e']) kind.put(name, { v: '1' });
  });
  assert.equal(place.informer.size, 5);
  const lists = place.kind.calls.filter(({ verb }) => verb === 'list').map(({ query }) => query);
  assert.deepEqual(
    lists.map(({ limit, continue: from }) => [limit, from]),
    [
      ['2', undefined],
      ['2', '2'],
      ['2', '4'],
    ],
  );
});

test('F2: a relist at a version carries no limit', async (context) => {
  const place = await play(context, withLists);
  await watching(place, 'watch', 1);
  place.kind.scripts.push(struck('watch', 1, (response) => refuse(response, 410)));
  place.kind.put('a', { v: '2' });
  await until('the change is there', () => names(place.informer).join() === 'a2');
  place.kind.endStreams();
  await watching(place, 'watch', 3);
  const [first, second] = place.kind.calls.filter(({ verb }) => verb === 'list');
  assert.deepEqual([first?.query['limit'], second?.query['limit']], ['500', undefined]);
  assert.equal(second?.query['resourceVersion'], '102');
});

test('F2: a list that is too much to be read at once is read in pages', async (context) => {
  const { kind, clock, informers } = await scene(context, {
    reflector: { ...steady, watchList: false, pageSize: 2 },
  });
  for (const name of ['a', 'b', 'c']) kind.put(name, { v: '1' });
  kind.scripts.push((call, response) => {
    // From its cache, a server sends everything, whatever the limit.
    if (call.verb !== 'list' || call.query['resourceVersion'] === undefined) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": [');
    return true;
  });
  const informer = informers.informer(configMaps);
  await until('it pauses', () => informer.health().state === 'backoff');
  await clock.advance(clock.next ?? 0);
  await until('the list is in', () => informer.hasSynced);
  assert.deepEqual(names(informer), ['a1', 'b1', 'c1']);
  const lists = kind.calls.filter(({ verb }) => verb === 'list').map(({ query }) => query);
  assert.deepEqual(
    lists.map(({ resourceVersion, limit, continue: from }) => [resourceVersion, limit, from]),
    [
      ['0', '2', undefined],
      [undefined, '2', undefined],
      [undefined, '2', '2'],
    ],
  );
});

test('F2: a page that expired is followed by one full list, and nothing is missed or doubled', async (context) => {
  const options = { reflector: { ...steady, watchList: false, lists: 'consistent' as const, pageSize: 2 } };
  const place = await play(context, options, ({ kind }) => {
    for (const name of ['b', 'c']) kind.put(name, { v: '1' });
    let struckOnce = false;
    kind.scripts.push((call, response) => {
      if (call.query['continue'] === undefined || struckOnce) return false;
      struckOnce = true;
      kind.remove('a');
      refuse(response, 410);
      return true;
    });
  });
  assert.deepEqual(names(place.informer), ['b1', 'c1']);
  assert.equal(place.kind.calls.filter(({ verb }) => verb === 'list').at(-1)?.query['limit'], undefined);
  assert.deepEqual(place.kind.verbs().slice(0, 3), ['list', 'list', 'list']);
});

test('F3: a watch asks for bookmarks, for a random time of 5 to 10 minutes, from the last version', async (context) => {
  const place = await play(context, { reflector: { ...steady, watchList: false, random: () => 0.5 } });
  await watching(place, 'watch', 1);
  const { query } = place.kind.calls.at(-1) ?? {};
  assert.equal(query?.['allowWatchBookmarks'], 'true');
  assert.equal(query?.['timeoutSeconds'], '450');
  assert.equal(query?.['resourceVersion'], '101');
});

test('F4: a bookmark moves only the resource version', async (context) => {
  const place = await play(context);
  const { kind, informer, diary } = place;
  kind.revision = 500;
  kind.bookmark();
  await until('the version moved', () => informer.health().lastSyncResourceVersion === '500');
  assert.deepEqual(names(informer), ['a1']);
  kind.endStreams();
  await watching(place, 'watch', 1);
  assert.equal(kind.calls.at(-1)?.query['resourceVersion'], '500');
  assert.deepEqual(diary.lines, ['+a1!']);
});

test('F4: synthetic events of a watch from nowhere do not move the version', async (context) => {
  const place = await play(context, { reflector: { ...steady, watchList: false } }, ({ kind }) => {
    // A server without list versions, as some extension servers are.
    kind.scripts.push(struck('list', 1, (response) => sendList(response, [], '0')));
  });
  await watching(place, 'watch', 1);
  place.kind.send({ type: 'ADDED', object: place.kind.put('z', { v: '9' }) });
  await until('the object is there', () => place.informer.size > 0);
  assert.equal(place.informer.health().lastSyncResourceVersion, '0');
});

test('F5: a watch-list is swapped in at its end as a whole, and goes on as the watch', async (context) => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const { kind, informers, clock } = await scene(context, { log });
  kind.put('a', { v: '1' });
  let stream: Parameters<typeof writeLine>[0] | undefined;
  kind.scripts.push(
    struck('stream', 1, (response) => {
      stream = response;
      openStream(response);
      for (const object of kind.objects.values()) writeLine(response, { type: 'ADDED', object });
    }),
  );
  const informer = informers.informer(configMaps);
  await until('the server speaks', () => stream !== undefined && informer.health().lastActivityAt !== undefined);
  assert.deepEqual([informer.size, informer.hasSynced], [0, false], 'half a list is none');
  await clock.advance(9_999);
  assert.deepEqual(lines, []);
  await clock.advance(1);
  assert.match(lines.join(), /end of initial events is late/);
  assert.ok(stream);
  const after = { type: 'ADDED', object: { ...kind.put('b', { v: '1' }) } };
  stream.write(`${JSON.stringify(endOfInitialEvents(101))}\n${JSON.stringify(after)}\n`);
  await until('both are there', () => names(informer).join() === 'a1,b1');
  assert.deepEqual(kind.verbs(), ['stream'], 'no second request');
  const { query } = kind.calls[0] ?? {};
  assert.equal(query?.['sendInitialEvents'], 'true');
  assert.equal(query?.['resourceVersionMatch'], 'NotOlderThan');
});

test('F5: a watch-list that fails before its end leaves the store as it was', async (context) => {
  const place = await play(context);
  const { kind, informer, diary } = place;
  await stir(place);
  kind.silently(() => kind.put('b', { v: '1' }));
  kind.compact();
  kind.scripts.push(
    struck('stream', 1, (response) => {
      openStream(response);
      writeLine(response, { type: 'ADDED', object: { ...kind.put('never', { v: '1' }) } });
      response.end();
    }),
  );
  kind.endStreams();
  await until('it pauses', () => informer.health().state === 'backoff');
  assert.deepEqual(names(informer), ['a2'], 'what was collected is thrown away');
  kind.remove('never');
  await pause(place);
  await until('it has streamed', () => names(informer).join() === 'a2,b1');
  assert.deepEqual(diary.lines, ['+a1!', '~a2', '+b1']);
});

test('F5: a server that refuses watch-lists is listed, and remembered', async (context) => {
  const place = await play(context, {}, ({ kind }) => void (kind.knowsWatchLists = false));
  const { kind, informers, informer } = place;
  await watching(place, 'watch', 1);
  assert.deepEqual(kind.verbs(), ['stream', 'list', 'watch']);
  assert.equal(informer.health().consecutiveFailures, 0, 'that is no failure');
  const other = informers.informer(configMaps, { namespaces: ['default'] });
  await other.synced(AbortSignal.timeout(5_000));
  assert.equal(kind.verbs().filter((verb) => verb === 'stream').length, 1);
});

test('F5: a server that takes the parameters for none is found out by its bookmark, or by 30 s of silence', async (context) => {
  for (const [how, ignorant] of [
    ['bookmark', true],
    ['silence', false],
  ] as const) {
    const place = await scene(context);
    const { kind, informers, clock } = place;
    kind.put('a', { v: '1' });
    kind.scripts.push(
      struck('stream', 9, (response) => {
        openStream(response);
        for (const object of kind.objects.values()) writeLine(response, { type: 'ADDED', object });
        if (ignorant) writeLine(response, bookmarkAt(101));
      }),
    );
    const informer = informers.informer(configMaps);
    await until('the server speaks', () => informer.health().lastActivityAt !== undefined);
    if (how === 'silence') await clock.advance(30_000);
    await until('the list is in', () => informer.hasSynced);
    assert.deepEqual(kind.verbs().slice(0, 2), ['stream', 'list'], how);
  }
});

test('F6: pauses are 0.8 s doubling to 30 s with a jitter of up to as much again, for ever', async (context) => {
  for (const [random, factor] of [
    [() => 0, 1],
    [() => 0.999_999, 2],
  ] as const) {
    const place = await play(context, { reflector: { watchList: false, random } });
    await watching(place, 'watch', 1);
    await stir(place);
    place.kind.scripts.push(struck('watch', 8, (response) => refuse(response, 503)));
    place.kind.endStreams();
    const pauses: number[] = [];
    for (let count = 0; count < 8; count++) pauses.push(await pause(place));
    assert.deepEqual(
      pauses,
      [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000].map((milliseconds) => milliseconds * factor),
    );
    await watching(place, 'watch', 10);
  }
});

test('F6: pauses begin small again after two minutes of health, and not before', async (context) => {
  const place = await play(context);
  const { kind, clock, informer } = place;
  const fail = async (): Promise<number> => {
    const calls = kind.calls.length;
    kind.scripts.push(struck('watch', 1, (response) => refuse(response, 503)));
    kind.endStreams();
    const taken = await pause(place);
    await until('it watches again', () => kind.calls.length === calls + 2 && kind.streams.size === 1);
    await until('it says so', () => informer.health().state === 'watching');
    return taken;
  };
  assert.equal(await fail(), 800);
  await clock.advance(100_000);
  assert.equal(await fail(), 1600, 'after 100 s');
  await clock.advance(125_000);
  assert.equal(await fail(), 800, 'after 125 s');
});

test('F7: a watch that is refused, throttled or cut is tried again without a list', async (context) => {
  const faults: readonly [string, (place: Play) => void][] = [
    ['429', ({ kind }) => kind.scripts.push(struck('watch', 1, (response) => refuse(response, 429)))],
    ['503', ({ kind }) => kind.scripts.push(struck('watch', 1, (response) => refuse(response, 503)))],
    ['500', ({ kind }) => kind.scripts.push(struck('watch', 1, (response) => refuse(response, 500)))],
    [
      'ERROR 429',
      ({ kind }) => kind.send({ type: 'ERROR', object: { kind: 'Status', code: 429, reason: 'TooManyRequests' } }),
    ],
    ['reset', ({ server }) => server.cutAll()],
  ];
  for (const [fault, strike] of faults) {
    const place = await play(context);
    const { kind, informer, diary } = place;
    kind.put('b', { v: '1' });
    await until('b is there', () => informer.size === 2);
    strike(place);
    kind.endStreams();
    assert.equal(await pause(place), 800, fault);
    kind.put('c', { v: '1' });
    await until('the watch has gone on', () => informer.size === 3);
    assert.deepEqual(new Set(kind.verbs()), new Set(['stream', 'watch']), fault);
    assert.equal(kind.verbs().filter((verb) => verb === 'stream').length, 1, `${fault}: no list`);
    assert.deepEqual(diary.lines, ['+a1!', '+b1', '+c1'], fault);
  }
});

test('F7: any other error in the stream, and a line that is none, lead to a list after a pause', async (context) => {
  const faults: readonly [string, (place: Play) => void][] = [
    [
      'ERROR 403',
      ({ kind }) => kind.send({ type: 'ERROR', object: { kind: 'Status', code: 403, reason: 'Forbidden' } }),
    ],
    ['ERROR 418', ({ kind }) => kind.send({ type: 'ERROR', object: { kind: 'Status', code: 418 } })],
    ['no JSON', ({ kind }) => kind.streams.forEach((stream) => stream.write('{"type":"MODI\n'))],
    ['half a line', ({ kind }) => kind.streams.forEach((stream) => stream.end('{"type":"MODIFIED","obj'))],
  ];
  for (const [fault, strike] of faults) {
    const place = await play(context);
    strike(place);
    place.kind.silently(() => place.kind.put('b', { v: '1' }));
    await pause(place);
    await until('b is there', () => place.informer.size === 2);
    assert.deepEqual(place.kind.verbs(), ['stream', 'stream'], fault);
    assert.equal(place.kind.calls.at(-1)?.query['resourceVersion'], '101', fault);
  }
});

test('F7: internal errors are answered with another watch for a minute, then with a list', async (context) => {
  const place = await play(context);
  const { kind } = place;
  kind.scripts.push(struck('watch', 99, (response) => refuse(response, 500)));
  kind.endStreams();
  for (;;) {
    await pause(place);
    if (kind.verbs().filter((verb) => verb === 'stream').length > 1) break;
    assert.ok(kind.calls.length < 20);
    const calls = kind.calls.length;
    await until('it tried', () => kind.calls.length > calls || place.informer.health().state === 'backoff');
  }
  assert.ok(kind.verbs().filter((verb) => verb === 'watch').length > 3);
});

test('F7: 410 in the stream lists at once, not older than what was seen', async (context) => {
  const place = await play(context);
  const { kind, informer, diary } = place;
  kind.put('b', { v: '1' });
  await until('b is there', () => informer.size === 2);
  kind.silently(() => kind.remove('a'));
  kind.compact();
  kind.endStreams();
  await until('a is gone', () => informer.size === 1);
  assert.deepEqual(kind.verbs(), ['stream', 'watch', 'stream']);
  assert.equal(kind.calls.at(-1)?.query['resourceVersion'], '102');
  assert.deepEqual(diary.lines, ['+a1!', '+b1', '-a1!']);
});

test('F8: a watch that closes within a second and has moved nothing backs off', async (context) => {
  const place = await play(context);
  const { kind, metric } = place;
  const close = struck('watch', 3, (response) => {
    openStream(response);
    response.end();
  });
  kind.scripts.push(close);
  kind.endStreams();
  assert.deepEqual([await pause(place), await pause(place), await pause(place)], [800, 1600, 3200]);
  await watching(place, 'watch', 4);
  assert.equal(await metric('reflector_short_watches_total'), 3);
});

test('F8: a bookmark that repeats what is known does not make a short watch a long one', async (context) => {
  const place = await play(context);
  place.kind.scripts.push(
    struck('watch', 1, (response) => {
      openStream(response);
      writeLine(response, bookmarkAt(101));
      response.end();
    }),
  );
  place.kind.endStreams();
  assert.equal(await pause(place), 800);
});

test('F9: an event of another kind is reported and skipped, a table refused', async (context) => {
  const place = await play(context);
  const { kind, informer, metric } = place;
  const metadata = { name: 'x', namespace: 'default', uid: 'x', resourceVersion: '900' };
  kind.send({ type: 'ADDED', object: { kind: 'Secret', apiVersion: 'v1', metadata } });
  kind.send({ type: 'ADDED', object: { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, rows: [] } });
  kind.put('b', { v: '1' });
  await until('what follows is taken', () => informer.size === 2);
  assert.deepEqual(names(informer), ['a1', 'b1']);
  assert.equal(informer.health().lastSyncResourceVersion, '102');
  assert.equal(await metric('reflector_failures_total', { error: 'UnexpectedKind' }), 2);
});

test('F9: a list that is a table is refused, and asked for again', async (context) => {
  const place = await scene(context, withLists);
  const table = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '101' }, rows: [] };
  place.kind.put('a', { v: '1' });
  place.kind.scripts.push(struck('list', 1, (response) => sendJson(response, 200, table)));
  const informer = place.informers.informer(configMaps);
  await until('it pauses', () => informer.health().state === 'backoff');
  assert.equal(informer.hasSynced, false);
  await place.clock.advance(800);
  await until('the list is in', () => informer.size === 1);
});

test('F10: forbidden and absent are waited out, and seen in health and metrics', async (context) => {
  for (const [code, trouble, error] of [
    [403, 'forbidden', 'Forbidden'],
    [404, 'absent', 'NotFound'],
    [500, 'failing', 'InternalError'],
  ] as const) {
    const failures: Error[] = [];
    const place = await scene(context, { reflector: { ...steady, onFailure: (error) => void failures.push(error) } });
    const { kind, informers, clock, metric } = place;
    kind.put('a', { v: '1' });
    kind.scripts.push(struck('stream', 2, (response) => refuse(response, code)));
    const informer = informers.informer(configMaps);
    await until('it pauses', () => informer.health().state === 'backoff');
    assert.deepEqual([informer.health().trouble, informer.health().synced], [trouble, false]);
    assert.equal(await metric('reflector_synced'), 0);
    await clock.advance(800);
    await until('it failed twice', () => informer.health().consecutiveFailures === 2);
    assert.equal(await metric('reflector_consecutive_failures'), 2);
    assert.equal(await metric('reflector_failures_total', { error }), 2);
    assert.equal(failures.length, 2, 'whoever asked is told');
    assert.equal(informers.healths()[0]?.health.trouble, trouble);
    await until('it pauses', () => clock.timers > 0);
    await clock.advance(1600);
    await until('the list is in', () => informer.hasSynced);
    const { lastSyncResourceVersion, lastError, ...rest } = informer.health();
    assert.deepEqual([lastSyncResourceVersion, lastError, rest.trouble], ['101', undefined, 'none']);
    assert.equal(await metric('reflector_synced'), 1);
  }
});

test('F10: a reflector that is stopped lets go of its stream and says so', async (context) => {
  const { kind, informer, informers, metric } = await play(context);
  await informers.stop();
  await until('the stream is closed', () => kind.streams.size === 0);
  assert.equal(informer.health().state, 'stopped');
  assert.equal(await metric('reflector_synced'), undefined, 'and takes its series away');
});

test('informer silently stops: a half-open connection is found within the silence limit, and shown', async (context) => {
  const place = await play(context);
  const { kind, clock, informer, metric } = place;
  // The server drops the stream silently, and ten minutes of changes pass.
  kind.silently(() => kind.put('b', { v: '1' }));
  kind.streams.clear();
  await clock.advance(149_000);
  assert.deepEqual(kind.verbs(), ['stream'], 'nothing before the limit');
  await clock.advance(2_000);
  await until('b is there', () => informer.size === 2);
  assert.deepEqual(kind.verbs(), ['stream', 'watch'], 'from the last version, without a list');
  assert.equal(await metric('reflector_failures_total', { error: 'Silence' }), 1);
});

test('informer silently stops: a watch that is reopened and is silent too counts as silent until it sends something', async (context) => {
  const place = await play(context);
  const { kind, clock, informer, metric } = place;
  kind.streams.clear();
  kind.scripts.push(struck('watch', 1, (response) => openStream(response)));
  await clock.advance(151_000);
  await until('it watches again', () => kind.verbs().length === 2);
  assert.equal(informer.health().trouble, 'silent');
  assert.match(String(informer.health().lastError), /nothing came for 150 s/);
  const activeAt = await metric('reflector_last_activity_timestamp_seconds');
  assert.equal(activeAt, Math.floor(activeAt ?? 0), 'a time');
  assert.ok(clock.date().getTime() / 1000 - (activeAt ?? 0) >= 150, 'the time of the last event is old');
  await clock.advance(151_000);
  // The second silence in a row causes a list: a restored server sends nothing until it reaches our version.
  await until('it has listed', () => kind.verbs().join() === 'stream,watch,stream');
  await until('it speaks', () => informer.health().trouble === 'none');
});

test('no reconnect after reset/503/429: each fault in each phase recovers, with the pauses of the table', async (context) => {
  const phases: readonly [string, Verb, readonly number[], (place: Play) => void][] = [
    ['reset when idle', 'watch', [800], ({ server }) => server.cutAll()],
    [
      'reset in mid-line',
      'watch',
      [800],
      ({ kind, server }) => {
        for (const stream of kind.streams) stream.write('{"type":"MODIFIED","object":{"meta');
        setImmediate(() => server.cutAll());
      },
    ],
    ...[429, 500, 503].map((code): [string, Verb, readonly number[], (place: Play) => void] => [
      `${code} three times at the headers`,
      'watch',
      [800, 1600, 3200],
      ({ kind }) => {
        kind.scripts.push(struck('watch', 3, (response) => refuse(response, code)));
        kind.endStreams();
      },
    ]),
  ];
  for (const [fault, , pauses, strike] of phases) {
    const place = await play(context);
    const { kind, informer, diary } = place;
    strike(place);
    for (const expected of pauses) assert.equal(await pause(place), expected, fault);
    kind.put('b', { v: '1' });
    await until(`b is there after ${fault}`, () => informer.size === 2);
    assert.deepEqual(diary.lines, ['+a1!', '+b1'], fault);
  }
});

test('objects missed after 429 at bootstrap: a server that throttles for 30 s loses no object', async (context) => {
  const place = await scene(context);
  const { kind, informers, clock } = place;
  for (let count = 0; count < 50; count++) kind.put(`o${count}`, { v: '1' });
  kind.scripts.push(struck('stream', 6, (response) => refuse(response, 429)));
  const informer = informers.informer(configMaps);
  const diary = new Diary();
  const registration = informer.addHandler(diary);
  let passed = 0;
  while (!informer.hasSynced && passed < 60_000) {
    await clock.advance(1_000);
    passed += 1_000;
    await until('it waits or is done', () => informer.hasSynced || informer.health().state === 'backoff');
  }
  await registration.synced(AbortSignal.timeout(5_000));
  assert.ok(passed >= 25_000, 'it was throttled for long');
  assert.equal(diary.lines.length, 50, 'each once');
  assert.equal(informer.size, 50);
});

test('replay of everything on restart: reconnecting from the last version brings no event twice', async (context) => {
  const place = await play(context);
  const { kind, informer, diary } = place;
  for (let round = 1; round <= 5; round++) {
    kind.put('a', { v: `r${round}` });
    await until('the change is there', () => names(informer).join() === `ar${round}`);
    kind.endStreams();
    await watching(place, 'watch', round);
  }
  assert.deepEqual(diary.lines, ['+a1!', '~ar1', '~ar2', '~ar3', '~ar4', '~ar5']);
});
