import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './outcome.ts';

const sound = new Set(['a', 'b']);
const run = (passed: readonly string[], failed: readonly string[], timedOut = false) => ({
  passed: new Set(passed),
  failed,
  timedOut,
});

test('a defect is noticed by tests that pass without it, and by no others', () => {
  assert.deepEqual(judge(run(['a'], ['c', 'b']), sound), { kind: 'noticed', by: ['b'] });
  assert.deepEqual(judge(run(['a', 'b'], ['c']), sound), { kind: 'survived' });
});

test('a run in which nothing passes, or that does not end, proves nothing', () => {
  assert.deepEqual(judge(run([], ['a', 'b']), sound), { kind: 'nothing passed' });
  assert.deepEqual(judge(run(['a'], ['b'], true), sound), { kind: 'timed out' });
});
