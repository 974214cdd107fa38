import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podOf, runningPod } from './builders.fixture.ts';
import { isAlive, isUnresponsive } from './node-controller.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const node = (heartbeat?: string): { metadata: { name: string; annotations: Record<string, string> } } => ({
  metadata: { name: 'node01', annotations: heartbeat === undefined ? {} : { 'kubevirt.io/heartbeat': heartbeat } },
});

for (const { name, at, unresponsive } of [
  { name: 'a node that is not there', at: undefined, unresponsive: true },
  { name: 'a node that never had a virt-handler', at: node(), unresponsive: false },
  { name: 'a node that was heard of', at: node('2026-01-01T00:06:00Z'), unresponsive: false },
  { name: 'a node that was not heard of for long', at: node('2026-01-01T00:04:00Z'), unresponsive: true },
  { name: 'a node whose heartbeat cannot be read', at: node('soon'), unresponsive: false },
])
  test(`${name} is ${unresponsive ? 'un' : ''}responsive`, () => {
    assert.equal(isUnresponsive(at, now, 300_000), unresponsive);
  });

test('a pod is alive until it, or all of its containers, have ended', () => {
  const ended = podOf({
    status: { phase: 'Running', containerStatuses: [{ name: 'compute', state: { terminated: {} } }] },
  });
  assert.deepEqual([runningPod(), podOf(), ended, podOf({ status: { phase: 'Failed' } })].map(isAlive), [
    true,
    true,
    false,
    false,
  ]);
});
