import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { VmStatusMetrics } from './metrics.ts';

function world(): { readonly metrics: VmStatusMetrics; readonly series: () => Promise<readonly string[]> } {
  const registry = new Registry();
  const metrics = new VmStatusMetrics(registry, { pending: () => 4, failing: () => 2 });
  const series = async (): Promise<readonly string[]> =>
    (await registry.metrics()).split('\n').filter((line) => /^ssvirt_vm_(status_updates|reconcile_errors)/.test(line));
  return { metrics, series };
}

test('only the namespace of a VDC is named: other namespaces make no series', async () => {
  const { metrics, series } = world();
  metrics.setNamespaces(new Set(['mine']));
  metrics.updated('mine', 'POWERED_ON', 'success', 3);
  metrics.updated('foreign', 'POWERED_ON', 'success', 3);
  metrics.failed('foreign', 'database_update_refused');
  assert.deepEqual(await series(), [
    'ssvirt_vm_status_updates_total{namespace="mine",status="POWERED_ON",result="success"} 1',
    'ssvirt_vm_status_updates_total{namespace="",status="POWERED_ON",result="success"} 1',
    'ssvirt_vm_reconcile_errors_total{namespace="",error_type="database_update_refused"} 1',
  ]);
});

test('all series of a namespace go with its VDC, those of others stay', async () => {
  const { metrics, series } = world();
  metrics.setNamespaces(new Set(['mine', 'other']));
  for (const namespace of ['mine', 'other']) {
    metrics.updated(namespace, 'POWERED_ON', 'success', 3);
    metrics.updated(namespace, '', 'error');
    metrics.failed(namespace, 'database_row_locked');
  }
  metrics.setNamespaces(new Set(['other']));
  const left = await series();
  assert.equal(left.length, 3);
  assert.ok(
    left.every((line) => line.includes('namespace="other"')),
    left.join('\n'),
  );
});

test('a scrape reads what waits and what fails', async () => {
  const registry = new Registry();
  let waiting = 1;
  void new VmStatusMetrics(registry, { pending: () => waiting, failing: () => 0 });
  waiting = 9;
  assert.match(await registry.metrics(), /^ssvirt_vm_status_pending_vms 9$/m);
});
