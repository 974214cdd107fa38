import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { Diary, scene, steady } from '../../../../test/runtime/informer-scene.ts';
import type { ConfigMap, Scene } from '../../../../test/runtime/informer-scene.ts';
import { refuse } from '../../../../test/runtime/kind-server.ts';
import { configMaps } from '../../../../test/runtime/scripted-scene.ts';
import { until } from '../../../../test/runtime/until.ts';
import type { Informer } from './informer.ts';
import type { InformersOptions } from './informers.ts';

interface Play extends Scene {
  readonly informer: Informer<ConfigMap>;
  readonly diary: Diary;
  /** Makes the informer list again, as after 410. */
  readonly relist: () => Promise<void>;
}

async function play(context: TestContext, count: number, options: Partial<InformersOptions> = {}): Promise<Play> {
  const place = await scene(context, { reflector: steady, ...options });
  const { kind, informers } = place;
  for (let at = 0; at < count; at++) kind.put(`o${at}`, { v: '1' }, { labels: { app: 'x' } });
  const informer = informers.informer(configMaps, { labelSelector: 'app=x' });
  const diary = new Diary();
  await informer.addHandler(diary).synced(AbortSignal.timeout(10_000));
  const relist = async (): Promise<void> => {
    const before = kind.verbs().filter((verb) => verb === 'stream').length;
    kind.revision++;
    kind.compact();
    kind.endStreams();
    await until('it lists', () => kind.verbs().filter((verb) => verb === 'stream').length > before);
  };
  return { ...place, informer, diary, relist };
}

const gets = ({ kind }: Scene): number => kind.verbs().filter((verb) => verb === 'get').length;
const deletions = ({ diary }: Play): number => diary.lines.filter((line) => line.startsWith('-')).length;

test('many objects that vanish at once are each asked for, and those that are gone are reported', async (context) => {
  const place = await play(context, 40);
  place.kind.silently(() => {
    for (let at = 0; at < 25; at++) place.kind.remove(`o${at}`);
  });
  await place.relist();
  await until('all are told', () => deletions(place) === 25);
  assert.equal(gets(place), 25);
  assert.equal(place.informer.size, 15);
});

test('few objects, or a small share, are believed gone without asking', async (context) => {
  for (const [known, gone] of [
    [30, 20],
    [300, 25],
  ] as const) {
    const place = await play(context, known);
    place.kind.silently(() => {
      for (let at = 0; at < gone; at++) place.kind.remove(`o${at}`);
    });
    await place.relist();
    await until('all are told', () => deletions(place) === gone);
    assert.equal(gets(place), 0, `${gone} of ${known}`);
  }
});

test('objects that a list forgot stay, and no handler hears that they are gone', async (context) => {
  const place = await play(context, 40);
  const { kind, informer } = place;
  let forgetful = true;
  const hidden = new Map(kind.objects);
  kind.scripts.push((call) => {
    if (!forgetful || call.verb !== 'stream') return false;
    // The list is empty, but a get finds each object.
    kind.objects.clear();
    setImmediate(() => hidden.forEach((object, key) => kind.objects.set(key, object)));
    return false;
  });
  await place.relist();
  await until('all were asked for', () => gets(place) === 40 && informer.health().state === 'watching');
  assert.deepEqual([informer.size, deletions(place)], [40, 0]);
  forgetful = false;
  kind.remove('o1');
  await until('the watch goes on', () => informer.size === 39);
});

test('what cannot be asked stays, and is asked for again until there is an answer', async (context) => {
  const place = await play(context, 30);
  const { kind, informer, clock } = place;
  let down = true;
  kind.scripts.push((call, response) => {
    if (call.verb !== 'get' || !down) return false;
    refuse(response, 500);
    return true;
  });
  kind.silently(() => {
    for (let at = 0; at < 30; at++) kind.remove(`o${at}`);
  });
  await place.relist();
  await until('all were asked for', () => gets(place) === 30 && informer.health().state === 'watching');
  assert.deepEqual([informer.size, deletions(place)], [30, 0]);
  down = false;
  await clock.advance(60_000);
  await until('all are told', () => deletions(place) === 30);
  assert.equal(informer.size, 0);
});

test('an object that left the selection is gone, and one that was created again is another', async (context) => {
  const place = await play(context, 30);
  const { kind, informer } = place;
  kind.silently(() => {
    for (let at = 0; at < 15; at++) kind.put(`o${at}`, { v: '2' }, { labels: { app: 'y' } });
    for (let at = 15; at < 30; at++) {
      kind.remove(`o${at}`);
      kind.put(`o${at}`, { v: '2' }, { labels: { app: 'y' } });
    }
  });
  await place.relist();
  await until('all are told', () => deletions(place) === 30);
  assert.equal(gets(place), 30);
  assert.equal(informer.size, 0);
});

test('asking can be switched off', async (context) => {
  const place = await play(context, 30, { confirmMassDeletion: false });
  place.kind.silently(() => {
    for (let at = 0; at < 30; at++) place.kind.remove(`o${at}`);
  });
  await place.relist();
  await until('all are told', () => deletions(place) === 30);
  assert.equal(gets(place), 0);
});

test('a hung server costs a mass deletion no more than its deadline', async (context) => {
  const place = await play(context, 30, {
    confirmMassDeletion: {
      deadlineMs: 10_000,
      recheck: { initialMs: 30_000, factor: 2, maxMs: 60_000, jitter: 0 },
    },
  });
  const { kind, informer, clock } = place;
  let hung = true;
  kind.scripts.push((call) => hung && call.verb === 'get');
  kind.silently(() => {
    for (let at = 0; at < 30; at++) kind.remove(`o${at}`);
  });
  await place.relist();
  await until('it asks', () => gets(place) > 0);
  await clock.advance(11_000);
  await until('it goes on without the answers', () => informer.health().state === 'watching');
  assert.deepEqual([informer.size, deletions(place)], [30, 0]);
  hung = false;
  await clock.advance(30_000);
  await until('all are told', () => deletions(place) === 30);
});
