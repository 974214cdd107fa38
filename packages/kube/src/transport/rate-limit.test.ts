import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import { until } from '../../../../test/runtime/until.ts';
import { FakeClock } from '../fake-clock.ts';
import { TokenBucket } from './rate-limit.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' } };
const key = { namespace: 'n', name: 'a' };

test('T4: a burst goes at once, the others in order at the rate', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(clock, { qps: 5, burst: 2 });
  const { signal } = new AbortController();
  const gone: number[] = [];
  const start = clock.now();
  for (let index = 0; index < 5; index++)
    void bucket.take(signal).then(() => gone.push(Math.round(clock.now() - start)));
  await clock.advance(10_000);
  assert.deepEqual(gone, [0, 0, 200, 400, 600]);
});

test('T4: a quiet time fills the bucket no higher than the burst', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(clock, { qps: 1, burst: 2 });
  const { signal } = new AbortController();
  await clock.advance(3_600_000);
  assert.deepEqual([await bucket.take(signal), await bucket.take(signal)], [0, 0]);
  const third = bucket.take(signal);
  await clock.advance(1000);
  assert.equal(await third, 1000);
});

test('T4: whoever gives up gives his turn back', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(clock, { qps: 1, burst: 1 });
  const patient = new AbortController();
  await bucket.take(patient.signal);
  const impatient = new AbortController();
  const first = bucket.take(impatient.signal);
  impatient.abort();
  await first;
  const second = bucket.take(patient.signal);
  await clock.advance(1000);
  assert.equal(await second, 1000);
});

test('T4: a limit that makes no sense is refused', () => {
  const clock = new FakeClock();
  for (const limit of [
    { qps: 0, burst: 1 },
    { qps: 1, burst: 0 },
    { qps: Number.NaN, burst: 1 },
  ])
    assert.throws(() => new TokenBucket(clock, limit), /cannot limit requests/);
});

test('T4: there is no limit unless one is set', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) => sendJson(response, 200, object), {
    clock: new FakeClock(),
  });
  // The clock stands still, so a waiting request would wait forever.
  await Promise.all(Array.from({ length: 50 }, () => client.get(configMaps, key)));
  assert.equal(server.requests.length, 50);
});

test('T3, T4: a request that is sent again waits for the limit again', async (context) => {
  const clock = new FakeClock();
  let refusals = 1;
  const { server, client } = await scriptedScene(
    context,
    (_request, response) => {
      if (refusals-- > 0) sendJson(response, 429, { kind: 'Status' }, { 'retry-after': '0' });
      else sendJson(response, 200, object);
    },
    { clock, rateLimit: { qps: 0.1, burst: 1 } },
  );
  const got = client.get(configMaps, key);
  await until('the first was refused', () => server.requests.length === 1 && clock.timers === 2);
  await clock.advance(9000);
  assert.equal(server.requests.length, 1);
  await clock.advance(1000);
  assert.deepEqual(await got, object);
});
