import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions } from './version-order.ts';

test('versions are ordered by maturity, then by number, and names that are no versions come last by name', () => {
  const ordered = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
  assert.deepEqual(ordered.toReversed().toSorted(compareVersions), ordered);
  assert.equal(compareVersions('v1', 'v1'), 0);
});
