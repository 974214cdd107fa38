import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Registry } from 'prom-client';
import { KubeError } from '@ssvirt/kube/errors';
import { MachineMetrics } from './metrics.ts';

function metricsOf(): { readonly metrics: MachineMetrics; readonly registry: Registry } {
  const registry = new Registry();
  const metrics = new MachineMetrics(registry, {
    machines: () => [{ phase: 'Running', template: 'small' }],
    virtualMachines: () => ['Running', 'Running'],
  });
  return { metrics, registry };
}

const total = async (registry: Registry, name: string): Promise<number> => {
  const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
  return values.reduce((sum, { value }) => sum + value, 0);
};

suite('the metrics of the operator', () => {
  test('have the names of the reference', async () => {
    const { registry } = metricsOf();
    assert.deepEqual(
      (await registry.getMetricsAsJSON()).map(({ name }) => name).toSorted(),
      [
        'machines_total',
        'network_configuration_errors_total',
        'reconciliation_duration_seconds',
        'reconciliation_errors_total',
        'storage_provisioning_duration_seconds',
        'virtual_machines_total',
      ].map((name) => `kubevirt_operator_${name}`),
    );
  });

  test('count what is there when they are read', async () => {
    const { registry } = metricsOf();
    for (const _ of [1, 2]) {
      assert.equal(await total(registry, 'kubevirt_operator_machines_total'), 1);
      assert.equal(await total(registry, 'kubevirt_operator_virtual_machines_total'), 2);
    }
  });

  test('count a failure, and no conflict, which says only that another was first', async () => {
    const { metrics, registry } = metricsOf();
    const failing = (error: Error): Promise<void> =>
      assert.rejects(
        metrics.timed('Machine', () => {
          throw error;
        }),
      );
    await failing(new Error('broken'));
    await failing(new KubeError('Conflict', 'another was first'));
    assert.equal(await total(registry, 'kubevirt_operator_reconciliation_errors_total'), 1);
  });

  test('do not grow with the names of networks', async () => {
    const { metrics, registry } = metricsOf();
    for (let i = 0; i < 1500; i++) metrics.networkFailed(`network-${i}`);
    const { values = [] } =
      (await registry.getSingleMetric('kubevirt_operator_network_configuration_errors_total')?.get()) ?? {};
    assert.equal(values.length, 1001);
    assert.equal(values.find(({ labels }) => labels['network_name'] === 'others')?.value, 500);
  });
});
