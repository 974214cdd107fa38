import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Figures } from '../sandbox/figures.ts';
import { lagOf } from './lag.ts';
import { latencies, type Write } from './latencies.ts';
import { Versions } from './load.ts';
import { cycle, machine, nameOf, rowStatus, status, uidOf, vappId } from './machines.ts';
import { objectText, sampleIndex } from './object-text.ts';
import { report } from './report.ts';

const written = (index: number, version: number, at: number): Write => ({ index, status: rowStatus(version), at });

test('a change is done when its own status is committed, or that of a later change which overtook it', () => {
  const changes = [
    { index: 0, version: 1 },
    { index: 1, version: 1 },
    { index: 0, version: 2 },
    { index: 0, version: 3 },
  ];
  const sent = [100, 110, 120, 130];
  const cases: readonly [reason: string, writes: readonly Write[], expected: readonly number[]][] = [
    ['each is written', [written(0, 1, 101), written(1, 1, 112), written(0, 2, 123), written(0, 3, 134)], [1, 3, 4, 2]],
    [
      'the first two of a machine come as one',
      [written(0, 2, 125), written(1, 1, 112), written(0, 3, 134)],
      [25, 5, 4, 2],
    ],
    ['the last is not written yet', [written(0, 1, 101), written(0, 2, 125), written(1, 1, 112)], [1, 5, 2]],
    ['a status that was there before is none of them', [written(0, 0, 101), written(1, 1, 112)], [2]],
  ];
  for (const [reason, writes, expected] of cases) assert.deepEqual(latencies(changes, sent, writes), expected, reason);
});

test('every machine is changed before one is changed again, and versions go on over loads', () => {
  const versions = new Versions(30);
  const first = versions.advance(30);
  assert.equal(new Set(first.map(({ index }) => index)).size, 30);
  assert.ok(first.every(({ version }) => version === 1));
  assert.ok(versions.advance(60).every(({ version }, at) => version === (at < 30 ? 2 : 3)));
  assert.deepEqual(versions.tally(), new Map([[rowStatus(3), 30]]));
  assert.throws(() => versions.advance(30 * cycle), /cannot be told apart/);
});

test('the object of a machine in memory is that of the sample, with its own name, uid, vApp, version and status', () => {
  const sample = machine(sampleIndex);
  const text = objectText({
    ...sample,
    metadata: { ...sample.metadata, uid: 'given by a server', resourceVersion: '17' },
  });
  const expected = machine(42);
  assert.deepEqual(JSON.parse(text(42, 3, 1_000_123)), {
    ...expected,
    metadata: {
      ...expected.metadata,
      labels: { ...(expected.metadata['labels'] as object), 'bench/tenth': '9', 'vapp.ssvirt.io/vapp-id': vappId(42) },
      name: nameOf(42),
      uid: uidOf(42),
      resourceVersion: '1000123',
    },
    spec: JSON.parse(JSON.stringify(sample['spec']).replaceAll(nameOf(sampleIndex), nameOf(42))) as object,
    status: status(3),
  });
});

test('percentiles of the lag are of what came between two looks', () => {
  const look = (counts: readonly number[]): string =>
    ['0.01', '0.1', '+Inf'].map((le, at) => `ssvirt_vm_status_lag_seconds_bucket{le="${le}"} ${counts[at]}`).join('\n');
  assert.deepEqual(lagOf(look([5, 9, 9]), look([65, 109, 109])), { p50: 10, p99: 100 });
  assert.equal(lagOf(look([5, 9, 9]), look([5, 9, 9])), undefined);
  assert.equal(lagOf('', 'other_metric 3'), undefined);
});

test('figures stand by section beside those of the rival, with their ratio, and a gap where there is none', () => {
  const column = (name: string, value: number | undefined): { name: string; figures: Figures } => {
    const figures = new Figures();
    figures.add('start', 'seconds', 's', 2);
    if (value !== undefined) figures.add('memory', 'resident', 'MB', value);
    return { name, figures };
  };
  const text = report([column('ssvirt', 50), column('Go', 200), column('Go, projection', undefined)]);
  assert.match(text, /\*\*memory\*\* .*\n\| resident +\| MB +\| +50\.0 \| +200 \| +\| +0\.25× \|/);
  assert.match(text, /\| seconds +\| s +\| +2\.00 \| +2\.00 \| +2\.00 \| +1\.0× \|/);
});
