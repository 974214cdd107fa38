/**
 * `perCluster` keeps a value per cluster, usually its caches: created on first use and released with the cluster. A
 * leader has another view of a cluster than its sources, but with the same caches, so those identify the cluster.
 */
import type { Informers } from './informer/informers.ts';
import type { Cluster } from './cluster.ts';

export function perCluster<T>(make: (cluster: Cluster) => T): (cluster: Cluster) => T {
  const made = new WeakMap<Informers, { readonly held: T }>();
  return (cluster) => {
    const known = made.get(cluster.informers) ?? { held: make(cluster) };
    made.set(cluster.informers, known);
    return known.held;
  };
}
