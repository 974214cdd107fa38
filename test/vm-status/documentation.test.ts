/** docs/operator/vm-controller.md has every word that the controller uses. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { VmStatusMetrics } from '../../packages/ssvirt/src/controllers/vm-status/metrics.ts';
import { faultReasons } from '../../packages/ssvirt/src/kubevirt/status/faults.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operator/vm-controller.md'), 'utf8');
/** The cells of all rows whose first cell is a word in backticks. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  .map(([, first = '', ...rest]) => [first, ...rest] as const);
const described = (word: string): readonly string[] | undefined => rows.find(([first]) => first === word);

test('each reason of a fault is there with its meaning, and no other', () => {
  for (const [reason, meaning] of Object.entries(faultReasons)) assert.equal(described(reason)?.[1], meaning, reason);
  const words = rows.map(([first]) => first).filter((word) => /^[A-Z]+(_[A-Z]+)*$/.test(word));
  const statuses = ['POWERED_ON', 'POWERED_OFF', 'POWERING_ON', 'POWERING_OFF', 'SUSPENDED', 'FAILED', 'UNKNOWN'];
  assert.deepEqual(words.sort(), [...Object.keys(faultReasons), ...statuses, 'DELETING', 'DELETED'].sort());
});

test('each metric is there with its labels, and no other', async () => {
  const registry = new Registry();
  void new VmStatusMetrics(registry, { pending: () => 0, failing: () => 0 });
  const names = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  assert.deepEqual(
    rows
      .map(([first]) => first)
      .filter((word) => word.startsWith('ssvirt_'))
      .sort(),
    names.sort(),
  );
});

test('each state of a cluster and each Event is there', () => {
  for (const state of ['synced', 'stale', 'frozen']) assert.ok(described(state) !== undefined, state);
  for (const reason of ['StatusUpdated', 'DatabaseUpdateFailed', 'ReconciliationFailed'])
    assert.ok(page.includes(`\`${reason}\``), reason);
});
