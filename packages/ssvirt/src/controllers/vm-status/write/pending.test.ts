import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pending } from './pending.ts';

function opened(): Pending {
  const pending = new Pending();
  pending.open();
  return pending;
}

const keysOf = (marks: readonly { readonly key: string }[]): readonly string[] => marks.map(({ key }) => key);

test('a standby collects nothing', () => {
  const pending = new Pending();
  pending.machine('east', 'a/web', 1);
  pending.gone('east', 'a/web', 'uid', 1);
  pending.vapp('east', 'a/shop', 1);
  assert.equal(pending.size, 0);
});

test('a machine that changes ten times waits once, since the first of its changes', () => {
  const pending = opened();
  for (let at = 5; at < 15; at++) pending.machine('east', 'a/web', at);
  pending.machine('east', 'a/web');
  const { machines } = pending.take(10);
  assert.deepEqual(machines, [{ cluster: 'east', key: 'a/web', seenAt: 5 }]);
  assert.equal(pending.size, 0);
});

test('a mark without a time gives way to one with a time', () => {
  const pending = opened();
  pending.machine('east', 'a/web');
  pending.machine('east', 'a/web', 7);
  assert.equal(pending.take(1).machines[0]?.seenAt, 7);
});

test('machines of the same name in two clusters, and two that had one name, wait apart', () => {
  const pending = opened();
  pending.machine('east', 'a/web', 1);
  pending.machine('west', 'a/web', 1);
  pending.gone('east', 'a/web', 'first', 1);
  pending.gone('east', 'a/web', 'second', 1);
  const { machines, gone } = pending.take(10);
  assert.deepEqual([machines.length, gone.map(({ uid }) => uid)], [2, ['first', 'second']]);
});

test('what is gone goes first, and machines never stand still for it', () => {
  const pending = opened();
  for (const uid of ['1', '2', '3']) pending.gone('east', `a/${uid}`, uid, 1);
  pending.machine('east', 'a/web', 1);
  const { machines, gone } = pending.take(2);
  assert.deepEqual([gone.length, machines.length, pending.size], [2, 1, 1]);
});

test('what could not be written is given back, and keeps its time though it changed meanwhile', () => {
  const pending = opened();
  pending.machine('east', 'a/web', 1);
  pending.machine('east', 'a/db', 2);
  const taken = pending.take(10);
  pending.machine('east', 'a/web', 9);
  pending.giveBack(taken);
  const { machines } = pending.take(10);
  assert.deepEqual(machines.map(({ key, seenAt }) => `${key} ${seenAt}`).sort(), ['a/db 2', 'a/web 1']);
});

test('of a cluster that leaves only that something is gone stays true', () => {
  const pending = opened();
  pending.machine('east', 'a/web', 1);
  pending.vapp('east', 'a/shop', 1);
  pending.gone('east', 'a/old', 'uid', 1);
  pending.machine('west', 'a/web', 1);
  pending.forget('east');
  const { machines, gone, vapps } = pending.take(10);
  assert.deepEqual([machines.map(({ cluster }) => cluster), keysOf(gone), keysOf(vapps)], [['west'], ['a/old'], []]);
});

const waits: readonly (readonly [why: string, seenAt: number | undefined, by: number, expected: boolean])[] = [
  ['known before', 5, 10, true],
  ['known at that moment', 10, 10, true],
  ['that came later', 11, 10, false],
  ['of a first list', undefined, 10, true],
];
for (const [why, seenAt, by, expected] of waits)
  test(`a machine ${why} ${expected ? 'is' : 'is not'} waited for`, () => {
    const pending = opened();
    pending.machine('east', 'a/web', seenAt);
    assert.equal(pending.waits('east', by), expected);
    assert.equal(pending.waits('west', by), false);
  });

test('who has taken everything waits until there is more', async () => {
  const pending = opened();
  const { signal } = new AbortController();
  pending.machine('east', 'a/web', 1);
  pending.machine('east', 'a/db', 1);
  pending.take(1);
  await pending.work(signal);
  pending.take(1);
  let isWoken = false;
  const working = pending.work(signal).then(() => (isWoken = true));
  await new Promise((turn) => setImmediate(turn));
  assert.equal(isWoken, false);
  pending.vapp('east', 'a/shop', 1);
  await working;
});

test('who waits for work is woken by it, or by the signal', async () => {
  const pending = opened();
  const none = new AbortController();
  const working = pending.work(none.signal);
  pending.machine('east', 'a/web', 1);
  await working;
  pending.take(1);
  const waiting = pending.work(none.signal);
  none.abort();
  await waiting;
  assert.equal(pending.size, 0);
});
