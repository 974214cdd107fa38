/** The initial metrics of a process: those of the runtime, and its version. */
import { Gauge, Registry } from 'prom-client';
import { version } from '@ssvirt/base/config/version';
import { createMetrics, type Metrics } from '@ssvirt/kube/metrics/metrics';

export function createProcessMetrics(registry: Registry = new Registry()): Metrics {
  const metrics = createMetrics(registry);
  const info = new Gauge({
    name: 'ssvirt_build_info',
    help: 'Always 1; the labels have the versions of ssvirt and Node',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  info.set({ version, node: process.version }, 1);
  return metrics;
}
