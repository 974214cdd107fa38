/**
 * The phases of the members, for alerts: one series per member and phase, with 1 for the current phase. Computed when
 * metrics are read.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Phase } from '../kubevirtconfig/kubevirt-config.ts';

const name = 'ssvirt_fleet_cluster_phase';
const phases: readonly Phase[] = ['Pending', 'Ready', 'Degraded', 'Failed'];

/** `showPhases` registers the metric. The returned function removes it. */
export function showPhases(registry: Registry, phasesNow: () => ReadonlyMap<string, Phase>): () => void {
  const gauge: Gauge<'cluster' | 'phase'> = new Gauge({
    name,
    help: '1 for the current phase of a cluster of the fleet',
    labelNames: ['cluster', 'phase'],
    registers: [registry],
    collect() {
      gauge.reset();
      for (const [cluster, now] of phasesNow())
        for (const phase of phases) gauge.set({ cluster, phase }, phase === now ? 1 : 0);
    },
  });
  return () => registry.removeSingleMetric(name);
}
