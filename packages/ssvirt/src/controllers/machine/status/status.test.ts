import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Machine } from '../machine-types.ts';
import { withTime } from './status.ts';

suite('lastUpdated', () => {
  const machine: Machine = {
    metadata: { name: 'web' },
    spec: {},
    status: { phase: 'Running', lastUpdated: '2026-01-01T00:00:00Z' },
  };
  const now = new Date('2026-01-02T03:04:05.678Z');

  test('stays while nothing else changes: it would wake everybody who watches', () => {
    assert.equal(withTime(machine, { ...machine.status }, now).lastUpdated, '2026-01-01T00:00:00Z');
  });

  test('moves with the rest', () => {
    assert.deepEqual(withTime(machine, { ...machine.status, phase: 'Stopped' }, now), {
      phase: 'Stopped',
      lastUpdated: '2026-01-02T03:04:05Z',
    });
  });
});
