import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { topics } from '../conformance/cases/index.ts';
import { plant } from './defect.ts';
import { defects } from './defects/index.ts';
import { sample } from './sample.ts';
import { confirm, judge } from './verdict.ts';

const sandbox = join(import.meta.dirname, '../../src/sandbox');

describe('the defects that are planted in the sandbox', () => {
  for (const defect of defects) {
    test(`fits the source: ${defect.file}: ${defect.name}`, () => {
      const source = readFileSync(join(sandbox, defect.file), 'utf8');
      assert.notEqual(plant(defect, source), source);
      for (const topic of defect.topics) assert.ok(topic in topics, `there is no topic ${topic}`);
    });
  }

  test('are at least 20, in every folder that decides what a client sees', () => {
    assert.ok(defects.length >= 20);
    const folders = new Set(defects.map(({ file }) => file.split('/')[0]));
    for (const folder of [
      'store',
      'api',
      'apply',
      'patch',
      'schema',
      'cel',
      'crd',
      'kinds',
      'table',
      'controllers',
      'admission',
    ])
      assert.ok(folders.has(folder), `none is planted in ${folder}`);
    assert.equal(new Set(defects.map(({ name }) => name)).size, defects.length);
  });

  test('are refused when their place is not found, or found twice', () => {
    const defect = { name: 'x', file: 'x.ts', find: 'a', replace: '$&b', topics: [] };
    assert.equal(plant(defect, 'cab'), 'c$&bb');
    assert.throws(() => plant(defect, 'bcd'), /"a" stands 0 times/);
    assert.throws(() => plant(defect, 'aba'), /"a" stands 2 times/);
  });
});

describe('the verdict on a defect', () => {
  const sound = new Set(['a', 'b']);
  const run = (passed: string[], failed: string[]) => ({ passed: new Set(passed), failed, timedOut: false });

  test('counts only tests that pass without the defect', () => {
    assert.deepEqual(judge(run(['a'], ['c', 'b']), sound), { kind: 'caught', by: ['b'] });
    assert.deepEqual(judge(run(['a', 'b'], ['c']), sound), { kind: 'survived' });
  });

  test('is no proof when nothing works or nothing ends', () => {
    assert.deepEqual(judge(run([], ['a', 'b']), sound), { kind: 'nothing works' });
    assert.deepEqual(judge({ ...run(['a'], ['b']), timedOut: true }, sound), { kind: 'timed out' });
  });

  test('needs the same test to fail again', () => {
    const by = (...names: string[]) => ({ kind: 'caught', by: names }) as const;
    assert.deepEqual(confirm(by('a'), by('a', 'b')), by('a'));
    assert.deepEqual(confirm(by('a'), by('b')), { kind: 'survived' });
    assert.deepEqual(confirm(by('a'), { kind: 'survived' }), { kind: 'survived' });
  });
});

test('a sample has the size that was asked for, is spread over the list, and is the same in every run', () => {
  const all = Array.from({ length: 47 }, (_, i) => i);
  assert.deepEqual(sample(all, 6), [3, 11, 19, 27, 35, 43]);
  assert.deepEqual(sample(all, 47), all);
  assert.throws(() => sample(all, 0), /whole number above 0, not 0/);
});
