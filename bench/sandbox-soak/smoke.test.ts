/** Checks that the soak runs, and that its rules still find the defects that they are for. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { Contents } from './contents.ts';
import { EventLines } from './event-lines.ts';
import { Gate } from './gate.ts';
import { absent, Belief, created, deleted, finalizer, heldBy, written } from './model.ts';
import { readOptions } from './options.ts';
import { growthComplaint } from './vitals.ts';

const main = join(import.meta.dirname, 'main.ts');

test('a short soak with faults, a kill and a revision that goes back finds nothing', { timeout: 60_000 }, async () => {
  const sizes = ['--minutes', '0.05', '--round', '3', '--writers', '3', '--caches', '4', '--seed', '7', '--data'];
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...sizes]);
  assert.match(stdout, /round 1 \| [1-9]\d* writes, .* life 2\n/);
  assert.match(stdout, /faults that struck: .*slow-watch/);
  assert.match(stdout, /no violation\n$/);
});

const data = (object: KubeObject, field: string): string | undefined =>
  (object['data'] as Record<string, string> | undefined)?.[field];

const configMap = (revision: number, fields: Record<string, string> = {}, metadata = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'n', uid: '1', resourceVersion: String(revision), ...metadata },
  data: fields,
});

test('a write that was acknowledged and is not there is found', () => {
  const belief = new Belief(absent, data);
  assert.equal(belief.acknowledge(created(false, [['x', '1']]), configMap(1, { x: '1' })), undefined);
  assert.equal(belief.acknowledge(written('x', '2'), configMap(2, { x: '1' })), 'x is 1 instead of 2');
  assert.equal(belief.settle(configMap(2, { x: '1' })), undefined, 'what was told once is not told again');
  assert.equal(belief.settle(undefined), 'it is not there');
  assert.equal(belief.settle(configMap(3)), 'it is there');
});

test('a write in doubt may have been done or not, and nothing else', () => {
  const inDoubt = (): Belief => {
    const belief = new Belief(absent, data);
    belief.acknowledge(created(true, [['x', '1']]), configMap(1, { x: '1' }, { finalizers: [finalizer] }));
    belief.doubt(written('x', '2'));
    return belief;
  };
  const held = { finalizers: [finalizer] };
  assert.equal(inDoubt().settle(configMap(1, { x: '1' }, held)), undefined);
  assert.equal(inDoubt().settle(configMap(2, { x: '2' }, held)), undefined);
  assert.match(inDoubt().settle(configMap(2, { x: '3' }, held)) ?? '', /x is 3 instead of 1, or x is 3 instead of 2/);
  assert.match(inDoubt().settle(configMap(2, { x: '2' })) ?? '', /its finalizer is gone/);
  assert.equal(inDoubt().settle(configMap(2, { x: '2' }, { ...held, uid: '2' })), 'its uid has changed');
});

test('an object that is held by a finalizer leaves in two steps', () => {
  const belief = new Belief(absent, data);
  belief.acknowledge(created(true, []), undefined);
  belief.acknowledge(deleted, undefined);
  assert.deepEqual([belief.model?.exists, belief.model?.leaving], [true, true]);
  belief.acknowledge(heldBy(false), undefined);
  assert.equal(belief.model?.exists, false);
});

test('a cache finds events that cannot follow on what it has seen', () => {
  const cases: [string, KubeObject, string | undefined][] = [
    ['MODIFIED', configMap(6), undefined],
    ['MODIFIED', configMap(5), 'MODIFIED of n/a at 5 came after 5'],
    ['MODIFIED', configMap(6, {}, { uid: '2' }), 'MODIFIED of n/a with another uid'],
    ['MODIFIED', configMap(6, {}, { name: 'b' }), 'MODIFIED of n/b, which was not there'],
    ['ADDED', configMap(6), 'ADDED of n/a, which was there'],
    ['DELETED', configMap(6), undefined],
    ['BOOKMARK', configMap(5), undefined],
    ['BOOKMARK', configMap(4), 'BOOKMARK of n/a at 4 came after 5'],
  ];
  for (const [type, object, complaint] of cases) {
    const contents = new Contents();
    contents.replace([configMap(3)], 5);
    assert.equal(contents.follow({ type, object }), complaint, `${type} at ${object.metadata.resourceVersion}`);
  }
});

test('a cache that is not what the server lists is found', () => {
  const contents = new Contents();
  contents.replace([configMap(3, { x: '1' })], 5);
  assert.deepEqual(contents.differences([{ ...configMap(3, { x: '1' }), kind: '', apiVersion: '' }]), []);
  assert.deepEqual(contents.differences([configMap(3, { x: '2' })]), ['n/a has other content at the same revision']);
  assert.deepEqual(contents.differences([configMap(4, { x: '1' })]), ['n/a is at 3, on the server at 4']);
  assert.deepEqual(contents.differences([configMap(3, { x: '1' }, { uid: '2' })]), ['n/a has another uid']);
  assert.deepEqual(contents.differences([]), ['n/a is no longer on the server']);
});

test('growth is found when it is sudden or does not end, and noise is not', () => {
  const growth = { title: 'memory', step: 50, rises: 3, noise: 5 };
  const cases: [number[], string | undefined][] = [
    [[100, 200], 'memory grew from 100 to 200 at once'],
    [[100, 110, 120, 130], 'memory has grown at 3 quiet points in a row: 100, 110, 120, 130'],
    [[100, 110, 105, 120], undefined],
    [[100, 101, 102, 103], undefined],
    [[100], undefined],
  ];
  for (const [series, complaint] of cases) assert.equal(growthComplaint(series, growth), complaint, series.join());
});

test('a closed gate waits for who is inside and keeps the others out', async () => {
  const gate = new Gate();
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.onClosing(() => resolve());
  const inside = gate.step(() => promise.then(() => void seen.push('inside')));
  await gate.close();
  seen.push('closed');
  const outside = gate.step(() => Promise.resolve().then(() => void seen.push('outside')));
  seen.push('opened');
  gate.open();
  await Promise.all([inside, outside]);
  assert.deepEqual(seen, ['inside', 'closed', 'opened', 'outside']);
});

test('events are read whole wherever the network cuts them', () => {
  const bytes = Buffer.from('{"a":"é"}\n{"b":1}\nhalf');
  for (let size = 1; size <= bytes.length; size++) {
    const lines = new EventLines();
    const read: string[] = [];
    for (let at = 0; at < bytes.length; at += size) read.push(...lines.push(bytes.subarray(at, at + size)));
    assert.deepEqual([...read, lines.rest], ['{"a":"é"}', '{"b":1}', 'half'], `in parts of ${size}`);
  }
});

test('an option that is no number is refused by name', () => {
  assert.throws(() => readOptions(['--minutes', 'many']), /--minutes: "many"/);
  assert.throws(() => readOptions(['--writers', '1.5']), /--writers: "1.5"/);
});
