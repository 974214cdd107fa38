/**
 * What a controller holds for each cluster, its caches as a rule: made when it is first asked for, and forgotten with the cluster. A leader works with
 * another view of a cluster than its sources do, but with the same caches, so those tell clusters apart.
 */
import type { Informers } from './cache/informers.ts';
import type { Cluster } from './cluster.ts';

export function perCluster<T>(make: (cluster: Cluster) => T): (cluster: Cluster) => T {
  const made = new WeakMap<Informers, { readonly held: T }>();
  return (cluster) => {
    const known = made.get(cluster.informers) ?? { held: make(cluster) };
    made.set(cluster.informers, known);
    return known.held;
  };
}
