import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toldToEnd } from './timestamp.ts';

test('the time at which a pod was asked to end is computed from its deletion, whatever its grace period', () => {
  const cases: readonly (readonly [deletion: string, grace: number, expected: string])[] = [
    ['2026-01-01T00:00:30Z', 30, '2026-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', Number.MAX_SAFE_INTEGER, '1970-01-01T00:00:00.000Z'],
    ['no date', 30, 'no date'],
  ];
  for (const [deletion, grace, expected] of cases) assert.equal(toldToEnd(deletion, grace), expected);
});
