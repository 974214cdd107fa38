/**
 * `Fence` wraps the clusters of reconcilers while leader election is in use: their clients refuse to write when
 * leadership may be lost.
 */
import type { Cluster } from '../cluster.ts';
import { fenced } from '../leader-election/fenced.ts';
import type { Term } from '../leader-election/term.ts';

export class Fence {
  readonly #term: Term | undefined;
  readonly #clusters = new WeakMap<Cluster, Cluster>();

  constructor(term: Term | undefined) {
    this.#term = term;
  }

  around(cluster: Cluster): Cluster {
    if (this.#term === undefined) return cluster;
    const { name, client, informers, recorder, signal } = cluster;
    const known = this.#clusters.get(cluster) ?? {
      name,
      client: fenced(client, this.#term),
      informers,
      recorder,
      signal,
    };
    this.#clusters.set(cluster, known);
    return known;
  }
}
