/** How the members are, for alerts: one series for each member and phase, 1 for the phase that it is in. Looked up when somebody reads the metrics. */
import { Gauge, type Registry } from 'prom-client';
import type { Phase } from './kubevirt-config.ts';

const name = 'ssvirt_fleet_cluster_phase';
const phases: readonly Phase[] = ['Pending', 'Ready', 'Degraded', 'Failed'];

/** Until the function that it returns is called. */
export function showPhases(registry: Registry, phasesNow: () => ReadonlyMap<string, Phase>): () => void {
  const gauge: Gauge<'cluster' | 'phase'> = new Gauge({
    name,
    help: '1 for the phase that a cluster of the fleet is in',
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
